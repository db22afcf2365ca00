import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SubjectOptions, type SweepConfig, sweepFileSchema } from '../../src/config/sweep-config.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { type AnsweredLine, openJournal } from '../../src/generate/journal.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { runSweep, type SweepEvent } from '../../src/sweep/run-sweep.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { damage, referenceOf, smallCorpus, temporaryFolder } from './small-corpus.ts'

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

interface Sweep {
  readonly corpus?: string
  readonly script: string
  /** In place of the one that all tests share and that stays open. */
  readonly engine?: Engine
  readonly subject?: SubjectOptions
  readonly config?: Partial<SweepConfig>
  /** Lines of a run to resume. */
  readonly earlier?: readonly unknown[]
  readonly onEvent?: (event: SweepEvent, cancel: () => void) => void
}

type Line = { readonly kind: string } & Record<string, unknown>

/** Runs a sweep over a scripted subject and gives its journal, even when it failed. */
async function sweep({
  corpus = smallCorpus(2),
  script,
  subject = {},
  config = {},
  onEvent,
  earlier,
  ...given
}: Sweep) {
  const folder = temporaryFolder()
  const journal = path.join(folder, 'attempts.jsonl')
  const file = path.join(folder, 'script.yml')
  writeFileSync(file, script)
  writeFileSync(journal, (earlier ?? []).map((line) => `${JSON.stringify(line)}\n`).join(''))
  const cancel = new AbortController()
  const whole = { ...sweepFileSchema.parse({ subjects: [{ script: file, ...subject }] }), ...config }
  let error: unknown = null
  try {
    await runSweep(whole, 'run', corpus, {
      loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
      openEngine: async () => given.engine ?? { ...engine, close: async () => {} },
      openJournal: () => openJournal(journal),
      env: {},
      signal: cancel.signal,
      onEvent: (event) => onEvent?.(event, () => cancel.abort()),
      ...(earlier === undefined ? {} : { earlier: await joinRecords(earlier) }),
    })
  } catch (caught) {
    error = caught
  }
  const lines = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
  return { lines, error }
}

const right = `rules:
  - fixture: "001"
    answer: |
      \`\`\`vox
${referenceOf('001-luggage-tag')
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
      \`\`\`
  - answer: I cannot say.
`

test('a whole run: plan, preflight, every attempt with its verdict, end', async () => {
  const events: SweepEvent[] = []
  const { lines, error } = await sweep({
    script: right,
    config: { condition: ['C0', 'C1'], n: 2 },
    onEvent: (event) => events.push(event),
  })
  expect(error).toBeNull()
  expect(lines.slice(0, 2).map(({ kind }) => kind)).toEqual(['planned', 'preflight'])
  expect(lines.at(-1)).toMatchObject({
    kind: 'ended',
    stoppedBecause: null,
    runKey: expect.stringMatching(/^[0-9a-f]{32,}$/),
    spend: { capUsd: null, spentUsd: 0, overruns: [] },
  })
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length
  expect([count('answered'), count('verified'), count('reserved'), lines.length]).toEqual([8, 8, 0, 19])
  const report = buildReport(await joinRecords(lines))
  expect(report.run).toMatchObject({ complete: true, endedBecause: null })
  expect(report.rows.map(({ firstSample }) => [firstSample.passed, firstSample.of])).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect(events.map(({ kind }) => kind)).toEqual([
    'planned',
    'preflight',
    ...Array.from({ length: 8 }, () => 'attempt'),
  ])
})

test('the run key is told only in the end', async () => {
  const { lines } = await sweep({ script: right })
  const { runKey } = lines.at(-1) as unknown as { runKey: string }
  expect(JSON.stringify(lines.slice(0, -1))).not.toContain(runKey)
})

test('a preflight that fails stops the run before any request', async () => {
  const corpus = smallCorpus(2)
  damage(corpus, 'problems/002-shuttle-wait/tests.vox', '400) == 150', '400) == 151')
  const { lines, error } = await sweep({ corpus, script: right })
  expect(error).toMatchObject({ code: 'infra/preflight', message: expect.stringContaining('002') })
  expect(lines.map(({ kind }) => kind)).toEqual(['planned', 'preflight'])
  expect(lines[1]).toMatchObject({
    failures: expect.arrayContaining([expect.objectContaining({ fixture: '002', planted: 'reference' })]),
  })
})

test('a problem whose reference fails is left out when asked for, and named in the plan', async () => {
  const corpus = smallCorpus(2)
  damage(corpus, 'problems/002-shuttle-wait/tests.vox', '400) == 150', '400) == 151')
  const { lines, error } = await sweep({ corpus, script: right, config: { 'exclude-failing-references': true } })
  expect(error).toBeNull()
  const report = buildReport(await joinRecords(lines))
  expect(report.plan.fixtures.map(({ id }) => id)).toEqual(['001'])
  expect(report.plan.excluded).toEqual([{ fixture: '002', reason: expect.stringContaining('wrong-answer') }])
  expect(report.run.complete).toBe(true)
  expect(report.gateRefusals).toContain('the engine fails 1 reference, whose problems were left out')
})

