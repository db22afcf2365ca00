import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { worstCaseUsd } from '../../src/generate/cost.ts'
import { messagesOf } from '../../src/generate/prompt.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { reportJsonSchema } from '../../src/report/json-schema.ts'
import { reportSchema } from '../../src/report/schema.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { anySweep } from '../score/any-run.ts'
import {
  answer,
  judged,
  type Outcome,
  PREFLIGHT,
  sampleEnd,
  sampleLines,
  samplePlan,
  sampleSubject,
  usageOf,
} from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

const PASS = judged({ kind: 'passed' })

test('any run gives a report of the schema that survives JSON unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(anySweep, async (options) => {
      const report = await sampleReport(options)
      expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report)
    }),
    { numRuns: 25 },
  )
})

test('made again from the same journal, the report is the same', async () => {
  const lines = sampleLines()
  expect(buildReport(await joinRecords(lines))).toEqual(buildReport(await joinRecords(structuredClone(lines))))
})

test('a run in which every attempt has a verdict is complete', async () => {
  const { run, timing } = await sampleReport({ fixtures: 2 })
  expect(run).toMatchObject({
    complete: true,
    endedBecause: null,
    runKey: 'a'.repeat(64),
    finishedAt: '2026-11-29T10:00:09.000Z',
  })
  expect(timing).toEqual({ preflightMs: 2140, answersMs: 1000, totalMs: 9000 })
})

test('two runs of one plan have different ids', async () => {
  const lines = sampleLines({ fixtures: 1 })
  const [planned, ...rest] = lines
  const later = [{ ...(planned as object), at: '2026-11-30T10:00:00.000Z' }, ...rest]
  const ids = await Promise.all([lines, later].map(async (each) => buildReport(await joinRecords(each)).run.id))
  expect(new Set(ids).size).toBe(2)
})

test('attempts without a verdict make a run incomplete, with the reasons counted', async () => {
  const { run } = await sampleReport({
    fixtures: 3,
    conditions: ['C0'],
    subjects: [sampleSubject('model')],
    outcome: ({ fixture }) =>
      [
        PASS,
        {
          completion: { kind: 'infra-error', class: 'rate', message: 'slow down', requests: 3 } as const,
          verification: null,
        },
        { completion: { kind: 'not-attempted', why: 'spend-cap', message: 'no room' } as const, verification: null },
      ][fixture]!,
  })
  expect(run).toMatchObject({
    complete: false,
    endedBecause: '2 of 3 attempts have no verdict (infra error: rate 1, spend-cap 1)',
  })
})

test('a killed run is incomplete, and what it reserved counts as spent', async () => {
  const plan = samplePlan({ fixtures: 2, conditions: ['C0'], subjects: [sampleSubject('model')] })
  const lines = sampleLines({ outcome: () => judged({ kind: 'passed' }, { costUsd: 0.25 }) }, plan)
  const [planned, preflight, firstAnswer, firstVerdict] = lines
  const reserved = ['001', '002'].map((fixture) => ({ kind: 'reserved', attempt: `model C0 / ${fixture} / 0`, usd: 1 }))
  const report = buildReport(await joinRecords([planned, preflight, ...reserved, firstAnswer, firstVerdict]))
  expect(report.run).toMatchObject({
    complete: false,
    finishedAt: null,
    runKey: null,
    endedBecause: 'the run was killed before it ended by itself',
  })
  expect(report.spend).toEqual({
    capUsd: 2,
    spentUsd: 1.25,
    overruns: [],
    answersOfUnknownCost: 0,
    contradictions: { answers: 0, differenceUsd: 0 },
    isUpperBound: true,
  })
  expect(report.timing.totalMs).toBeNull()
})

