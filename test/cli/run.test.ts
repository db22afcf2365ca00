import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Report } from '../../src/report/schema.ts'
import { ownerWords } from '../generate/lock-owner.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { type CliResult, repository, runCli, startCli } from './cli-process.ts'

let folder: string
let whole: CliResult

const recorded = path.join(repository, 'corpus/recorded/general-purpose-lm/C1')

const asked = ['001', '002', '003', '004', '005', '006', '007', '008']
const missing = ['007', '008']

/** Six of eight answers, one of them no program; every test below that needs an old run takes this one. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vox-run-'))
  mkdirSync(path.join(folder, 'answers'))
  for (const id of asked.filter((fixture) => !missing.includes(fixture))) {
    cpSync(path.join(recorded, `${id}.md`), path.join(folder, 'answers', `${id}.md`))
  }
  writeFileSync(path.join(folder, 'answers/006.md'), 'I cannot say.')
  whole = await runCli(['run', '--from-dir', 'answers', '--fixtures', asked.join(), '--output', 'old'], { cwd: folder })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8')
}

function reportIn(name: string): Report {
  return JSON.parse(read(name))
}

function linesOf(journal: string): { kind: string }[] {
  return read(journal)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const outputs = ['attempts.jsonl', 'leaderboard.json', 'report.html', 'report.json', 'scoreboard.json', 'summary.md']
/** All that lies in the folder of a run. */
const files = [...outputs, 'sweep.json']
const one = ['run', '--from-dir', 'answers', '--fixtures', '001']
const few = ['run', '--from-dir', 'answers', '--fixtures', '001,002,003']

test('a folder that lacks answers: exit code 4, the missing ones are named, and no headline is given', () => {
  expect(whole.code).toBe(4)
  expect(whole.stdout).toContain(missing.join(', '))
  expect(whole.stdout).toContain('withheld')
  const [row] = reportIn('old/report.json').rows
  expect(row?.firstSamples.filter(({ outcome }) => outcome === 'missing').map(({ fixture }) => fixture)).toEqual(
    missing,
  )
  expect(row?.headline.kind).toBe('withheld')
  expect(row?.bounds).not.toBeNull()
  expect(read('old/summary.md')).toContain('2 of 8')
})

test('when every answer is there: exit code 0 and every output, each whole', async () => {
  const { code, stderr } = await runCli([...few, '--output', 'few'], { cwd: folder })
  expect(code).toBe(0)
  expect(stderr).not.toContain('\u001b')
  expect(readdirSync(path.join(folder, 'few')).sort()).toEqual(files)
  expect(reportIn('few/report.json')).toMatchObject({ run: { complete: true }, rows: [{ fixtures: 3 }] })
})

test('--output may name the file of the report; the rest lies beside it', async () => {
  const { code } = await runCli([...one, '--output', 'named/x.json'], { cwd: folder })
  expect(code).toBe(0)
  const expected = files.map((name) => (name === 'report.json' ? 'x.json' : name))
  expect(readdirSync(path.join(folder, 'named')).sort()).toEqual(expected.sort())
})