test('when every reference fails there is nothing to run', async () => {
  const corpus = smallCorpus(1)
  damage(corpus, 'problems/001-luggage-tag/tests.vox', '== "[~]"', '== "[!]"')
  const { lines, error } = await sweep({ corpus, script: right, config: { 'exclude-failing-references': true } })
  expect(error).toMatchObject({ code: 'infra/preflight', message: expect.stringContaining('no problem is left') })
  expect(lines).toEqual([])
})

test('the engine is opened only when the rest of the configuration is in order', async () => {
  let isOpened = false
  const config = sweepFileSchema.parse({ subjects: [{ model: 'a/b' }], condition: ['C9'] })
  const sweeping = runSweep(config, 'run', smallCorpus(1), {
    loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
    openEngine: async () => {
      isOpened = true
      return engine
    },
    openJournal: () => {
      throw new Error('no journal')
    },
    env: {},
    signal: new AbortController().signal,
    onEvent: () => {},
  })
  await expect(sweeping).rejects.toMatchObject({ code: expect.stringContaining('condition') })
  expect(isOpened).toBe(false)
})

const costly = (usd: number) => `rules:\n  - { answer: nothing, cost-usd: ${usd} }\n`
const priced = { 'prompt-usd-per-m': 0, 'completion-usd-per-m': 1000, 'max-tokens': 1000 }

test('a run that reaches its cap ends so, within the cap', async () => {
  // The worst case of a request is $1, so $2.50 admit a second but not a third.
  const { lines, error } = await sweep({
    corpus: smallCorpus(4),
    script: costly(0.9),
    subject: priced,
    config: { 'max-spend-usd': 2.5, retries: 0, concurrency: 2 },
  })
  expect(error).toBeNull()
  expect(lines.at(-1)).toMatchObject({
    stoppedBecause: 'the spend cap was reached',
    spend: { capUsd: 2.5, spentUsd: expect.closeTo(1.8), overruns: [] },
  })
  expect(lines.filter(({ kind }) => kind === 'reserved').length).toBe(2)
  const report = buildReport(await joinRecords(lines))
  expect(report.run).toMatchObject({ complete: false, endedBecause: 'the spend cap was reached' })
  expect(report.rows[0]?.attempts.notAttempted).toEqual({ 'spend-cap': 2 })
})

test('runs with one spend book share the cap of the month, and the report says which cap ended the second', async () => {
  const book = path.join(temporaryFolder(), 'spend.jsonl')
  const config = { 'max-spend-usd-per-month': 2.5, 'spend-file': book, retries: 0, concurrency: 1 }
  const again = { corpus: smallCorpus(2), script: costly(0.9), subject: priced, config }
  const first = await sweep(again)
  expect(first.lines.at(-1)).toMatchObject({ stoppedBecause: null, spend: { spentUsd: expect.closeTo(1.8) } })
  // $0.70 are left, and the worst case is $1.
  const second = await sweep(again)
  expect(second.error).toBeNull()
  expect(second.lines.at(-1)).toMatchObject({ stoppedBecause: 'the spend cap of the month was reached' })
  expect(second.lines.filter(({ kind }) => kind === 'reserved')).toEqual([])
  const { plan, spend } = buildReport(await joinRecords(second.lines))
  expect(plan.caps).toEqual({ runUsd: null, monthUsd: 2.5 })
  expect(spend).toMatchObject({ capUsd: null, spentUsd: 0 })
})

test('a damaged spend book stops a run before its journal is opened', async () => {
  const book = path.join(temporaryFolder(), 'spend.jsonl')
  writeFileSync(book, 'not a line\n')
  const { lines, error } = await sweep({
    script: costly(0.9),
    subject: priced,
    config: { 'max-spend-usd-per-month': 2.5, 'spend-file': book },
  })
  expect(error).toMatchObject({ code: 'spend-book/damaged', message: expect.stringContaining('spend.jsonl:1') })
  expect(lines).toEqual([])
})

test('a bill above its worst case ends the run and names the attempt', async () => {
  const { lines } = await sweep({
    script: costly(1.5),
    subject: priced,
    config: { 'max-spend-usd': 50, retries: 0, concurrency: 1 },
  })
  expect(lines.at(-1)).toMatchObject({
    stoppedBecause: expect.stringMatching(/above the worst case.*scripted C1/),
    spend: { overruns: [{ reservedUsd: 1, billedUsd: 1.5 }] },
  })
})

test('a cancelled run is incomplete, and every attempt is still in its journal', async () => {
  const { lines, error } = await sweep({
    script: right,
    config: { concurrency: 1, n: 3 },
    onEvent: (event, cancel) => {
      if (event.kind === 'attempt') cancel()
    },
  })
  expect(error).toBeNull()
  const answered = lines.filter((line) => line.kind === 'answered') as unknown as AnsweredLine[]
  expect(answered.length).toBe(6)
  const whys = answered.map(({ completion }) =>
    completion.kind === 'not-attempted' ? completion.why : completion.kind,
  )
  expect(whys).toContain('answered')
  expect(whys.at(-1)).toBe('cancelled')
  const report = buildReport(await joinRecords(lines))
  expect(report.run).toMatchObject({ complete: false, endedBecause: 'the run was cancelled' })
})

