import { expect, test } from 'vitest'
import type { Completion } from '../../src/models/provider.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import type { Row } from '../../src/score/row.ts'
import { rowSchema } from '../../src/score/row.ts'
import { scoreCell } from '../../src/score/score-cell.ts'
import type { Verdict } from '../../src/verify/verdict.ts'
import {
  answer,
  judged,
  type Outcome,
  type SampleOptions,
  sampleLines,
  samplePlan,
  sampleSubject,
  usageOf,
  verified,
} from './sample-run.ts'

const PASS: Verdict = { kind: 'passed' }
const FAIL: Verdict = { kind: 'wrong-answer', where: 'assertion', detail: 'f(1) should be 2, is 3' }
const INFRA: Outcome = {
  completion: { kind: 'infra-error', class: 'rate', message: 'slow down', requests: 3 },
  verification: null,
}
const CANCELLED: Outcome = {
  completion: { kind: 'not-attempted', why: 'cancelled', message: 'stopped' },
  verification: null,
}

/** The row of the only cell of a sweep with one subject under C0. */
async function rowOf(options: SampleOptions): Promise<Row> {
  const all = { subjects: [sampleSubject('model')], conditions: ['C0'], ...options }
  const { planned, records } = await joinRecords(sampleLines(all))
  const row = scoreCell(planned.plan, planned.plan.cells[0]!, records)
  return rowSchema.parse(row)
}

/** One outcome a fixture. */
function rowOfOutcomes(outcomes: readonly Outcome[], options: SampleOptions = {}): Promise<Row> {
  return rowOf({ fixtures: outcomes.length, outcome: ({ fixture }) => outcomes[fixture]!, ...options })
}

function rowOfVerdicts(verdicts: readonly Verdict[]): Promise<Row> {
  return rowOfOutcomes(verdicts.map((verdict) => judged(verdict)))
}

test.each([
  [10, 10, 0.6915, 1],
  [0, 30, 0, 0.1157],
])('%i of %i first samples have the exact interval of the reference', async (passed, of, low, high) => {
  const { firstSample, headline } = await rowOf({
    fixtures: of,
    outcome: ({ fixture }) => judged(fixture < passed ? PASS : FAIL),
  })
  expect(headline).toEqual({ kind: 'ok' })
  expect(firstSample).toMatchObject({ passed, of, rate: passed / of, reason: null })
  expect(firstSample.exact?.low).toBeCloseTo(low, 4)
  expect(firstSample.exact?.high).toBeCloseTo(high, 4)
})

test('Wilson intervals of the reference stand beside them', async () => {
  const ten = await rowOf({ fixtures: 10, outcome: () => judged(PASS) })
  expect(ten.firstSample.wilson?.low).toBeCloseTo(0.7225, 4)
  const none = await rowOf({ fixtures: 30, outcome: () => judged(FAIL) })
  expect(none.firstSample.wilson?.high).toBeCloseTo(0.1135, 4)
})

test('the funnel counts how far each verdict came', async () => {
  const row = await rowOfVerdicts([
    PASS,
    FAIL,
    { kind: 'cheated', how: 'x' },
    { kind: 'runtime-error', class: 'runtime_arith', detail: 'x' },
    { kind: 'budget', resource: 'steps' },
    { kind: 'timeout' },
    { kind: 'check-failed', class: 'parse', diagnostics: [] },
    { kind: 'unsupported', reason: 'x' },
    { kind: 'policy', rule: 'import', detail: 'x' },
    { kind: 'no-code', why: 'none' },
    { kind: 'truncated' },
  ])
  expect(row.funnel.map(({ stage, count }) => [stage, count])).toEqual([
    ['answered', 11],
    ['code', 9],
    ['policy', 8],
    ['check', 6],
    ['ran', 3],
    ['passed', 1],
  ])
  expect(row.compile).toEqual({ accepted: 6, judged: 11, rate: 6 / 11 })
  expect(row).toMatchObject({ cheated: 1, unsupported: 1 })
})

test('failures are ranked by how many they stopped, with their class and problems', async () => {
  const parse: Verdict = { kind: 'check-failed', class: 'parse', diagnostics: [] }
  const { failures } = await rowOfVerdicts([FAIL, parse, PASS, parse])
  expect(failures).toEqual([
    { kind: 'check-failed', class: 'parse', count: 2, share: 0.5, fixtures: ['002', '004'] },
    { kind: 'wrong-answer', class: 'assertion', count: 1, share: 0.25, fixtures: ['001'] },
  ])
})

