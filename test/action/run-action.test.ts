import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Report } from '../../src/report/schema.ts'
import { repository } from '../cli/cli-process.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { buildAction, createWorkspace, pullRequest, runStep, startStep } from './action-process.ts'

vi.setConfig({ testTimeout: 120_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

/** A key no test may find in a log or a file. */
const KEY = 'sk-planted-4f6a0c3b9d'

const asked = ['001', '002', '003', '004', '005', '006', '007', '008']
const fixtures = asked.join()

const recorded = (id: string) =>
  readFileSync(path.join(repository, 'corpus/recorded/general-purpose-lm/C1', `${id}.md`), 'utf8')

/** A script whose answers to the problems of `failing` are no programs. */
function script(failing: readonly string[]): string {
  const rules = asked.map((fixture) => ({
    fixture,
    answer: failing.includes(fixture) ? 'I cannot.' : recorded(fixture),
  }))
  return JSON.stringify({ rules })
}

const embedded = { engine: 'embedded', script: 'script.yml', fixtures }

test('a sweep writes every file, tells the outputs, and puts the report on the summary', async () => {
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  const step = await runStep(action, workspace, { inputs: embedded })
  expect(step.code, step.log).toBe(0)
  expect(step.outputs).toMatchObject({
    complete: 'true',
    gate: 'none',
    'spend-usd': '0',
    skipped: 'false',
    artifact: '',
  })
  for (const name of ['report', 'summary', 'page', 'attempts', 'leaderboard', 'scoreboard'])
    expect(existsSync(step.outputs[name] ?? ''), name).toBe(true)
  const report: Report = JSON.parse(readFileSync(step.outputs.report ?? '', 'utf8'))
  expect(step.outputs.headline).toBe(String(report.rows[0]?.passAtK[0]?.value))
  expect(step.summary).toContain('Writing Vox: 1 subject on 8 held-out problems')
})

test('without a word on the engine it is vox, and nothing takes its place', async () => {
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  const step = await runStep(action, workspace, { inputs: { script: 'script.yml' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('input engine: is vox where nothing else is asked for')
  expect(existsSync(path.join(workspace.folder, 'work/out'))).toBe(false)
})

test('inputs that a missing variable left empty are listed, all of them, and nothing is asked', async () => {
  const inputs = { ...embedded, 'max-spend-usd': '', cutoff: ' ', 'max-spend-usd-per-month': '', gate: 'maybe' }
  const step = await runStep(action, createWorkspace(), { inputs })
  expect(step.code).toBe(1)
  for (const name of ['max-spend-usd', 'cutoff', 'max-spend-usd-per-month'])
    expect(step.log).toContain(`input ${name}: is present but empty`)
  expect(step.log).toContain('input gate: "maybe" is neither true nor false')
})

test('inputs with the words for none are as if they were not given', async () => {
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  const inputs = { ...embedded, fixtures: '001', 'max-spend-usd': 'none', cutoff: 'unknown', n: '', condition: '' }
  const step = await runStep(action, workspace, { inputs })
  expect(step.code, step.log).toBe(0)
})

test('a paid subject without a cap is refused before anything is asked', async () => {
  const inputs = { engine: 'embedded', model: 'vendor/model', 'api-key': KEY }
  const step = await runStep(action, createWorkspace(), { inputs })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/no-cap')
})

test('the key of the input reaches the endpoint, is masked first, and is in no file and no line', async () => {
  const server = await startServer((request, response) =>
    sendJson(response, 200, chatCompletion(`Your key is ${request.headers.authorization}. ${recorded('001')}`)),
  )
  const workspace = createWorkspace()
  const inputs = { engine: 'embedded', model: 'own/model', 'base-url': server.baseUrl, fixtures: '001', 'api-key': KEY }
  const step = await runStep(action, workspace, { inputs: { ...inputs, concurrency: '1' } })
  expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${KEY}`]))
  const [mask, ...others] = step.log.split('\n').filter((line) => line.includes(KEY))
  expect(mask).toBe(`::add-mask::${KEY}`)
  expect(others).toEqual([])
  const files = readdirSync(workspace.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const holding = files.filter((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8').includes(KEY))
  expect(holding.map(({ name }) => name)).toEqual([])
})

test.each(['pull_request_target', 'workflow_run', 'issue_comment'])('%s with a key is refused', async (name) => {
  const step = await runStep(action, createWorkspace(), {
    inputs: { ...embedded, 'api-key': KEY },
    event: { name, payload: {} },
  })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/borrowed-event')
})

test('mode check tries corpus and references, and needs no model', async () => {
  const step = await runStep(action, createWorkspace(), { inputs: { mode: 'check', engine: 'embedded' } })
  expect(step.code, step.log).toBe(0)
  expect(step.log).toMatch(/corpus: \d+ problems, and nothing is wrong with them/)
  expect(step.log).toMatch(/corpus: \d+ references and \d+ planted bad programs tried on embedded/)
})

test('mode check, too, never takes the embedded engine by itself', async () => {
  const step = await runStep(action, createWorkspace(), { inputs: { mode: 'check' } })
  expect(step.code).toBe(1)
  expect(step.log).toContain('input engine: is vox where nothing else is asked for')
})

test('a fork without keys is skipped with a notice; corpus and references are checked all the same', async () => {
  const step = await runStep(action, createWorkspace(), {
    inputs: { engine: 'embedded', model: 'vendor/model', 'max-spend-usd': '2', 'api-key': '' },
    event: pullRequest({ headRepository: 6 }),
  })
  expect(step.code, step.log).toBe(0)
  expect(step.log).toMatch(/^::notice title=Skipped::/m)
  expect(step.log).toMatch(/references and \d+ planted bad programs tried/)
  expect(step.outputs).toMatchObject({ skipped: 'true', complete: 'false', gate: 'none' })
})

test('a pull request of the same repository without a key is an error', async () => {
  const step = await runStep(action, createWorkspace(), {
    inputs: {
      engine: 'embedded',
      model: 'vendor/model',
      'max-spend-usd': '2',
      'api-key': '',
      catalogue: 'off',
      ...prices,
    },
    event: pullRequest(),
  })
  expect(step.code).toBe(1)
  expect(step.log).toContain('subject/no-key')
})
const prices = { 'prompt-usd-per-m': '1', 'completion-usd-per-m': '1' }

test('several corpora are scored apart and share the cap in equal parts', async () => {
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  const corpus = path.join(repository, 'corpus')
  const inputs = { ...embedded, fixtures: '001', corpus: `${corpus}\n${corpus}\n`, 'max-spend-usd': '2', ...prices }
  const { 'prompt-usd-per-m': _, 'completion-usd-per-m': __, ...ofScript } = inputs
  const step = await runStep(action, workspace, { inputs: ofScript })
  expect(step.code, step.log).toBe(0)
  const reports: { corpus: string; report: string }[] = JSON.parse(step.outputs.reports ?? '[]')
  expect(reports.map((each) => each.corpus)).toEqual(['corpus', 'corpus-2'])
  for (const { report } of reports) expect(JSON.parse(readFileSync(report, 'utf8')).plan.caps.runUsd).toBe(1)
})

const twoSubjects = (head: string) => `engine: embedded
fixtures: [${asked.map((id) => `"${id}"`).join(', ')}]
subjects:
  - { script: base.yml, model: mens/nova, checkpoint: "1" }
  - { script: ${head}, model: mens/nova, checkpoint: "2" }
`

test('a head that is planted worse fails the gate after everything is published', async () => {
  const workspace = createWorkspace()
  workspace.write('base.yml', script([]))
  workspace.write('head.yml', script(asked))
  workspace.write('sweep.yml', twoSubjects('head.yml'))
  const step = await runStep(action, workspace, { inputs: { config: 'sweep.yml', baseline: 'same-run' } })
  expect(step.code).toBe(1)
  expect(step.outputs.gate).toBe('regressed')
  expect(existsSync(step.outputs.comparison ?? '')).toBe(true)
  expect(step.summary).toContain('Regressed: HEAD against BASE')
  expect(step.log.match(/^::error title=\d{3} /gm)?.length).toBeGreaterThan(0)
  expect(step.log.match(/^::error/gm)?.length).toBeLessThanOrEqual(11)
})

test('a gate that is switched off only tells', async () => {
  const workspace = createWorkspace()
  workspace.write('base.yml', script([]))
  workspace.write('head.yml', script(asked))
  workspace.write('sweep.yml', twoSubjects('head.yml'))
  const step = await runStep(action, workspace, {
    inputs: { config: 'sweep.yml', baseline: 'same-run', gate: 'false' },
  })
  expect(step.code, step.log).toBe(0)
  expect(step.outputs.gate).toBe('regressed')
})

test('a head that is equal passes and says what cannot be told', async () => {
  const workspace = createWorkspace()
  workspace.write('base.yml', script(['001']))
  workspace.write('sweep.yml', twoSubjects('base.yml'))
  const step = await runStep(action, workspace, { inputs: { config: 'sweep.yml', baseline: 'same-run' } })
  expect(step.code, step.log).toBe(0)
  expect(step.outputs.gate).toBe('cannot-tell')
})

test('a cancelled run publishes what it has, and fails', async () => {
  let answered = () => {}
  const first = new Promise<void>((done) => {
    answered = done
  })
  const server = await startServer((_request, response, number) => {
    if (number === 1) return sendJson(response, 200, chatCompletion(recorded('001')))
    return answered()
  })
  const workspace = createWorkspace()
  const inputs = { engine: 'embedded', model: 'own/model', 'base-url': server.baseUrl, fixtures, concurrency: '1' }
  const { child, result } = startStep(action, workspace, { inputs })
  await first
  child.kill('SIGINT')
  const step = await result
  expect(step.code).toBe(1)
  expect(step.outputs.complete).toBe('false')
  expect(step.summary).toContain('incomplete: the run was cancelled')
  expect(JSON.parse(readFileSync(step.outputs.report ?? '', 'utf8')).attempts).toHaveLength(8)
})

test('a re-run of a paid sweep whose earlier attempt left nothing is refused, saying why', async () => {
  const step = await runStep(action, createWorkspace(), {
    inputs: {
      engine: 'embedded',
      model: 'vendor/model',
      'max-spend-usd': '2',
      'api-key': KEY,
      catalogue: 'off',
      ...prices,
    },
    env: { GITHUB_RUN_ATTEMPT: '2' },
  })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/nothing-to-resume')
})

test('the plan tells cost and shards, and asks nobody', async () => {
  const inputs = {
    engine: 'embedded',
    model: 'vendor/model',
    catalogue: 'off',
    'max-spend-usd': '2',
    mode: 'plan',
    shards: '3',
  }
  const step = await runStep(action, createWorkspace(), { inputs: { ...inputs, ...prices } })
  expect(step.code, step.log).toBe(0)
  expect(JSON.parse(step.outputs.matrix ?? '')).toEqual({
    include: [{ shard: '1/3' }, { shard: '2/3' }, { shard: '3/3' }],
  })
  expect(Number(step.outputs['projected-usd'])).toBeGreaterThan(0)
  expect(Number(step.outputs['worst-usd'])).toBeGreaterThan(Number(step.outputs['projected-usd']))
})

test('plan and report say the same of what a sweep of checkpoints with more and less help can see', async () => {
  const workspace = createWorkspace()
  workspace.write('base.yml', script([]))
  workspace.write('sweep.yml', `${twoSubjects('base.yml')}condition: [C0, C1]\n`)
  const planned = await runStep(action, workspace, { inputs: { config: 'sweep.yml', mode: 'plan' } })
  const measured = await runStep(action, workspace, { inputs: { config: 'sweep.yml' } })
  const powerIn = (summary: string) =>
    /one row were truly 10 points better.*only the worse row passes/.exec(summary)?.[0]
  // Help is planned for with more problems going the other way than checkpoints are, and so sees less.
  expect(powerIn(planned.summary)).toContain('planned for 2.5 % to 20 %')
  expect(powerIn(planned.summary)).toBe(powerIn(measured.summary))
})

test('shards of a sweep are merged from folders, and a missing one is refused', async () => {
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  for (const shard of ['1/2', '2/2']) {
    const output = `shards/${shard[0]}`
    const step = await runStep(action, workspace, { inputs: { ...embedded, mode: 'shard', shard, output } })
    expect(step.code, step.log).toBe(0)
  }
  const merged = await runStep(action, workspace, {
    inputs: { mode: 'merge', 'merge-from': 'shards', output: 'whole' },
  })
  expect(merged.code, merged.log).toBe(0)
  expect(merged.outputs.complete).toBe('true')
  expect(JSON.parse(workspace.read('whole/report.json')).attempts).toHaveLength(8)
  const half = await runStep(action, workspace, { inputs: { mode: 'merge', 'merge-from': 'shards/1', output: 'half' } })
  expect(half.code).toBe(1)
})

test('mode compare judges two reports that are there', async () => {
  const workspace = createWorkspace()
  for (const [name, failing] of [
    ['base', []],
    ['head', asked],
  ] as const) {
    workspace.write('script.yml', script(failing))
    await runStep(action, workspace, { inputs: { ...embedded, output: name } })
  }
  const step = await runStep(action, workspace, {
    inputs: { mode: 'compare', baseline: 'base/report.json', report: 'head/report.json', output: 'judged' },
  })
  expect(step.code).toBe(1)
  expect(step.outputs.gate).toBe('regressed')
  expect(existsSync(path.join(workspace.folder, 'work/judged/comparison.json'))).toBe(true)
})
