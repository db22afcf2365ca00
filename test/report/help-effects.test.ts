import { expect, test } from 'vitest'
import { buildReport } from '../../src/report/build-report.ts'
import { findHelpEffects } from '../../src/report/help-effects.ts'
import type { HelpEffects } from '../../src/report/help-effects-schema.ts'
import { type Report, reportSchema } from '../../src/report/schema.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { mcnemarP } from '../../src/stats/mcnemar.ts'
import { createRandom } from '../../src/stats/random.ts'
import { tango } from '../../src/stats/tango.ts'
import {
  answer,
  FOLDER_SUBJECT,
  judged,
  type Outcome,
  type SampleAttempt,
  type SampleOptions,
  sampleLines,
  samplePlan,
  sampleSubject,
} from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

const PASS = judged({ kind: 'passed' })
const FAIL = judged({ kind: 'truncated' })
const INFRA: Outcome = {
  completion: { kind: 'infra-error', class: 'rate', message: 'too many', requests: 1 },
  verification: null,
}
const OVERLONG: Outcome = {
  completion: { kind: 'not-attempted', why: 'context', message: 'too long' },
  verification: null,
}

const ONE = [sampleSubject('one')]
const TWO = [sampleSubject('one'), sampleSubject('two')]

async function effects(options: SampleOptions): Promise<HelpEffects> {
  const { helpEffects } = await sampleReport(options)
  if (helpEffects === null) throw new Error('a new report has effects')
  return helpEffects
}

/** Passes on as many of the first problems as the condition has, whoever is asked. */
const passing =
  (passed: Readonly<Record<string, number>>) =>
  ({ condition, fixture }: SampleAttempt): Outcome =>
    fixture < (passed[condition] ?? 0) ? PASS : FAIL

test('a lift is the rate with the most help less that with the least, with Tango’s interval', async () => {
  const { lifts } = await effects({
    fixtures: 40,
    subjects: ONE,
    conditions: ['C1', 'C3', 'C0'],
    outcome: ({ condition, fixture }) => {
      if (condition === 'C1') return FAIL
      return fixture < (condition === 'C3' ? 24 : 0) || (condition === 'C0' && fixture > 35) ? PASS : FAIL
    },
  })
  expect(lifts).toEqual([
    {
      subject: 'one',
      least: { condition: 'C0', tokens: 0 },
      most: { condition: 'C3', tokens: 2950 },
      difference: expect.closeTo(20 / 40, 12),
      interval: tango(24, 4, 40),
      method: 'tango',
      fixtures: 40,
      units: 40,
      leftOut: 0,
      more: 24,
      less: 4,
      reason: null,
    },
  ])
})

test('problems without a verdict on either side are left out and counted', async () => {
  const { lifts } = await effects({
    fixtures: 10,
    subjects: ONE,
    conditions: ['C0', 'C1'],
    outcome: ({ condition, fixture }) => {
      if (fixture === 0 || (fixture === 1 && condition === 'C1')) return INFRA
      return condition === 'C1' ? PASS : FAIL
    },
  })
  expect(lifts[0]).toMatchObject({ fixtures: 8, leftOut: 2, difference: 1, more: 8 })
})

test('nothing is compared with a row whose prompts did not fit, nor where no problem is left', async () => {
  const options = { fixtures: 3, subjects: ONE, conditions: ['C0', 'C1'] }
  const [overlong] = (
    await effects({
      ...options,
      outcome: ({ condition, fixture }) => (condition === 'C1' && fixture === 0 ? OVERLONG : PASS),
    })
  ).lifts
  expect(overlong).toMatchObject({
    difference: null,
    interval: null,
    reason: 'prompts of one C1 did not fit the context',
  })
  const [missing] = (await effects({ ...options, outcome: () => INFRA })).lifts
  expect(missing).toMatchObject({ difference: null, leftOut: 3, reason: 'no problem has a verdict on both sides' })
})

test('one amount of help has no lift, and answers from a folder have none', async () => {
  expect((await effects({ fixtures: 2, subjects: ONE, conditions: ['C1'] })).lifts).toEqual([])
  expect((await effects({ fixtures: 2, subjects: ONE, conditions: ['C1', 'C1-strings', 'file:a.md'] })).lifts).toEqual(
    [],
  )
  const folder = await effects({ fixtures: 2, subjects: [FOLDER_SUBJECT], conditions: ['C0', 'C1', 'C1-strings'] })
  expect(folder).toMatchObject({ lifts: [], pooledLifts: [], curves: [], ablations: [] })
})

