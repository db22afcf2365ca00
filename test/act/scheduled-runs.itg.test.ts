import { expect, test } from 'vitest'
import { type ActRun, cancelStep, createStorage, emptyRunnerTemporary, type StartedAct } from './act-run.ts'
import { createConsumer, KEY, paidSweep, reportIn, startPaidModel, textIn } from './consumer.ts'
import { startGitHub } from './github-server.ts'

/** The weekly sweep with further inputs, on a GitHub that knows its runs: 77 and on. They share cache and artifacts. */
async function openSchedule(sweep: string, inputs: readonly string[]) {
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': sweep })
  const { commit, git } = consumer.repository
  const file = '.github/workflows/scheduled-sweep.yml'
  const last = '          deadline-min: 300\n'
  const more = inputs.map((line) => `          ${line}\n`).join('')
  const use = '      - uses: OWNER/vox-efficacy@v1\n'
  const storage = createStorage()
  const own = `${use}        env: { RUNNER_TEMP: ${emptyRunnerTemporary(storage)} }\n`
  const text = `${git('show', `HEAD:${file}`)}\n`.replace(use, own).replace(last, last + more)
  const sha = commit({ [file]: text })
  const github = await startGitHub(() => true)

  async function start(): Promise<StartedAct> {
    emptyRunnerTemporary(storage)
    const id = 77 + github.runs.length
    const begun = { id, event: 'schedule', branch: 'main', sha, artifacts: new Map() }
    const at = github.runs.push(begun) - 1
    const env = { GITHUB_RUN_ID: String(id), GITHUB_API_URL: github.url }
    const secrets = { OPENROUTER_API_KEY: KEY, GITHUB_TOKEN: 'token-of-the-job' }
    const { result, ...started } = await consumer.start({ storage, env, secrets })
    const known = result.then((run) => {
      const conclusion = run.code === 0 ? 'success' : 'failure'
      github.runs[at] = { ...begun, artifacts: run.artifacts, conclusion }
      return run
    })
    return { ...started, result: known }
  }
  return { github, start, run: async (): Promise<ActRun> => (await start()).result }
}

test('a cap of the month leaves the second run only what the first has left', async () => {
  const model = await startPaidModel({ fails: [] })
  // A request costs 0.0012 USD, and at worst some 0.002.
  const sweep = paidSweep(model, { retries: 0 }).replace('api-key-env:', 'max-tokens: 200\n    api-key-env:')
  const { run } = await openSchedule(sweep, ['max-spend-usd-per-month: 0.0115'])
  const first = await run()
  expect(first.code, first.log).toBe(0)
  expect(Number(first.jobs[0]?.outputs['spend-usd'])).toBeCloseTo(6 * 0.0012, 6)

  const second = await run()
  expect(second.jobs[0], second.log).toMatchObject({ succeeded: false, outputs: { complete: 'false' } })
  expect(second.log).toContain('the spend cap of the month was reached')
  const asked = model.asked.length - 6
  expect([2, 3]).toContain(asked)
  expect(Number(second.jobs[0]?.outputs['spend-usd'])).toBeCloseTo(asked * 0.0012, 6)
  expect(reportIn(second, 'vox-efficacy-78-1').run).toMatchObject({ complete: false })
})

test('a book of the month that GitHub lists and the cache does not give back is no reason to begin the month anew', async () => {
  const model = await startPaidModel({ fails: [] })
  const { github, run } = await openSchedule(paidSweep(model), ['max-spend-usd-per-month: 1'])
  github.caches.push({ key: 'vox-efficacy-spend-70-1-vox-efficacy', ref: 'refs/heads/main' })
  const refused = await run()
  expect(refused.code).not.toBe(0)
  expect(refused.log).toContain('action/book-lost')
  expect(model.asked).toEqual([])
})

const judged = ['baseline: auto', 'horizon: 12']

test('a scheduled run is compared with the one before it, as one of many looks', async () => {
  const weights = { fails: [] as string[] }
  const model = await startPaidModel(weights)
  const { run } = await openSchedule(paidSweep(model), judged)
  const first = await run()
  expect(first.jobs[0], first.log).toMatchObject({ succeeded: true, outputs: { gate: 'no-baseline' } })

  weights.fails = ['002']
  const second = await run()
  expect(second.jobs[0], second.log).toMatchObject({ succeeded: true, outputs: { gate: 'cannot-tell' } })
  expect(second.log).toContain('baseline: run 77 (schedule)')
  expect(second.jobs[0]?.summaries.join('\n')).toContain('This is one of 12 scheduled runs (T = 12)')
  expect(JSON.parse(textIn(second, 'vox-efficacy-78-1', 'comparison.json'))).toMatchObject({
    outcome: 'cannot-tell',
    look: { kind: 'scheduled', horizon: 12 },
  })
})

test('a cancelled run that is to be compared publishes what it has', async () => {
  const weights = { fails: [] as string[], answers: Number.POSITIVE_INFINITY }
  const model = await startPaidModel(weights)
  const { run, start } = await openSchedule(paidSweep(model), judged)
  expect((await run()).code).toBe(0)

  weights.answers = 8
  const started = await start()
  while (model.asked.length < 9 && started.child.exitCode === null) await new Promise((done) => setTimeout(done, 50))
  await cancelStep(started, 'dist/action.js')
  const cancelled = await started.result
  expect(cancelled.jobs[0], cancelled.log).toMatchObject({
    succeeded: false,
    outputs: { complete: 'false', artifact: 'vox-efficacy-78-1' },
  })
  expect(cancelled.jobs[0]?.summaries).toHaveLength(1)
  const { run: about, attempts } = reportIn(cancelled, 'vox-efficacy-78-1')
  expect(about).toMatchObject({ complete: false })
  expect(attempts.filter(({ verification }) => verification !== null)).toHaveLength(2)
})