/** What a run booked that was killed after its only attempt was answered so. */
async function spendOfKilled(outcome: Outcome, requests = 4) {
  const plan = samplePlan({ fixtures: 1, conditions: ['C0'], subjects: [sampleSubject('model')] })
  const onceUsd = worstCaseUsd(plan.subjects[0]!, messagesOf(plan.prompts[0]!), 1)!
  const [planned, preflight, answered] = sampleLines({ outcome: () => outcome }, plan)
  const reserved = { kind: 'reserved', attempt: 'model C0 / 001 / 0', usd: onceUsd * requests }
  return { onceUsd, spend: buildReport(await joinRecords([planned, preflight, reserved, answered])).spend }
}

test('in a killed run, failed requests before an answer count at their worst case beside its bill', async () => {
  const { spend, onceUsd } = await spendOfKilled(
    judged({ kind: 'passed' }, { costUsd: 0.001, requests: 4, failedRequests: ['timeout', 'rate', 'server'] }),
  )
  expect(spend.spentUsd).toBeCloseTo(0.001 + 2 * onceUsd, 12)
})

test('in a killed run, an attempt that failed for good counts each request that may have been billed', async () => {
  const { spend, onceUsd } = await spendOfKilled({
    completion: {
      kind: 'infra-error',
      class: 'server',
      message: 'no',
      requests: 3,
      failedRequests: ['rate', 'timeout'],
    },
    verification: null,
  })
  expect(spend.spentUsd).toBeCloseTo(2 * onceUsd, 12)
})

test('in a killed run, a bill above its reservation is still named', async () => {
  const { spend } = await spendOfKilled(judged({ kind: 'passed' }, { costUsd: 5 }))
  expect(spend.overruns).toEqual([{ attempt: 'model C0 / 001 / 0', reservedUsd: expect.any(Number), billedUsd: 5 }])
})

test('answers whose told cost contradicts their usage are counted with the difference', async () => {
  const usage = usageOf({ promptTokens: 1e6, completionTokens: 1e6 })
  const { spend } = await sampleReport({
    fixtures: 3,
    conditions: ['C0'],
    subjects: [sampleSubject('model')],
    outcome: ({ fixture }) => judged({ kind: 'passed' }, { usage, costUsd: [0.75, 0.25, 1][fixture]! }),
  })
  expect(spend.contradictions).toEqual({ answers: 2, differenceUsd: expect.closeTo(0.75, 12) })
})

test('answers of unknown cost are counted beside the spend', async () => {
  const { spend } = await sampleReport({
    fixtures: 2,
    conditions: ['C0'],
    subjects: [sampleSubject('model', { price: null })],
    outcome: () => PASS,
  })
  expect(spend).toMatchObject({ spentUsd: 0.0123, answersOfUnknownCost: 2, isUpperBound: false })
})

test('a failed preflight is the reason that nothing was asked', async () => {
  const failure = { fixture: '001', planted: 'reference', expected: 'passed', found: 'timeout', verdict: null }
  const lines = [
    { kind: 'planned', at: '2026-11-29T10:00:00.000Z', plan: samplePlan({ fixtures: 2 }) },
    { ...PREFLIGHT, failures: [failure] },
  ]
  const report = buildReport(await joinRecords(lines))
  expect(report.run.endedBecause).toBe('the preflight found 1 failure')
  expect(report.preflight?.failures).toEqual([failure])
  expect(report.rows.every(({ headline }) => headline.kind === 'withheld')).toBe(true)
})

test('a cancelled run says so', async () => {
  const plan = samplePlan({ fixtures: 1, conditions: ['C0'] })
  const lines = sampleLines({ outcome: () => ({ completion: answer(), verification: null }) }, plan)
  const cancelled = [...lines.slice(0, -1), sampleEnd({ stoppedBecause: 'the run was cancelled' })]
  expect(buildReport(await joinRecords(cancelled)).run.endedBecause).toBe('the run was cancelled')
})

test('the published JSON Schema is the one of the code; node scripts/write-schema.js writes it', () => {
  const published: unknown = JSON.parse(
    readFileSync(new URL('../../schema/report.v1.schema.json', import.meta.url), 'utf8'),
  )
  expect(published).toEqual(JSON.parse(JSON.stringify(reportJsonSchema())))
})