test('the pooled lift takes the mean over subjects on each problem first', async () => {
  const { pooledLifts } = await effects({
    fixtures: 4,
    subjects: TWO,
    conditions: ['C0', 'C1'],
    // Together +1 on the first problem, +1/2 on the second, 0 on the third for +1/2 - 1/2.
    outcome: ({ subject, condition, fixture }) => {
      if (condition === 'C0') return subject === 'two' && fixture === 2 ? PASS : FAIL
      return fixture === 0 || (subject === 'one' && (fixture === 1 || fixture === 2)) ? PASS : FAIL
    },
  })
  expect(pooledLifts).toMatchObject([
    { subjects: ['one', 'two'], difference: expect.closeTo(1.5 / 4, 12), more: 2, less: 0, fixtures: 4 },
  ])
  const { low, high } = pooledLifts[0]?.interval ?? { low: 1, high: -1 }
  expect(low).toBeLessThan(1.5 / 4)
  expect(high).toBeGreaterThan(1.5 / 4)
})

test('a row after a second turn is neither pooled with one of first answers nor put beside it', async () => {
  const subjects = [sampleSubject('one'), sampleSubject('one+fix1', { hasFixTurn: true }), sampleSubject('two')]
  const { pooledLifts, matchedCosts } = await effects({
    fixtures: 8,
    subjects,
    conditions: ['C0', 'C3'],
    outcome: () => PASS,
  })
  expect(pooledLifts.map((lift) => lift.subjects)).toEqual([['one', 'two']])
  const mixed = matchedCosts.filter(
    ({ kind, first, second }) => kind === 'subjects' && `${first} ${second}`.includes('+fix1'),
  )
  expect(mixed).toEqual([])
})

test('one subject alone has no pooled lift', async () => {
  expect((await effects({ fixtures: 3, subjects: ONE, conditions: ['C0', 'C1'] })).pooledLifts).toEqual([])
})

test('the pooled lift leaves out a problem that any of its subjects lacks', async () => {
  const { pooledLifts } = await effects({
    fixtures: 4,
    subjects: TWO,
    conditions: ['C0', 'C1'],
    outcome: ({ subject, fixture }) => (subject === 'two' && fixture === 3 ? INFRA : PASS),
  })
  expect(pooledLifts[0]).toMatchObject({ fixtures: 3, leftOut: 1 })
})

test('with several samples a problem’s rate is over those with a verdict', async () => {
  const { lifts, curves } = await effects({
    fixtures: 2,
    samples: 4,
    subjects: ONE,
    conditions: ['C0', 'C1'],
    outcome: ({ condition, fixture, sample }) => {
      if (condition === 'C0') return FAIL
      if (sample === 3 && fixture === 0) return INFRA
      return sample === 0 ? PASS : FAIL
    },
  })
  expect(lifts[0]?.difference).toBeCloseTo((1 / 3 + 1 / 4) / 2, 12)
  expect(lifts[0]?.method).not.toBe('tango')
  expect(curves[0]?.points[1]).toMatchObject({ passed: 2, of: 7, rate: expect.closeTo((1 / 3 + 1 / 4) / 2, 12) })
})

test('a family of problems is one unit', async () => {
  const options = { fixtures: 6, subjects: ONE, conditions: ['C0', 'C1'], outcome: passing({ C1: 3 }) }
  const plan = samplePlan(options)
  const [first, second, third] = plan.fixtures
  for (const fixture of [first, second, third]) if (fixture !== undefined) fixture.family = 'tags'
  const { helpEffects } = buildReport(await joinRecords(sampleLines(options, plan)))
  // One family that passes and three problems that do not.
  expect(helpEffects?.lifts[0]).toMatchObject({ fixtures: 6, units: 4, difference: 1 / 4 })
  expect(helpEffects?.sight.units).toBe(4)
})

test('the curve has the rungs whose headline stands, their fit and the help needed', async () => {
  const { curves } = await effects({
    fixtures: 10,
    subjects: ONE,
    conditions: ['C0', 'C1@50', 'C1', 'C2', 'C3', 'C1-strings'],
    outcome: (attempt) => {
      if (attempt.condition === 'C2' && attempt.fixture === 9) return INFRA
      return passing({ 'C1@50': 4, C1: 2, C2: 9, C3: 9 })(attempt)
    },
  })
  expect(curves[0]?.points.map(({ condition, rate, fit }) => [condition, rate, Number(fit.toFixed(9))])).toEqual([
    ['C0', 0, 0],
    ['C1@50', 0.4, 0.3],
    ['C1', 0.2, 0.3],
    ['C3', 0.9, 0.9],
  ])
  // A third of the way from 781 to 2,950 tokens.
  expect(curves[0]?.needed[0]).toMatchObject({ kind: 'reached', target: 0.5, tokens: expect.closeTo(1504, 6) })
})

const ABLATED = ['C0', 'C1', 'C1-strings', 'C1-maps', 'C1-lists']

