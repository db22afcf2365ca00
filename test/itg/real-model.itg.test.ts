import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { eventSchema } from '../../src/cli/events.ts'
import { readReport } from '../../src/report/read-report.ts'
import type { Report } from '../../src/report/schema.ts'
import { buildCli } from '../cli/built-cli.ts'
import { repository, startNode } from '../cli/cli-process.ts'

/** What `tools/smollm2/install.sh` filled. */
const installed = process.env.VOX_REAL_MODEL ?? ''
const FIXTURES = 20
/** Enough to see a whole answer begin; a model this small seldom ends one by itself. */
const MAX_TOKENS = 24

const folder = mkdtempSync(path.join(tmpdir(), 'vox-real-model-'))
const output = path.join(folder, 'out')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let report: Report
let events: { at: string; event: string }[]

beforeAll(async () => {
  if (installed === '') throw new Error('VOX_REAL_MODEL must name the folder that tools/smollm2/install.sh filled')
  const serve = `${installed}/venv/bin/python ${repository}/tools/smollm2/serve.py {path} {port} {model}`
  const subject = { model: 'mens/demo', 'mens-serve': serve, 'max-tokens': MAX_TOKENS }
  const sweep = path.join(folder, 'sweep.yml')
  writeFileSync(
    sweep,
    stringify({
      corpus: path.join(repository, 'corpus'),
      'mens-runs': path.join(installed, 'mens/runs'),
      fixtures: Array.from({ length: FIXTURES }, (_, index) => String(index + 1).padStart(3, '0')),
      condition: ['C0', 'C1'],
      concurrency: 2,
      subjects: [
        { ...subject, checkpoint: '1' },
        { ...subject, checkpoint: '2' },
      ],
    }),
  )
  const script = path.join(await buildCli(), 'cli.js')
  const journal = path.join(folder, 'events.jsonl')
  const args = ['run', '--config', sweep, '--output', output, '--events', journal]
  const { code, stderr, stdout } = await startNode([script, ...args], { cwd: folder, env: { HOME: folder } }).result
  expect(code, stderr + stdout).toBe(0)
  const file = path.join(output, 'report.json')
  report = readReport(file, readFileSync(file, 'utf8'))
  events = readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => eventSchema.parse(JSON.parse(line)))
}, 1_800_000)

test('a real model answers every attempt of both checkpoints under both conditions', () => {
  expect(report.run).toMatchObject({ complete: true })
  expect(report.rows.map(({ cell, attempts }) => [cell, attempts.judged])).toEqual(
    ['checkpoint-1 C0', 'checkpoint-1 C1', 'checkpoint-2 C0', 'checkpoint-2 C1'].map((name) => [
      `mens/demo@${name}`,
      FIXTURES,
    ]),
  )
})

test('what it told is in the report: tokens, times, finish reasons, and its name', () => {
  for (const { completion } of report.attempts) {
    expect(completion).toMatchObject({
      kind: 'answered',
      finishReason: expect.stringMatching(/^(length|stop)$/),
      usage: { promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
      modelReturned: expect.stringContaining('mens/demo'),
      requests: 1,
    })
    if (completion.kind !== 'answered') continue
    expect(completion.usage?.completionTokens).toBeLessThanOrEqual(MAX_TOKENS)
    expect(completion.latencyMs).toBeGreaterThan(0)
  }
})

test('an answer that reached its limit of tokens is truncated, never wrong', () => {
  const cut = report.attempts.filter(
    ({ completion }) => completion.kind === 'answered' && completion.finishReason === 'length',
  )
  expect(cut.length).toBeGreaterThan(0)
  for (const { verification } of cut) expect(verification?.verdict.kind).toBe('truncated')
})

test('the two checkpoints are two models to the report, and give other answers', () => {
  const [one, two] = report.plan.subjects
  expect(one?.served?.weights).not.toBe(two?.served?.weights)
  const answersOf = (id: string | undefined) =>
    report.attempts
      .filter(({ subject }) => subject === id)
      .map(({ completion }) => (completion.kind === 'answered' ? completion.text : null))
  expect(answersOf(one?.id)).not.toEqual(answersOf(two?.id))
})

test('the second server is asked only when the first has answered everything', () => {
  const order = events.flatMap((event) => ('cell' in event ? [String(event.cell)] : []))
  expect(order).toHaveLength(4 * FIXTURES)
  const turns = order.map((cell) => (cell.includes('checkpoint-1') ? 1 : 2))
  expect(turns).toEqual(turns.toSorted())
})

test('no server is left behind', () => {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  expect(stdout.split('\n').filter((line) => line.includes('serve.py') && line.includes(installed))).toEqual([])
})

test('the checkpoints are compared under each condition, and the comparison says what it cannot tell', () => {
  const pairs = report.comparisons.filter(({ kind }) => kind === 'checkpoints')
  expect(pairs.map(({ cells }) => cells)).toEqual(
    ['C0', 'C1'].map((condition) => [`mens/demo@checkpoint-1 ${condition}`, `mens/demo@checkpoint-2 ${condition}`]),
  )
  // Neither passes anything, and 20 problems are too few to exclude a difference of 10 points.
  for (const { outcome, interval, fixtures } of pairs) {
    expect([outcome, fixtures]).toEqual(['cannot-tell', FIXTURES])
    expect(interval?.low).toBeLessThan(-0.1)
  }
  expect(readFileSync(path.join(output, 'summary.md'), 'utf8')).toContain('### Comparisons')
})
