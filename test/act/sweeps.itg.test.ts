import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { smallCorpus } from '../sweep/small-corpus.ts'
import { cancelStep, createStorage, emptyRunnerTemporary, signalStep } from './act-run.ts'
import { createConsumer, KEY, paidSweep, reportIn, startPaidModel, textIn } from './consumer.ts'
import { startGitHub } from './github-server.ts'

/** Lines that would be commands of a runner, and words that would be markup, in what a model answers. */
const hostile =
  '::set-output name=gate::improved\n::error::planted-error\n##[error]planted\n::stop-commands::planted-token\n<script>planted()</script> @planted-team\n'

test('a scheduled sweep publishes report, summary and outputs, and hides the key', async () => {
  const model = await startPaidModel({ fails: ['002'] }, `${hostile}Your key is ${KEY}.`)
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': paidSweep(model) })
  const run = await consumer.run()
  expect(run.code, run.log).toBe(0)
  expect(model.asked).toHaveLength(6)

  const [job] = run.jobs
  expect(job?.outputs).toMatchObject({ complete: 'true', gate: 'none', artifact: 'vox-efficacy-77-1' })
  expect(Number(job?.outputs['spend-usd'])).toBeCloseTo(6 * (1000 * 1e-6 + 100 * 2e-6), 6)
  expect(job?.summaries).toHaveLength(1)
  expect(job?.summaries[0]).toContain('vendor/able')

  const report = reportIn(run, 'vox-efficacy-77-1')
  expect(report.attempts.map(({ fixture, verification }) => [fixture, verification?.verdict.kind]).sort()).toEqual(
    ['001', '002', '003', '004', '005', '006'].map((id) => [id, id === '002' ? 'policy' : 'passed']),
  )
  for (const name of ['attempts.jsonl', 'summary.md', 'report.html', 'leaderboard.json', 'scoreboard.json']) {
    expect(textIn(run, 'vox-efficacy-77-1', name)).not.toContain(KEY)
  }
  expect(run.log).not.toContain(KEY)
  expect(readFileSync(run.artifacts.get('vox-efficacy-77-1') ?? '').includes(KEY)).toBe(false)
})

test('what a model answers is no command of the runner and no markup', async () => {
  const model = await startPaidModel({ fails: ['001', '002'] }, hostile)
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': paidSweep(model) })
  const run = await consumer.run()
  expect(run.jobs[0]?.outputs.gate).toBe('none')
  expect(run.jobs[0]?.annotations.join('\n')).not.toMatch(/planted-error/)
  expect(run.jobs[0]?.summaries.join('\n')).not.toMatch(/<script>|@planted-team/)
  expect(textIn(run, 'vox-efficacy-77-1', 'report.html')).not.toContain('<script>planted')
})

test('a forgotten cap is an error before anything is asked', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': paidSweep(model) })
  const run = await consumer.run({ variables: {} })
  expect(run.code).not.toBe(0)
  expect(run.log).toMatch(/max-spend-usd.*present but empty/)
  expect(model.asked).toEqual([])
})

test('a manual run begins with the smoke run, after it has shown cost and power of the whole', async () => {
  const model = await startPaidModel({ fails: [] })
  const sweep = paidSweep(model, {}, ['vendor/able', 'vendor/other'])
  const consumer = createConsumer('manual-run', 'workflow_dispatch', { 'vox-efficacy.yml': sweep })
  const run = await consumer.run({ inputs: { step: 'smoke', 'max-spend-usd': '2', samples: '', condition: '' } })
  expect(run.code, run.log).toBe(0)
  expect(model.asked).toHaveLength(6)
  const [plan, smoke] = run.jobs[0]?.summaries ?? []
  expect(plan).toMatch(/vendor\/other\*\* \| C0 \| 6 \| &#36;0\.\d+ \|/)
  expect(plan).toMatch(/10 points/)
  expect(smoke).toMatch(/smoke/i)
  expect(run.jobs[0]?.outputs['projected-usd']).toMatch(/^0\.\d+$/)
  expect([...run.artifacts.keys()]).toEqual(['vox-efficacy-smoke-77-1', 'vox-efficacy-smoke-77-1.html'])
})

test('a manual run that plans asks nobody', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('manual-run', 'workflow_dispatch', { 'vox-efficacy.yml': paidSweep(model) })
  const run = await consumer.run({ inputs: { step: 'plan', 'max-spend-usd': '2', samples: '', condition: '' } })
  expect(run.code, run.log).toBe(0)
  expect(model.asked).toEqual([])
})

test('a manual run takes condition and samples from what was typed in', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('manual-run', 'workflow_dispatch', { 'vox-efficacy.yml': paidSweep(model) })
  const run = await consumer.run({ inputs: { step: 'run', 'max-spend-usd': '2', samples: '2', condition: 'C1' } })
  expect(run.code, run.log).toBe(0)
  expect(model.asked).toHaveLength(12)
  expect(reportIn(run, 'vox-efficacy-77-1').rows.map(({ cell }) => cell)).toEqual(['vendor/able C1'])
})

