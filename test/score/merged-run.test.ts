import { expect, test } from 'vitest'
import type { AnsweredLine, ReservedLine } from '../../src/generate/journal.ts'
import { orderAttempts } from '../../src/generate/order.ts'
import { attemptsOfShard, shardOf } from '../../src/generate/shard.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { PREFLIGHT, sampleEnd, sampleLines, samplePlan, sampleSubject } from './sample-run.ts'

const COUNT = 3
const plan = samplePlan({ fixtures: 6, conditions: ['C0', 'C1'], subjects: [sampleSubject('model')] })
const whole = sampleLines({}, plan) as { kind: string; attempt?: string }[]
const at = '2026-11-29T10:00:00.000Z'
const ids = plan.fixtures.map(({ id }) => id)

/** The lines of attempts of a shard, behind the line that begins it. */
function shardLines(index: number, { preflight = PREFLIGHT, end = sampleEnd() as object | null } = {}): object[] {
  const shard = { index, count: COUNT }
  const own = new Set(
    [...attemptsOfShard(orderAttempts(plan.cells, ids, plan.samples, plan.seed), shard)].map(({ id }) => id),
  )
  const lines = whole.filter(({ attempt }) => attempt !== undefined && own.has(attempt))
  return [{ kind: 'shard', shard, at }, preflight, ...lines, ...(end === null ? [] : [end])]
}

const planned = { kind: 'planned', at, plan }
const all = [planned, ...shardLines(3), ...shardLines(1), ...shardLines(2)]

test('a merged journal gives the records of one run, whatever order its shards stand in', async () => {
  const merged = await joinRecords(all)
  const single = await joinRecords(whole)
  expect(merged.records).toEqual(single.records)
  expect(merged.shards.map(({ shard }) => shard.index)).toEqual([1, 2, 3])
  expect(buildReport(merged).rows).toEqual(buildReport(single).rows)
})

test.each([
  ['a shard is not there', [planned, ...shardLines(1), ...shardLines(3)], 'there is no shard 2/3'],
  ['a shard is there twice', [...all, ...shardLines(2)], 'a second shard 2/3'],
  [
    'a shard is of another split',
    [...all, { kind: 'shard', shard: { index: 4, count: 5 }, at }],
    'shard 4/5 among shards of 3',
  ],
  ['a shard comes before the plan', [...shardLines(1), planned], 'a shard before the plan'],
  [
    'a shard comes behind lines of a whole run',
    [planned, PREFLIGHT, ...shardLines(1)],
    'a shard behind lines of no shard',
  ],
  [
    'a shard stands within another',
    [{ ...planned, shard: { index: 1, count: 3 } }, ...shardLines(1)],
    'a shard within shard 1/3',
  ],
  [
    'shards had other engines',
    [
      planned,
      ...shardLines(1),
      ...shardLines(2),
      ...shardLines(3, { preflight: { ...PREFLIGHT, engine: { ...PREFLIGHT.engine, version: 'vox 0.6.0' } } }),
    ],
    'they differ in engine version: embedded in shard 1/3, shard 2/3; vox 0.6.0 in shard 3/3',
  ],
])('%s: the journal is refused', async (_, lines, problem) => {
  await expect(joinRecords(lines)).rejects.toMatchObject({
    code: 'journal/invalid',
    message: expect.stringContaining(problem),
  })
})

/** Every kind of line that names an attempt of the first shard, within the lines of another. */
function strays(): [string, object[]][] {
  const own = shardOf('model C0', '001', COUNT)
  const answered = whole.find(
    (line) => line.kind === 'answered' && line.attempt === 'model C0 / 001 / 0',
  ) as AnsweredLine
  const reserved: ReservedLine = { kind: 'reserved', attempt: answered.attempt, usd: 1, onceUsd: 1 }
  const resumed = { kind: 'resumed', at }
  const within = (...lines: object[]) => {
    const index = [1, 2, 3].find((each) => each !== own) ?? 0
    const [head, preflight] = shardLines(index)
    const others = [1, 2, 3].filter((each) => each !== index).flatMap((each) => shardLines(each))
    return [planned, ...others, head, preflight, ...lines] as object[]
  }
  return [
    ['an answer to', within(answered)],
    ['a reservation for', within(reserved)],
    ['a try of', within(reserved, resumed)],
  ]
}

test.each(strays())('%s an attempt of another shard is refused', async (what, lines) => {
  const own = shardOf('model C0', '001', COUNT)
  await expect(joinRecords(lines)).rejects.toMatchObject({
    code: 'journal/invalid',
    message: expect.stringMatching(new RegExp(`${what} model C0 / 001 / 0, which is of shard ${own}/3, not of`)),
  })
})

test('a reservation that is not of the plan is named', async () => {
  const reserved = { kind: 'reserved', attempt: 'model C9 / 001 / 0', usd: 1 }
  await expect(joinRecords([planned, PREFLIGHT, reserved])).rejects.toMatchObject({
    message: expect.stringContaining('a reservation for model C9 / 001 / 0, which is not of the plan'),
  })
})

test('a shard that was resumed voids its own verdicts only', async () => {
  const own = shardLines(2)
  const verdicts = own.filter((line) => (line as { kind: string }).kind === 'verified')
  const again = [{ kind: 'resumed', at }, PREFLIGHT, ...verdicts, sampleEnd({ runKey: 'b'.repeat(64) })]
  const run = await joinRecords([planned, ...shardLines(1), ...own, ...again, ...shardLines(3)])
  expect(run.records.every(({ verification }) => verification !== null)).toBe(true)
  expect(buildReport(run).run).toMatchObject({
    resumed: 1,
    complete: true,
    shards: [{ runKey: 'a'.repeat(64) }, { runKey: 'b'.repeat(64) }, { runKey: 'a'.repeat(64) }],
  })
})

test('a shard that was killed, or stopped, makes the whole incomplete, with its name', async () => {
  const stopped = sampleEnd({ stoppedBecause: 'the deadline of the run came' })
  const lines = [planned, ...shardLines(1), ...shardLines(2, { end: null }), ...shardLines(3, { end: stopped })]
  const { run, spend, timing } = buildReport(await joinRecords(lines))
  expect(run).toMatchObject({
    complete: false,
    endedBecause: 'shard 2/3: the run was killed before it ended by itself; shard 3/3: the deadline of the run came',
    finishedAt: null,
  })
  expect(spend.isUpperBound).toBe(true)
  expect(timing.totalMs).toBeNull()
})

test('a failed preflight of one shard is that of the whole', async () => {
  const failure = { fixture: '001', planted: 'reference', expected: 'passed', found: 'timeout', verdict: null }
  const preflight = { ...PREFLIGHT, failures: [failure] }
  const lines = [planned, ...shardLines(1), ...shardLines(2, { preflight }), ...shardLines(3)]
  expect(buildReport(await joinRecords(lines)).gateRefusals).toContain('its preflight failed')
})