test.each(['leaderboard.json', 'scoreboard.json'])(
  'the report cannot have the name of another output, %s',
  async (name) => {
    const { code, stderr } = await runCli([...few, '--output', path.join('taken', name)], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain('output/unwritable')
  },
)

test('the files of an earlier run are set aside whole', async () => {
  const keep = [...one, '--output', 'kept']
  for (let run = 0; run < 3; run++) await runCli(keep, { cwd: folder })
  const [first, second] = ['kept/earlier-1', 'kept/earlier-2']
  const runs = [first, second, 'kept'].map((name) => JSON.stringify(linesOf(`${name}/attempts.jsonl`).at(-1)))
  expect(new Set(runs).size).toBe(3)
  expect(readdirSync(path.join(folder, 'kept/earlier-1')).sort()).toEqual(files)
})

test('a folder that another run writes to is refused, one left by a killed run is taken over', async () => {
  mkdirSync(path.join(folder, 'busy'))
  const lock = path.join(folder, 'busy/.run.lock')
  writeFileSync(lock, ownerWords())
  const refused = await runCli([...one, '--output', 'busy'], { cwd: folder })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('output/in-use')
  writeFileSync(lock, '')
  expect((await runCli([...one, '--output', 'busy'], { cwd: folder })).stderr).toContain('output/in-use')
  writeFileSync(lock, ownerWords({ pid: 999_999_999 }))
  const taken = await runCli([...one, '--output', 'busy'], { cwd: folder })
  expect(taken.code).toBe(0)
  expect(readdirSync(path.join(folder, 'busy'))).not.toContain('.run.lock')
})

test('report renders an old run again, byte for byte', async () => {
  const { code } = await runCli(['report', 'old', '--output', 'again'], { cwd: folder })
  expect(code).toBe(0)
  for (const name of outputs.filter((file) => file !== 'attempts.jsonl')) {
    expect(read(`again/${name}`), name).toBe(read(`old/${name}`))
  }
})

test('report makes an incomplete report of a run that was killed in the middle of a line', async () => {
  mkdirSync(path.join(folder, 'killed'))
  const lines = read('old/attempts.jsonl').split('\n')
  writeFileSync(
    path.join(folder, 'killed/attempts.jsonl'),
    `${lines.slice(0, 6).join('\n')}\n${lines[6]?.slice(0, 40)}`,
  )
  const { code } = await runCli(['report', 'killed'], { cwd: folder })
  expect(code).toBe(0)
  expect(reportIn('killed/report.json').run).toMatchObject({ complete: false, finishedAt: null, runKey: null })
})

/** Runs `reproduce` on a changed copy of an old run's report. */
async function reproduceChanged(name: string, change: (report: Report) => unknown) {
  const file = `${name}-changed.json`
  writeFileSync(path.join(folder, file), JSON.stringify(change(reportIn(`${name}/report.json`))))
  const { code, stdout, stderr } = await runCli(['reproduce', file, '--json'], { cwd: folder })
  return { code, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) }
}