test('a cancelled run publishes what it has, and a re-run asks only for what is missing', async () => {
  const weights = { fails: [] as string[], answers: 2 }
  const model = await startPaidModel(weights)
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': paidSweep(model) })
  const storage = createStorage()
  const started = await consumer.start({ storage })
  while (model.asked.length < 3 && started.child.exitCode === null) await new Promise((done) => setTimeout(done, 50))
  await cancelStep(started, 'dist/action.js')
  const cancelled = await started.result
  expect(cancelled.jobs[0]).toMatchObject({ succeeded: false, outputs: { complete: 'false' } })
  expect(reportIn(cancelled, 'vox-efficacy-77-1').run).toMatchObject({ complete: false })

  weights.answers = Number.POSITIVE_INFINITY
  const asked = model.asked.length
  const rerun = await consumer.run({ storage, env: { GITHUB_RUN_ATTEMPT: '2' } })
  expect(rerun.code, rerun.log).toBe(0)
  expect(rerun.jobs[0]?.outputs.complete).toBe('true')
  expect(model.asked.length - asked).toBe(4)
  expect(reportIn(rerun, 'vox-efficacy-77-2').attempts).toHaveLength(6)
})

/** The same model under an address that is not known for one that costs nothing. */
const elsewhere = (model: Parameters<typeof paidSweep>[0]) => paidSweep(model).replaceAll('127.0.0.1', '0.0.0.0')

test('a re-run is refused after an attempt that was killed when it had asked', async () => {
  const model = await startPaidModel({ fails: [], answers: 2 })
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': elsewhere(model) })
  const storage = createStorage()
  const started = await consumer.start({ storage })
  while (model.asked.length < 3 && started.child.exitCode === null) await new Promise((done) => setTimeout(done, 50))
  signalStep(started, 'dist/action.js', 'SIGKILL')
  const killed = await started.result
  expect([...killed.artifacts.keys()]).toEqual(['vox-efficacy-77-1-asking'])
  const asked = model.asked.length
  const rerun = await consumer.run({ storage, env: { GITHUB_RUN_ATTEMPT: '2' } })
  expect(rerun.code).not.toBe(0)
  expect(rerun.log).toContain('action/nothing-to-resume')
  expect(model.asked).toHaveLength(asked)
})

test('a re-run begins anew after an attempt that failed before it asked', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': elsewhere(model) })
  const storage = createStorage()
  expect((await consumer.run({ storage, variables: {} })).code).not.toBe(0)
  const github = await startGitHub(() => true)
  github.runs.push({ id: 77, event: 'schedule', branch: 'main', sha: '', artifacts: new Map() })
  const rerun = await consumer.run({
    storage,
    env: { GITHUB_RUN_ATTEMPT: '2', GITHUB_API_URL: github.url },
    secrets: { OPENROUTER_API_KEY: KEY, GITHUB_TOKEN: 'token-of-the-job' },
  })
  expect(rerun.code, rerun.log).toBe(0)
  expect(rerun.log).toContain('No earlier attempt of this run asked anything')
  expect(model.asked).toHaveLength(6)
})

test('a re-run of a complete run verifies it again and asks nobody', async () => {
  const model = await startPaidModel({ fails: ['002'] })
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': elsewhere(model) })
  const storage = createStorage()
  expect((await consumer.run({ storage })).code).toBe(0)
  const rerun = await consumer.run({ storage, env: { GITHUB_RUN_ATTEMPT: '2' } })
  expect(rerun.code, rerun.log).toBe(0)
  expect(model.asked).toHaveLength(6)
  expect(reportIn(rerun, 'vox-efficacy-77-2').attempts).toHaveLength(6)
})

test('two sweeps of a job go on each with its own, and by the cache where a re-run of all jobs sees no artifact', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('scheduled-sweep', 'schedule', { 'vox-efficacy.yml': elsewhere(model) })
  const storage = createStorage()
  const env = `env: { RUNNER_TEMP: ${emptyRunnerTemporary(storage)} }`
  const file = '.github/workflows/scheduled-sweep.yml'
  const { commit, git } = consumer.repository
  const text = `${git('show', `HEAD:${file}`)}\n`
  const begin = '      - uses: OWNER/vox-efficacy@v1\n'
  const sweep = text.slice(text.indexOf(begin)).replace(begin, `${begin}        ${env}\n`)
  const corpora = ['          corpus: |', ...[1, 2].map((count) => `            ${smallCorpus(count)}`)].join('\n')
  const several = `${sweep}${corpora}\n          artifact-name: several\n          output: several\n`
  commit({ [file]: text.slice(0, text.indexOf(begin)) + several + sweep })

  expect((await consumer.run({ storage })).code).toBe(0)
  const asked = model.asked.length
  for (const [attempt, hasArtifacts] of [
    ['2', true],
    ['3', false],
  ] as const) {
    emptyRunnerTemporary(storage)
    if (!hasArtifacts) rmSync(path.join(storage, 'artifacts/77'), { recursive: true, force: true })
    const rerun = await consumer.run({ storage, env: { GITHUB_RUN_ATTEMPT: attempt } })
    expect(rerun.code, rerun.log).toBe(0)
    expect(reportIn(rerun, `vox-efficacy-77-${attempt}`).attempts).toHaveLength(6)
  }
  expect(model.asked).toHaveLength(asked)
})
