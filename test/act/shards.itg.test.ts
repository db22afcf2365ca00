import path from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '../../src/report/schema.ts'
import { repository } from '../cli/cli-process.ts'
import { createConsumer, KEY, paidSweep, reportIn, startPaidModel } from './consumer.ts'

const sweep = { corpus: path.join(repository, 'corpus'), condition: ['C0', 'C1'], concurrency: 4 }

/** A report without what differs between any two runs: its run, its money, and every time. */
function comparable({ run: _run, spend: _spend, timing: _timing, ...report }: Report): unknown {
  const isTime = (name: string) => /Ms$|At$|^latency/.test(name)
  return JSON.parse(JSON.stringify(report, (name, value) => (isTime(name) ? undefined : value)))
}

test('three shards, measured by jobs of a matrix, give the report of one machine', async () => {
  const model = await startPaidModel({ fails: ['002', '007', '031'] })
  const files = { 'vox-efficacy.yml': paidSweep(model, sweep) }
  const sharded = await createConsumer('sharded-sweep', 'workflow_dispatch', files).run({ inputs: { shards: '3' } })
  expect(sharded.code, sharded.log).toBe(0)
  expect(model.asked).toHaveLength(80)
  expect([...sharded.artifacts.keys()].sort()).toEqual([
    'vox-efficacy-77-1',
    ...[1, 2, 3].map((index) => `vox-efficacy-77-1-shard-${index}-of-3`),
    'vox-efficacy-77-1.html',
  ])
  const whole = await createConsumer('scheduled-sweep', 'schedule', files).run()
  expect(whole.code, whole.log).toBe(0)
  const merged = reportIn(sharded, 'vox-efficacy-77-1')
  expect(comparable(merged)).toEqual(comparable(reportIn(whole, 'vox-efficacy-77-1')))
  expect(merged.run.complete).toBe(true)
  expect(sharded.log).not.toContain(KEY)
})

test('a shard that failed is named by the merge', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('sharded-sweep', 'workflow_dispatch', { 'vox-efficacy.yml': paidSweep(model) })
  const file = '.github/workflows/sharded-sweep.yml'
  const { commit, git } = consumer.repository
  const use = '      - uses: OWNER/vox-efficacy@v1\n        with:\n          mode: shard\n'
  const broken = `      - { if: "matrix.shard == '2/3'", run: exit 1 }\n${use}`
  commit({ [file]: git('show', `HEAD:${file}`).replace(use, broken) })
  const run = await consumer.run({ inputs: { shards: '3' } })
  expect(run.code).not.toBe(0)
  expect(run.jobs.flatMap(({ annotations }) => annotations).join('\n')).toMatch(/^error.*there is no shard 2\/3/m)
  expect([...run.artifacts.keys()]).not.toContain('vox-efficacy-77-1')
})
