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
import { damage, referenceOf, smallCorpus, temporaryFolder } from './small-corpus.ts'

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

interface Sweep {
  readonly corpus?: string
  readonly script: string
  readonly subject?: SubjectOptions
  readonly config?: Partial<SweepConfig>
  readonly onEvent?: (event: SweepEvent, cancel: () => void) => void
}

type Line = { readonly kind: string } & Record<string, unknown>

/** Runs a sweep over a scripted subject and gives its journal, even when it failed. */
async function sweep({ corpus = smallCorpus(2), script, subject = {}, config = {}, onEvent }: Sweep) {
  const folder = temporaryFolder()
  const journal = path.join(folder, 'attempts.jsonl')
  const file = path.join(folder, 'script.yml')
  writeFileSync(file, script)
  writeFileSync(journal, '')
  const cancel = new AbortController()
  const whole = { ...sweepFileSchema.parse({ subjects: [{ script: file, ...subject }] }), ...config }
  let error: unknown = null
  try {
    await runSweep(whole, 'run', corpus, {
      openEngine: async () => ({ ...engine, close: async () => {} }),
      openJournal: () => openJournal(journal),
      env: {},
      signal: cancel.signal,
      onEvent: (event) => onEvent?.(event, () => cancel.abort()),
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