test('an infra error is no failure: it withholds the headline and bounds the rate', async () => {
  const row = await rowOfOutcomes([judged(PASS), judged(FAIL), INFRA, CANCELLED])
  expect(row.firstSample).toMatchObject({ passed: 1, of: 2, rate: 0.5 })
  expect(row.attempts).toEqual({
    planned: 4,
    judged: 2,
    unverified: 0,
    infraErrors: { rate: 1 },
    notAttempted: { cancelled: 1 },
  })
  expect(row.headline).toEqual({ kind: 'withheld', reason: 'the first sample of 2 of 4 problems has no verdict' })
  expect(row.bounds).toEqual({
    firstSample: { allFailed: 0.25, allPassed: 0.75 },
    allAttempts: { allFailed: 0.25, allPassed: 0.75 },
  })
  expect(row.firstSamples.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'missing', 'missing'])
})

test('an answer nobody verified is missing, not failed', async () => {
  const row = await rowOfOutcomes([{ completion: answer(), verification: null }, judged(PASS)])
  expect(row.attempts.unverified).toBe(1)
  expect(row.headline.kind).toBe('withheld')
})

test('a missing later sample leaves the headline and takes pass@k', async () => {
  const row = await rowOf({
    fixtures: 3,
    samples: 2,
    k: [1, 2],
    outcome: ({ fixture, sample }) => (fixture === 1 && sample === 1 ? INFRA : judged(PASS)),
  })
  expect(row.headline).toEqual({ kind: 'ok' })
  expect(row.passAtK[0]).toMatchObject({ k: 1, value: 1 })
  expect(row.passAtK[1]).toMatchObject({
    k: 2,
    value: null,
    interval: null,
    reason: '1 of 3 problems has fewer than 2 judged samples: 002',
  })
  expect(row.bounds?.firstSample).toEqual({ allFailed: 1, allPassed: 1 })
  expect(row.bounds?.allAttempts.allFailed).toBeCloseTo(5 / 6, 12)
})

test('a row of nothing but infra errors has no rate and shows every fixture', async () => {
  const row = await rowOf({ fixtures: 3, outcome: () => INFRA })
  expect(row.firstSample).toEqual({
    passed: 0,
    of: 0,
    rate: null,
    exact: null,
    wilson: null,
    reason: 'nothing was judged',
  })
  expect(row.firstSamples).toHaveLength(3)
  expect(row.compile.rate).toBeNull()
  expect(row.passAtK[0]?.value).toBeNull()
})

test('a cell without any record is wholly not attempted', () => {
  const plan = samplePlan({ fixtures: 2 })
  const row = scoreCell(plan, plan.cells[0]!, [])
  expect(row.attempts).toMatchObject({ planned: 2, judged: 0, notAttempted: { unrecorded: 2 } })
})

test('samples F, P, P are pass@1 2/3; the first sample decides the headline rate', async () => {
  const row = await rowOf({
    fixtures: 1,
    samples: 3,
    k: [1, 2, 3],
    outcome: ({ sample }) => judged(sample === 0 ? FAIL : PASS),
  })
  expect(row.firstSample.rate).toBe(0)
  expect(row.passAtK.map(({ value }) => value)).toEqual([2 / 3, 1, 1])
})

test('pass@k is the mean over fixtures, with Wilson on the fixture means', async () => {
  const row = await rowOf({
    fixtures: 4,
    samples: 2,
    k: [1],
    outcome: ({ fixture, sample }) => judged(fixture === 0 || sample === 0 ? PASS : FAIL),
  })
  expect(row.passAtK[0]).toMatchObject({ value: 5 / 8, method: 'Wilson on the means of the problems' })
  const { interval } = row.passAtK[0]!
  expect(interval!.low).toBeLessThan(5 / 8)
  expect(interval!.high).toBeGreaterThan(5 / 8)
})

test('problems of one family get no interval that takes them as independent', async () => {
  const plan = samplePlan({ fixtures: 2, subjects: [sampleSubject('model')], conditions: ['C0'] })
  const related = { ...plan, fixtures: plan.fixtures.map((fixture) => ({ ...fixture, family: 'sorting' })) }
  const { records } = await joinRecords(sampleLines({ outcome: () => judged(PASS) }, related))
  const row = scoreCell(related, related.cells[0]!, records)
  expect(row.firstSample).toMatchObject({
    rate: 1,
    exact: null,
    wilson: null,
    reason: expect.stringContaining('one family'),
  })
  expect(row.passAtK[0]).toMatchObject({ value: 1, interval: null })
})