test('a planted effect of a section is found by the exact McNemar test after Holm, and others are not', async () => {
  const { ablations } = await effects({
    fixtures: 40,
    subjects: ONE,
    conditions: ABLATED,
    outcome: passing({ C1: 30, 'C1-strings': 15, 'C1-maps': 29, 'C1-lists': 30 }),
  })
  const p = mcnemarP(15, 0)
  expect(ablations.map(({ section, difference, p, adjustedP }) => [section, difference, p, adjustedP])).toEqual([
    ['strings', 15 / 40, expect.closeTo(p, 12), expect.closeTo(3 * p, 12)],
    ['maps', 1 / 40, 1, 1],
    ['lists', 0, 1, 1],
  ])
  expect(ablations[0]).toMatchObject({ base: 'C1', without: 'C1-strings', test: 'exact McNemar test', tokens: 281 })
})

test('an ablation that could not be tested stays in the family', async () => {
  const { ablations } = await effects({
    fixtures: 40,
    subjects: ONE,
    conditions: ABLATED,
    outcome: (attempt) =>
      attempt.condition === 'C1-maps' ? INFRA : passing({ C1: 30, 'C1-strings': 15, 'C1-lists': 30 })(attempt),
  })
  expect(ablations[0]?.adjustedP).toBeCloseTo(3 * mcnemarP(15, 0), 12)
  expect(ablations[1]).toMatchObject({ p: null, adjustedP: null, test: null, difference: null })
})

test('an ablation whose whole condition was not run is no ablation', async () => {
  const { ablations } = await effects({
    fixtures: 2,
    subjects: ONE,
    conditions: ['C0', 'C1-strings', 'C2', 'C2-strings'],
  })
  expect(ablations.map(({ without }) => without)).toEqual(['C2-strings'])
})

test('where no section does anything, Holm finds one in at most 5 of 100 runs, and intervals cover 0', async () => {
  const conditions = ['C1', 'C1-strings', 'C1-maps', 'C1-lists', 'C1-match', 'C1-types']
  const base = await sampleReport({ fixtures: 31, subjects: ONE, conditions })
  let found = 0
  let covered = 0
  let intervals = 0
  const runs = 200
  for (let run = 0; run < runs; run++) {
    const { drawUnit } = createRandom(run)
    const hardness = new Map(base.plan.fixtures.map(({ id }) => [id, drawUnit()]))
    const attempts = base.attempts.map((attempt) => {
      const isPassed = 0.5 * (hardness.get(attempt.fixture) ?? 0) + 0.5 * drawUnit() < 0.5
      return { ...attempt, ...(isPassed ? PASS : FAIL) }
    })
    const { ablations } = findHelpEffects({ plan: base.plan, rows: [], attempts })
    if (ablations.some(({ adjustedP }) => (adjustedP ?? 1) <= 0.05)) found += 1
    for (const { interval } of ablations) {
      if (interval === null) continue
      intervals += 1
      if (interval.low <= 0 && interval.high >= 0) covered += 1
    }
  }
  expect(found / runs).toBeLessThanOrEqual(0.05)
  expect(covered / intervals).toBeGreaterThanOrEqual(0.93)
})

test('what a comparison of this many problems cannot see is told, for one lift and for all sections together', async () => {
  const { sight } = await effects({ fixtures: 40, subjects: ONE, conditions: ABLATED })
  expect(sight).toMatchObject({ units: 40, lift: 0.41 })
  expect(sight.ablation).toBeGreaterThan(0.41)
  const bare = await effects({ fixtures: 40, subjects: ONE, conditions: ['C1'] })
  expect(bare.sight).toMatchObject({ lift: null, ablation: null })
})

test('the order of the attempts does not matter', async () => {
  const report = await sampleReport({ fixtures: 12, conditions: ['C0', 'C1@50', 'C1', 'C1-strings'] })
  const turned = { ...report, attempts: report.attempts.toReversed() }
  expect(findHelpEffects(turned)).toEqual(findHelpEffects(report))
})

test('a report from before is read, without effects', async () => {
  const { helpEffects, ...older } = await sampleReport({ fixtures: 2 })
  expect(helpEffects).not.toBeNull()
  const read: Report = reportSchema.parse(JSON.parse(JSON.stringify(older)))
  expect(read.helpEffects).toBeNull()
})

test('an answer without an attempt is nobody’s, and an unverified one has no verdict', async () => {
  const { lifts } = await effects({
    fixtures: 2,
    subjects: ONE,
    conditions: ['C0', 'C1'],
    outcome: ({ fixture }) => (fixture === 0 ? { completion: answer(), verification: null } : PASS),
  })
  expect(lifts[0]).toMatchObject({ fixtures: 1, leftOut: 1 })
})