test('reproduce gives every verdict of an old run again, and says what it did not check', async () => {
  const { code, stdout } = await runCli(['reproduce', 'old/report.json', '--json'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({
    verdicts: 6,
    same: 6,
    findings: [],
    notChecked: expect.stringMatching(/models[\s\S]*cost[\s\S]*preflight[\s\S]*engine/),
  })
  expect(code).toBe(0)
  const { notChecked } = JSON.parse(stdout)
  const text = await runCli(['reproduce', 'old/report.json'], { cwd: folder })
  expect(text.stdout).toBe(`6 of 6 verdicts came out again\nNot checked: ${notChecked}.\n`)
})

test('reproduce finds every verdict that was tampered with, and the row that does not follow from them any more', async () => {
  const { attempts } = reportIn('old/report.json')
  const judged = attempts.filter(({ verification }) => verification !== null)
  const isPassed = ({ verification }: Report['attempts'][number]) => verification?.verdict.kind === 'passed'
  const changed = [judged.find(isPassed)?.attempt, judged.find((attempt) => !isPassed(attempt))?.attempt]
  expect(changed).not.toContain(undefined)
  const { code, same, findings } = await reproduceChanged('old', (report) => ({
    ...report,
    attempts: report.attempts.map((attempt) => {
      if (!changed.includes(attempt.attempt)) return attempt
      const verdict = { kind: isPassed(attempt) ? 'timeout' : 'passed' }
      return { ...attempt, verification: { ...attempt.verification, verdict } }
    }),
  }))
  expect(code).toBe(1)
  expect(same).toBe(4)
  expect(findings.map(({ of }: { of: string }) => of).sort()).toEqual([...changed, 'row answers C1'].sort())
})

test('reproduce finds a row that claims more than its attempts', async () => {
  const report = reportIn('few/report.json')
  const rows = report.rows.map((row) => ({ ...row, firstSample: { ...row.firstSample, passed: 0, rate: 0 } }))
  writeFileSync(path.join(folder, 'claims.json'), JSON.stringify({ ...report, rows }))
  const { code, stdout } = await runCli(['reproduce', 'claims.json'], { cwd: folder })
  expect(code).toBe(1)
  expect(stdout).toContain(
    'row answers C1: does not follow from its attempts\n3 of 3 verdicts came out again, but there is 1 finding\n',
  )
})

test('reproduce finds a report that claims to be complete and is not', async () => {
  const { code, findings } = await reproduceChanged('old', (report) => ({
    ...report,
    run: { ...report.run, complete: true, endedBecause: null },
  }))
  expect(code).toBe(1)
  expect(findings).toEqual([{ of: 'run.complete', problem: expect.stringContaining('2 of 8') }])
})

test('reproduce has nothing to say of a report without a verdict: exit code 2', async () => {
  const { code, stderr } = await reproduceChanged('few', (report) => ({
    ...report,
    plan: { ...report.plan, cells: [] },
    rows: [],
    attempts: [],
  }))
  expect(code).toBe(2)
  expect(stderr).toContain('reproduce/empty')
})

test('a report whose plan names one problem twice is refused', async () => {
  const { code, stderr } = await reproduceChanged('few', (report) => ({
    ...report,
    plan: { ...report.plan, fixtures: [...report.plan.fixtures, report.plan.fixtures[0]] },
  }))
  expect(code).toBe(2)
  expect(stderr).toContain('report/invalid')
})

test('reproduce refuses another corpus', async () => {
  const report = reportIn('old/report.json')
  const other = { ...report, plan: { ...report.plan, corpus: { ...report.plan.corpus, hash: 'f'.repeat(64) } } }
  writeFileSync(path.join(folder, 'other.json'), JSON.stringify(other))
  const { code, stderr } = await runCli(['reproduce', 'other.json'], { cwd: folder })
  expect(code).toBe(2)
  expect(stderr).toContain('reproduce/other-corpus')
})

test('--smoke asks three problems under C1 once, at temperature 0, below $2, and confirms what landed', async () => {
  const { baseUrl, seen } = await startServer(({ url }, response) =>
    url === '/v1/models'
      ? sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
      : sendJson(response, 200, chatCompletion('no', { usage: { prompt_tokens: 900, completion_tokens: 2 } })),
  )
  const { code, stdout } = await runCli(
    [
      ...['run', '--smoke', '--model', 'a/b', '--base-url', baseUrl, '--condition', 'C3', '--n', '4'],
      ...['--temperature', '1', '--prompt-usd-per-m', '1', '--completion-usd-per-m', '2', '--output', 'smoke'],
    ],
    { cwd: folder },
  )
  expect(code).toBe(0)
  expect(stdout).toContain('smoke: report.json and its scoreboard row are there')
  const bodies = seen.filter(({ url }) => url === '/v1/chat/completions').map(({ text }) => JSON.parse(text))
  expect(bodies.map(({ temperature }) => temperature)).toEqual([0, 0, 0])
  const report = reportIn('smoke/report.json')
  expect(report).toMatchObject({
    purpose: 'smoke',
    plan: { samples: 1, k: [1], conditions: [{ name: 'C1' }], fixtures: [{ id: '001' }, { id: '002' }, { id: '003' }] },
    spend: { capUsd: 2, spentUsd: expect.closeTo((3 * (900 + 2 * 2)) / 1e6, 9) },
    rows: [{ cost: { usd: { total: expect.closeTo((3 * (900 + 2 * 2)) / 1e6, 9) } } }],
  })
  expect(JSON.parse(read('smoke/scoreboard.json')).rows).toMatchObject([
    { model_id: 'a/b', task_category: 'vox-codegen', condition: 'C1', n_calls: 3, success_rate: 0 },
  ])
})

test('a capped run without a price refuses to start', async () => {
  const { code, stderr } = await runCli(['run', '--smoke', '--model', 'a/b', '--base-url', 'http://127.0.0.1:9/v1'], {
    cwd: folder,
  })
  expect(code).toBe(2)
  expect(stderr).toContain('there is a spend cap but no price')
})

test('SIGTERM in the middle of a run: exit code 4, an intact journal, and the report', async () => {
  const run = { stop: () => {} }
  const { baseUrl } = await startServer(({ url }, response, number) => {
    if (url === '/v1/models') sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
    else if (number <= 3) sendJson(response, 200, chatCompletion('no'))
    else run.stop()
  })
  const { child, result } = startCli(
    [
      ...['run', '--model', 'a/b', '--base-url', baseUrl, '--fixtures', '001', '--n', '5'],
      ...['--concurrency', '1', '--output', 'stopped'],
    ],
    { cwd: folder },
  )
  run.stop = () => child.kill('SIGTERM')
  const { code, stderr } = await result
  expect(code).toBe(4)
  expect(stderr).toContain('Stopping')
  const kinds = linesOf('stopped/attempts.jsonl').map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'answered').length).toBe(5)
  expect(kinds.at(-1)).toBe('ended')
  expect(reportIn('stopped/report.json')).toMatchObject({
    run: { complete: false, endedBecause: 'the run was cancelled' },
    rows: [{ attempts: { planned: 5, judged: 2, notAttempted: { cancelled: 3 } } }],
  })
})