test('only fixtures added strictly after the cutoff count as uncontaminated', async () => {
  const on = await rowOf({
    fixtures: 2,
    subjects: [sampleSubject('model', { cutoff: { date: '2026-11-29', source: 'declared' } })],
    outcome: () => judged(PASS),
  })
  expect(on.uncontaminated).toMatchObject({ kind: 'known', fixtures: 0, firstSample: { of: 0, rate: null } })
  const before = await rowOf({
    fixtures: 2,
    subjects: [sampleSubject('model', { cutoff: { date: '2026-11-28', source: 'declared' } })],
    outcome: () => judged(PASS),
  })
  expect(before.uncontaminated).toMatchObject({ kind: 'known', fixtures: 2, firstSample: { passed: 2, of: 2 } })
})

test('an unknown cutoff stays unknown', async () => {
  const row = await rowOf({
    fixtures: 2,
    subjects: [sampleSubject('model', { cutoff: { date: null, source: 'not declared' } })],
    outcome: () => judged(PASS),
  })
  expect(row.uncontaminated).toEqual({
    kind: 'unknown',
    reason: 'the knowledge cutoff of model is unknown (not declared)',
  })
})

test('tokens, cost and latency are of all answers; per pass over those that passed', async () => {
  const told = { usage: usageOf({ promptTokens: 1000, completionTokens: 200, reasoningTokens: 50 }) }
  const row = await rowOfOutcomes([
    judged(PASS, { ...told, latencyMs: 100 }),
    judged(FAIL, { ...told, latencyMs: 300 }),
    judged(PASS, { ...told, latencyMs: 200 }),
  ])
  expect(row.tokens).toEqual({
    prompt: { total: 3000, known: 3, of: 3 },
    completion: { total: 600, known: 3, of: 3 },
    reasoning: { total: 150, known: 3, of: 3 },
    perPass: 1800,
  })
  expect(row.cost.usd.total).toBeCloseTo((3000 * 0.15 + 600 * 0.6) / 1e6, 12)
  expect(row.cost.perSuccessUsd).toBeCloseTo((3000 * 0.15 + 600 * 0.6) / 2e6, 12)
  expect(row.latency).toEqual({ p50Ms: 200, p90Ms: 300, known: 3, of: 3 })
})

test('what nobody told is null, never 0', async () => {
  const row = await rowOfOutcomes([judged(PASS)], { subjects: [sampleSubject('model', { price: null })] })
  expect(row.tokens).toMatchObject({ prompt: { total: null, known: 0, of: 1 }, perPass: null })
  expect(row.cost).toEqual({ usd: { total: null, known: 0, of: 1 }, perSuccessUsd: null })
  expect(row.latency).toEqual({ p50Ms: null, p90Ms: null, known: 0, of: 1 })
})

test('a sum that lacks an answer is no sum', async () => {
  const row = await rowOfOutcomes([
    judged(PASS, { usage: usageOf({ promptTokens: 10, completionTokens: 5 }) }),
    judged(PASS),
  ])
  expect(row.tokens.prompt).toEqual({ total: null, known: 1, of: 2 })
  expect(row.cost.usd.total).toBeNull()
})

test('without a pass there is no cost of a pass', async () => {
  const row = await rowOfOutcomes([judged(FAIL, { costUsd: 0.5 })])
  expect(row.cost).toEqual({ usd: { total: 0.5, known: 1, of: 1 }, perSuccessUsd: null })
})

test('first samples are counted by difficulty and by tag', async () => {
  const row = await rowOfOutcomes([judged(PASS), judged(FAIL), INFRA, judged(PASS)])
  expect(row.byDifficulty).toEqual([
    { name: 'easy', fixtures: 2, judged: 2, passed: 2 },
    { name: 'medium', fixtures: 1, judged: 1, passed: 0 },
    { name: 'hard', fixtures: 1, judged: 0, passed: 0 },
  ])
  expect(row.byTag.reduce((sum, { fixtures }) => sum + fixtures, 0)).toBeGreaterThanOrEqual(4)
})

test('a verification beside an infra error does not count', () => {
  const plan = samplePlan({ fixtures: 1, subjects: [sampleSubject('model')], conditions: ['C0'] })
  const completion: Completion = { kind: 'infra-error', class: 'network', message: 'reset', requests: 1 }
  const cell = plan.cells[0]!
  const record = {
    attempt: `${cell.id} / 001 / 0`,
    cell: cell.id,
    subject: 'model',
    condition: 'C0',
    fixture: '001',
    sample: 0,
    promptHash: '',
    seed: null,
    completion,
    verification: verified(PASS),
    first: null,
  }
  expect(scoreCell(plan, cell, [record]).attempts).toMatchObject({ judged: 0, infraErrors: { network: 1 } })
})
