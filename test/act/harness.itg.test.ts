import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cancelStep, createStorage, runAct, startAct } from './act-run.ts'
import { buildProbe } from './probe-action.ts'
import { createRepository } from './repositories.ts'

let probe: string
beforeAll(async () => {
  probe = await buildProbe()
  return () => rmSync(probe, { recursive: true, force: true })
})

/** A run of one of `probe/workflows/` in a fresh repository. */
function probeRun(name: string) {
  const made = createRepository('acme/models')
  const workflow = `.github/workflows/${name}.yml`
  made.commit({ [workflow]: readFileSync(path.join(import.meta.dirname, `probe/workflows/${name}.yml`), 'utf8') })
  return { repository: made.folder, workflow, event: 'push', actions: { 'OWNER/probe@v1': probe } } as const
}

test('an action runs on Node 24 and tells outputs, summary and annotations', async () => {
  const run = await runAct(probeRun('one-step'))
  expect(run.code, run.log).toBe(0)
  expect(run.jobs).toMatchObject([
    {
      name: 'one',
      succeeded: true,
      outputs: { node: expect.stringMatching(/^v24\./) },
      summaries: ['# Probe a\n\n| a | b |'],
      annotations: ['notice::probe a'],
    },
  ])
})

test('the log shows a key until it is masked, so that a search for it can find one', async () => {
  const key = 'sk-probe-5Yv0'
  const run = await runAct({ ...probeRun('key'), variables: { KEY: key } })
  expect(run.log).toContain(`at first ${key}`)
  expect(run.log).toContain('the key is ***')
})

test('artifacts of a matrix lie on the disk and are downloaded by a later job', async () => {
  const run = await runAct(probeRun('matrix'))
  expect(run.code, run.log).toBe(0)
  expect(run.jobs.at(-1)?.outputs.collected).toBe('a.txt,b.txt')
  expect([...run.artifacts.keys()]).toEqual(['probe-a', 'probe-b'])
  const zip = run.artifacts.get('probe-a') ?? ''
  expect(execFileSync('python3', ['-m', 'zipfile', '-l', zip], { encoding: 'utf8' })).toContain('a.txt')
})

test('a second run finds what the first one cached', async () => {
  const options = { ...probeRun('cache'), storage: createStorage() }
  expect((await runAct(options)).jobs[0]?.outputs.cached).toBe('false')
  expect((await runAct(options)).jobs[0]?.outputs.cached).toBe('true')
})

test('inputs of a dispatch, the payload of an event, variables and the environment reach the job', async () => {
  const run = await runAct({
    ...probeRun('dispatch'),
    event: 'workflow_dispatch',
    inputs: { text: 'two words' },
    payload: { number: 7 },
    variables: { LIMIT: '2.5' },
    env: { GITHUB_RUN_ATTEMPT: '3' },
  })
  expect(run.log).toContain('[two words][7][2.5][3]')
})

test('a cancelled step is asked to end, and only steps that always run come after it', async () => {
  const started = await startAct(probeRun('waiting'))
  while (!started.log().includes('| waiting')) await new Promise((done) => setTimeout(done, 50))
  await cancelStep(started, 'dist/probe.js')
  const run = await started.result
  expect(run.log).toContain('| asked to end')
  expect(run.log).toContain('| afterwards')
  expect(run.log).not.toContain('| never')
  expect(run.jobs[0]?.succeeded).toBe(false)
  expect(run.code).not.toBe(0)
})
