import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { repository } from '../cli/cli-process.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { buildAction, createWorkspace, pullRequest, runStep, startStep } from './action-process.ts'
import { playGitHub } from './github-server.ts'
import { zipOf } from './zip-file.ts'

vi.setConfig({ testTimeout: 120_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

const recorded = (id: string) =>
  readFileSync(path.join(repository, 'corpus/recorded/general-purpose-lm/C1', `${id}.md`), 'utf8')

/** A model that answers every request with the recorded answer to 001. */
async function startModel() {
  const server = await startServer((_request, response) => sendJson(response, 200, chatCompletion(recorded('001'))))
  return { server, inputs: { engine: 'embedded', model: 'own/model', 'base-url': server.baseUrl, fixtures: '001,002' } }
}

const token = { 'github-token': 'token-of-the-job' }

test('a step that fails before it asks says so in the summary, the outputs and the comment of the last push', async () => {
  const played = await playGitHub([])
  const workspace = createWorkspace()
  const { inputs } = await startModel()
  const env = { GITHUB_API_URL: played.url }
  const fine = await runStep(action, workspace, { inputs: { ...inputs, ...token }, event: pullRequest(), env })
  expect(fine.code, fine.log).toBe(0)
  const broken = { ...inputs, ...token, engine: 'vox', baseline: 'auto' }
  const step = await runStep(action, workspace, { inputs: broken, event: pullRequest(), env })
  expect(step.code).toBe(1)
  expect(step.outputs).toMatchObject({ gate: 'blocked', complete: 'false', skipped: 'false' })
  expect(step.summary).toContain('## Failed')
  expect(played.comments).toHaveLength(1)
  expect(played.comments[0]?.body).toContain('## Failed')
  expect(played.comments[0]?.body).not.toContain('Writing Vox')
})

test('a baseline that may not be looked for stops the step before anything is asked', async () => {
  const played = await playGitHub([], { refuses: () => 403 })
  const { server, inputs } = await startModel()
  const step = await runStep(action, createWorkspace(), {
    inputs: { ...inputs, ...token, baseline: 'auto' },
    env: { GITHUB_API_URL: played.url },
  })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/no-access')
  expect(server.seen).toEqual([])
})

test.each([
  { what: 'a subject that is not in the sweep', more: { 'head-subject': 'nobody' }, code: 'compare/no-subject' },
  { what: 'a condition that is not in the sweep', more: { 'compare-condition': 'C3' }, code: 'compare/no-condition' },
  { what: 'one of several conditions', more: { condition: 'C0,C1' }, code: 'compare/ambiguous' },
])('$what as what is compared stops the step before anything is asked', async ({ more, code }) => {
  const played = await playGitHub([])
  const { server, inputs } = await startModel()
  const step = await runStep(action, createWorkspace(), {
    inputs: { ...inputs, ...token, baseline: 'auto', ...more },
    env: { GITHUB_API_URL: played.url },
  })
  expect(step.code).toBe(1)
  expect(step.log).toContain(code)
  expect(step.log).not.toMatch(/input condition\b/)
  expect(server.seen).toEqual([])
})

test('a same-run comparison of three subjects needs names before anything is asked', async () => {
  const { server, inputs } = await startModel()
  const workspace = createWorkspace()
  const subjects = ['a', 'b', 'c'].map((model) => `  - { model: ${model}, base-url: "${inputs['base-url']}" }`)
  workspace.write('sweep.yml', `engine: embedded\nfixtures: ["001"]\nsubjects:\n${subjects.join('\n')}\n`)
  const step = await runStep(action, workspace, { inputs: { config: 'sweep.yml', baseline: 'same-run' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/same-run')
  expect(server.seen).toEqual([])
})

test('a run that is cancelled while it is judged publishes what it has at once', async () => {
  const { inputs } = await startModel()
  const base = createWorkspace()
  const first = await runStep(action, base, { inputs })
  expect(first.code, first.log).toBe(0)
  const archive = zipOf([{ name: 'report.json', content: base.read('out/report.json') }])
  const started = { push: () => {} }
  const counting = new Promise<void>((done) => {
    started.push = done
  })
  // The count of pushes is asked for after the sweep; it is never answered in time.
  const slow = await startServer(async (request, response) => {
    if (request.url.includes('event=pull_request')) return started.push()
    const answer = await fetch(`${played.url}${request.url}`)
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
  })
  const played = await playGitHub([{ id: 12, artifacts: [{ name: 'vox-efficacy-12-1', archive }] }])
  const { child, result } = startStep(action, createWorkspace(), {
    inputs: { ...inputs, ...token, baseline: 'auto', comment: 'false' },
    event: pullRequest(),
    env: { GITHUB_API_URL: slow.origin },
  })
  await counting
  const cancelledAt = performance.now()
  child.kill('SIGINT')
  const step = await result
  expect(performance.now() - cancelledAt).toBeLessThan(20_000)
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/cancelled')
  expect(step.outputs).toMatchObject({ gate: 'blocked', complete: 'true' })
  expect(existsSync(step.outputs.report ?? '')).toBe(true)
})

test('a fork whose cap comes from a variable, which forks do not get, is skipped like any other', async () => {
  const step = await runStep(action, createWorkspace(), {
    inputs: { engine: 'embedded', model: 'vendor/model', 'max-spend-usd': '', cutoff: '', 'api-key': '' },
    event: pullRequest({ headRepository: 6 }),
  })
  expect(step.code, step.log).toBe(0)
  expect(step.outputs).toMatchObject({ skipped: 'true', complete: 'false', gate: 'none' })
})

test('a misspelt input is an error, told together with all else that is wrong', async () => {
  const workspace = createWorkspace()
  workspace.write('sweep.yml', 'subjects: [{ model: own/model, temprature: 1 }]\nn: none\n')
  const step = await runStep(action, workspace, {
    inputs: { 'base-line': 'same-run', gate: 'maybe', k: 'x', config: 'sweep.yml', engine: 'embedded' },
  })
  expect(step.code).toBe(1)
  for (const problem of [
    'input base-line: there is no such input. Did you mean baseline?',
    'input gate:',
    'input k:',
    'temprature',
    'sweep.yml:2:',
  ])
    expect(step.log).toContain(problem)
  expect(step.summary).toContain('base-line')
  expect(step.outputs).toMatchObject({ gate: 'none', complete: 'false', skipped: 'false' })
})

test('a shard in the sweep file is refused where a whole sweep is asked for', async () => {
  const workspace = createWorkspace()
  workspace.write('sweep.yml', 'subjects: [{ model: own/model, base-url: "http://127.0.0.1:9/v1" }]\nshard: 1/2\n')
  const step = await runStep(action, workspace, { inputs: { config: 'sweep.yml', engine: 'embedded' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('shard is of mode shard')
})

test('hints name inputs, also of a vox that cannot be built', async () => {
  const workspace = createWorkspace()
  workspace.write('tree/Cargo.toml', '')
  const step = await runStep(action, workspace, { inputs: { mode: 'check', vox: 'tree' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('input vox')
  expect(step.log).not.toContain('--vox')
})

test('a variable of the machine that only begins like an input is none', async () => {
  const step = await runStep(action, createWorkspace(), {
    inputs: { mode: 'check', engine: 'embedded' },
    env: { INPUT_METHOD_OF_KEYBOARD: 'ibus' },
  })
  expect(step.code, step.log).toBe(0)
})

test('an event that cannot be read is told in summary and outputs', async () => {
  const { inputs } = await startModel()
  const event = { name: 'pull_request', payload: { pull_request: 'gone' } }
  const step = await runStep(action, createWorkspace(), { inputs, event })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/event')
  expect(step.summary).toContain('## Failed')
  expect(step.outputs.complete).toBe('false')
})

test('an output folder of a second corpus that cannot be written stops the step before the first is asked', async () => {
  const workspace = createWorkspace()
  const corpus = path.join(repository, 'corpus')
  workspace.write('out/corpus-2', 'a file')
  const { server, inputs } = await startModel()
  const step = await runStep(action, workspace, { inputs: { ...inputs, corpus: `${corpus}\n${corpus}` } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('output/unwritable')
  expect(server.seen.filter(({ url }) => url.endsWith('/chat/completions'))).toEqual([])
})

test('a command that a message quotes is quoted as it is', async () => {
  const workspace = createWorkspace()
  workspace.write('mens/runs/nova/checkpoint-1/weights.json', '{}')
  const inputs = { engine: 'embedded', model: 'mens/nova', 'mens-serve': 'not-a-program --model {path} --port {port}' }
  const step = await runStep(action, workspace, { inputs: { ...inputs, fixtures: '001' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('not-a-program --model ')
})

test('a run that its cap stopped says what is spent of it and what to do', async () => {
  const { inputs } = await startModel()
  const step = await runStep(action, createWorkspace(), {
    inputs: { ...inputs, 'max-spend-usd': '0.0001', 'prompt-usd-per-m': '1', 'completion-usd-per-m': '1' },
  })
  expect(step.code).toBe(1)
  expect(step.log).toMatch(/is incomplete: the spend cap was reached: \$0 of \$0\.0001 are spent.*Lower max-tokens/)
})

test('a merge where a job has no artifacts says what to do', async () => {
  const step = await runStep(action, createWorkspace(), { inputs: { mode: 'merge' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/no-artifacts')
  expect(step.log).toContain('give merge-from')
})

test('a check goes on after a corpus that is broken, and tells of each', async () => {
  const workspace = createWorkspace()
  workspace.write('broken/manifest.v1.yaml', 'version: 1\n')
  const corpus = `broken\n${path.join(repository, 'corpus')}`
  const step = await runStep(action, workspace, { inputs: { mode: 'check', engine: 'embedded', corpus } })
  expect(step.code).toBe(1)
  expect(step.log).toMatch(/the corpus broken has \d+ problem/)
  expect(step.log).toMatch(/corpus: \d+ references and \d+ planted bad programs tried/)
  expect(step.summary).toContain('## Failed')
  expect(step.summary).toContain('## Checked')
  expect(step.outputs).toMatchObject({ complete: 'false', gate: 'none' })
})

test('a comparison tells the files that there are, and no others', async () => {
  const { inputs } = await startModel()
  const workspace = createWorkspace()
  for (const output of ['base', 'head']) {
    const run = await runStep(action, workspace, { inputs: { ...inputs, output } })
    expect(run.code, run.log).toBe(0)
  }
  const step = await runStep(action, workspace, {
    inputs: { mode: 'compare', report: 'head/report.json', baseline: 'base/report.json', output: 'compared' },
  })
  expect(step.code, step.log).toBe(0)
  const told = ['report', 'summary', 'page', 'attempts', 'leaderboard', 'scoreboard', 'comparison']
  const given = told.filter((name) => step.outputs[name] !== undefined)
  expect(given).toEqual(['report', 'comparison'])
  for (const name of given) expect(existsSync(step.outputs[name] ?? ''), name).toBe(true)
})

test('files that lie in the output folder already are not told as those of a run that failed', async () => {
  const workspace = createWorkspace()
  const { inputs } = await startModel()
  const run = await runStep(action, workspace, { inputs })
  expect(run.code, run.log).toBe(0)
  const step = await runStep(action, workspace, { inputs: { ...inputs, recording: 'not-there' } })
  expect(step.code).toBe(1)
  for (const name of ['report', 'summary', 'attempts']) expect(step.outputs[name], name).toBeUndefined()
  expect(step.summary).not.toContain('Writing Vox')
})

test('a planted comparison is set aside, whatever it links to', async () => {
  const workspace = createWorkspace()
  workspace.write('out/comparison.json', '{"outcome":"improved"}')
  symlinkSync('/etc/hostname', path.join(workspace.folder, 'work/out/comparison.md'))
  const { inputs } = await startModel()
  const step = await runStep(action, workspace, { inputs })
  expect(step.code, step.log).toBe(0)
  expect(existsSync(path.join(workspace.folder, 'work/out/comparison.json'))).toBe(false)
  expect(existsSync(path.join(workspace.folder, 'work/out/comparison.md'))).toBe(false)
})

test('the report cannot have the name of a comparison', async () => {
  const { inputs } = await startModel()
  const step = await runStep(action, createWorkspace(), { inputs: { ...inputs, output: 'out/comparison.json' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('output/unwritable')
})

test('an endpoint with a key and no price needs a cap, or the word that it is free', async () => {
  const inputs = {
    engine: 'embedded',
    model: 'own/model',
    'base-url': 'http://model.test/v1',
    'api-key': 'sk-1234567890',
  }
  const step = await runStep(action, createWorkspace(), { inputs })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/no-cap')
  const free = { ...inputs, mode: 'plan', 'prompt-usd-per-m': '0', 'completion-usd-per-m': '0' }
  const planned = await runStep(action, createWorkspace(), { inputs: free })
  expect(planned.code, planned.log).toBe(0)
})

test.each([
  { of: 'the branch itself', so: 'is the next baseline', event: undefined, code: 0 },
  { of: 'a pull request', so: 'fails', event: pullRequest(), code: 1 },
  { of: 'a dispatch', so: 'fails', event: { name: 'workflow_dispatch', payload: {} }, code: 1 },
])('a run of $of that was measured otherwise than its baseline $so', async ({ event, code }) => {
  const { inputs } = await startModel()
  const base = createWorkspace()
  const first = await runStep(action, base, { inputs: { ...inputs, fixtures: '001' } })
  expect(first.code, first.log).toBe(0)
  const archive = zipOf([{ name: 'report.json', content: base.read('out/report.json') }])
  const played = await playGitHub([{ id: 12, artifacts: [{ name: 'vox-efficacy-12-1', archive }] }])
  const env = { GITHUB_API_URL: played.url, GITHUB_REF_NAME: 'main', GITHUB_SHA: 'a'.repeat(40) }
  const step = await runStep(action, createWorkspace(), {
    inputs: { ...inputs, ...token, baseline: 'auto', 'max-tokens': '100' },
    env,
    ...(event === undefined ? {} : { event }),
  })
  expect(step.outputs.gate, step.log).toBe('blocked')
  expect(step.code).toBe(code)
  expect(step.log.includes('is the next baseline')).toBe(code === 0)
})

test('a baseline that stays where it is, is no reason to pass', async () => {
  const { inputs } = await startModel()
  const workspace = createWorkspace()
  expect((await runStep(action, workspace, { inputs: { ...inputs, fixtures: '001', output: 'base' } })).code).toBe(0)
  const step = await runStep(action, workspace, {
    inputs: { ...inputs, baseline: 'base/report.json', 'max-tokens': '100' },
  })
  expect(step.outputs.gate, step.log).toBe('blocked')
  expect(step.code).toBe(1)
})