test('a run cancelled in its preflight stops there, and says so in its journal', async () => {
  const closing = createEmbeddedEngine({ workerUrl: await buildWorker() })
  const { lines, error } = await sweep({
    corpus: smallCorpus(8),
    script: right,
    engine: closing,
    onEvent: (event, cancel) => {
      if (event.kind === 'planned') setImmediate(cancel)
    },
  })
  expect(error).toBeNull()
  expect(lines.map(({ kind }) => kind)).toEqual(['planned', 'ended'])
  const report = buildReport(await joinRecords(lines))
  expect(report.run).toMatchObject({ complete: false, endedBecause: 'the run was cancelled' })
  expect(report.rows[0]?.attempts).toMatchObject({ judged: 0, notAttempted: { cancelled: 8 } })
})

test('a run that is resumed writes nothing before its preflight is over, so that its verdicts outlive one that fails', async () => {
  const corpus = smallCorpus(2)
  const { lines: earlier } = await sweep({ corpus, script: right })
  const again = { corpus, script: right, earlier }
  const check = async () => ({ kind: 'timeout' }) as const
  const unfit = await sweep({ ...again, engine: { ...engine, check, close: async () => {} } })
  expect(unfit.error).toMatchObject({ code: 'infra/preflight' })
  expect(unfit.lines).toEqual(earlier)
  const closing = createEmbeddedEngine({ workerUrl: await buildWorker() })
  const cancelled = await sweep({
    ...again,
    engine: closing,
    onEvent: (event, cancel) => {
      if (event.kind === 'planned') setImmediate(cancel)
    },
  })
  expect([cancelled.error, cancelled.lines]).toEqual([null, earlier])
})

test('a run that is resumed asks its folder or script anew, since that may tell something else by now', async () => {
  const corpus = smallCorpus(2)
  const { lines: earlier } = await sweep({ corpus, script: right })
  const kept: number[] = []
  const { lines, error } = await sweep({
    ...{ corpus, script: right, earlier },
    onEvent: (event) => {
      if (event.kind === 'planned') kept.push(event.kept)
    },
  })
  expect([error, kept]).toEqual([null, [0]])
  const kinds = lines.slice(earlier.length).map(({ kind }) => kind)
  expect(kinds.slice(0, 2)).toEqual(['resumed', 'preflight'])
  expect(kinds.filter((kind) => kind === 'answered').length).toBe(2)
  expect(buildReport(await joinRecords(lines)).run).toMatchObject({ complete: true, resumed: 1 })
})

test('a fault of the engine in the preflight is no cancellation', async () => {
  const { lines, error } = await sweep({
    script: right,
    engine: { ...engine, check: () => Promise.reject(new Error('fault')), close: async () => {} },
    onEvent: (event, cancel) => {
      if (event.kind === 'planned') cancel()
    },
  })
  expect(error).toMatchObject({ message: 'fault' })
  expect(lines.map(({ kind }) => kind)).toEqual(['planned'])
})

test('at the deadline a run ends, incomplete, and tells why', async () => {
  const { baseUrl, seen } = await startServer(({ url }, response) => {
    if (url === '/v1/models') sendJson(response, 404, {})
    else setTimeout(() => sendJson(response, 200, chatCompletion('no')), 100)
  })
  const { lines, error } = await sweep({
    script: right,
    subject: { script: undefined, model: 'a/b', 'base-url': baseUrl },
    config: { concurrency: 1, n: 200, 'deadline-min': 5 / 60 },
  })
  expect(error).toBeNull()
  const report = buildReport(await joinRecords(lines))
  expect(report.run).toMatchObject({ complete: false, endedBecause: 'the deadline of the run came' })
  const { judged, notAttempted } = report.rows[0]?.attempts ?? {}
  expect(judged).toBe(seen.length - 1)
  expect(notAttempted).toEqual({ deadline: 400 - (judged ?? 0) })
})

test('an infra error is not the model’s fault and leaves the run incomplete', async () => {
  const { lines } = await sweep({
    script: `rules:\n  - { fixture: "002", fail: rate }\n${right.slice('rules:\n'.length)}`,
  })
  const report = buildReport(await joinRecords(lines))
  expect(report.run).toMatchObject({ complete: false, endedBecause: expect.stringContaining('infra error: rate 1') })
  expect(report.rows[0]).toMatchObject({
    attempts: { judged: 1, infraErrors: { rate: 1 } },
    headline: { kind: 'withheld' },
  })
})

test('what is wrong with the configuration leaves the journal unopened', async () => {
  for (const [script, config] of [
    ['rules: []', {}],
    [right, { condition: ['C9'] }],
    [right, { fixtures: ['999'] }],
  ] as const) {
    const { lines, error } = await sweep({ script, config: { ...config } as Partial<SweepConfig> })
    expect(error).toMatchObject({ hint: expect.any(String) })
    expect(lines).toEqual([])
  }
})