test('SIGTERM in the preflight: exit code 4 at once, and a report of a run that asked for nothing', async () => {
  const { baseUrl, seen } = await startServer((_request, response) => sendJson(response, 404, {}))
  const { child, result } = startCli(
    ['run', '--model', 'a/b', '--base-url', baseUrl, '--output', 'stopped-early', '--deadline-min', '60'],
    { cwd: folder },
  )
  const journal = path.join(folder, 'stopped-early/attempts.jsonl')
  await vi.waitFor(() => expect(readFileSync(journal, 'utf8')).toContain('"planned"'), { timeout: 30_000, interval: 5 })
  child.kill('SIGTERM')
  const { code, stderr } = await result
  expect(code).toBe(4)
  expect(stderr).toContain('Stopping')
  expect(linesOf('stopped-early/attempts.jsonl').map(({ kind }) => kind)).toEqual(['planned', 'ended'])
  expect(seen.filter(({ url }) => url !== '/v1/models')).toEqual([])
  expect(reportIn('stopped-early/report.json')).toMatchObject({
    run: { complete: false, endedBecause: 'the run was cancelled' },
    preflight: null,
    rows: [{ attempts: { judged: 0, notAttempted: { cancelled: 40 } } }],
  })
})

test('a refused key stops the subject: exit code 4, and the key is in no file and on no stream', async () => {
  const key = 'sk-secret-0123456789'
  const { baseUrl, seen } = await startServer(({ url }, response) =>
    sendJson(response, url === '/v1/models' ? 404 : 401, { error: { message: `Incorrect key ${key}` } }),
  )
  const { code, stdout, stderr } = await runCli(
    [
      ...['run', '--model', 'a/b', '--base-url', baseUrl, '--api-key-env', 'MY_KEY', '--fixtures', '001', '--n', '3'],
      ...['--concurrency', '1', '--output', 'refused'],
    ],
    { cwd: folder, env: { MY_KEY: key } },
  )
  expect(code).toBe(4)
  expect(seen.filter(({ url }) => url === '/v1/chat/completions').length).toBe(1)
  const texts = files.map((name) => read(`refused/${name}`)).join('')
  expect(texts + stdout + stderr).not.toContain(key)
  expect(reportIn('refused/report.json').rows[0]?.attempts).toMatchObject({
    infraErrors: { auth: 1 },
    notAttempted: { 'subject-stopped': 2 },
  })
})
