import { expect, test } from 'vitest'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { comparisonSchema } from '../../src/compare/comparison-schema.ts'
import type { Report } from '../../src/report/schema.ts'
import { judged, sampleSubject } from '../score/sample-run.ts'
import {
  BASE,
  baseReport,
  FAIL,
  failing,
  HEAD,
  headReport,
  INFRA,
  OPTIONS,
  PASS,
  range,
  reportOf,
} from './sample-pair.ts'

const fixtures = (changes: readonly { readonly fixture: string }[]) => changes.map(({ fixture }) => fixture)
const reasons = ({ blocks }: { readonly blocks: readonly { readonly side: string; readonly reason: string }[] }) =>
  blocks.map(({ side, reason }) => `${side}: ${reason}`)

test('six lost and none gained of 31 is a regression, which does not pass', async () => {
  const comparison = compareReports(await baseReport(), await headReport({ outcome: failing(...range(0, 6)) }), OPTIONS)
  expect(comparison).toMatchObject({
    outcome: 'regressed',
    passes: false,
    decision: { p: 0.03125, test: 'exact McNemar test', discordant: { b: 6, c: 0 }, n: 31, difference: -6 / 31 },
    base: { subject: 'mens/vox@1200', passed: 31, judged: 31 },
    head: { subject: 'mens/vox@1600', passed: 25, judged: 31 },
  })
  expect(fixtures(comparison.regressions)).toEqual(['001', '002', '003', '004', '005', '006'])
})

test('six gained and none lost is an improvement, with what was gained', async () => {
  const comparison = compareReports(await baseReport({ outcome: failing(...range(0, 6)) }), await headReport(), OPTIONS)
  expect(comparison).toMatchObject({ outcome: 'improved', passes: true, regressions: [] })
  expect(comparison.improvements).toHaveLength(6)
})

test('a regression is listed with both programs and both verdicts', async () => {
  const { regressions } = compareReports(await baseReport(), await headReport({ outcome: failing(4) }), OPTIONS)
  expect(regressions).toEqual([
    {
      fixture: '005',
      title: 'Crate loads',
      base: {
        passed: 1,
        judged: 1,
        attempt: expect.stringContaining('005'),
        verdict: 'passed',
        program: expect.stringContaining('fn solve'),
      },
      head: {
        passed: 0,
        judged: 1,
        attempt: expect.stringContaining('005'),
        verdict: 'wrong-answer assertion',
        program: expect.stringContaining('fn solve'),
      },
      draws: null,
    },
  ])
})

test('no difference over few problems cannot tell; over many a loss of ten points is excluded', async () => {
  expect(compareReports(await baseReport(), await headReport(), OPTIONS).outcome).toBe('cannot-tell')
  const many = { fixtures: 80 }
  expect(compareReports(await baseReport(many), await headReport(many), OPTIONS)).toMatchObject({
    outcome: 'not-detected',
    passes: true,
  })
})

test('with several samples the share of passes decides, and the largest drop comes first', async () => {
  const options = { fixtures: 40, samples: 4, k: [1] }
  const head = await headReport({
    ...options,
    outcome: ({ fixture, sample }) => (fixture < 10 && sample < (fixture === 7 ? 4 : 2) ? FAIL : PASS),
  })
  const comparison = compareReports(await baseReport(options), head, OPTIONS)
  expect(comparison).toMatchObject({ outcome: 'regressed', decision: { test: 'exact sign-flip permutation test' } })
  expect(comparison.regressions[0]).toMatchObject({ fixture: '008', head: { passed: 0, judged: 4 } })
  expect(comparison.regressions).toHaveLength(10)
})

test('fixtures of a family count once', async () => {
  const inFamilies = {
    plan: (plan: Report['plan']) => ({
      ...plan,
      fixtures: plan.fixtures.map((fixture, index) => ({ ...fixture, family: `family ${index >> 1}` })),
    }),
  }
  const head = await headReport({ fixtures: 40, outcome: failing(...range(0, 8)) }, inFamilies)
  expect(compareReports(await baseReport({ fixtures: 40 }, inFamilies), head, OPTIONS)).toMatchObject({
    outcome: 'cannot-tell',
    decision: { fixtures: 40, n: 20, p: 0.125 },
    power: { n: 20 },
  })
})

test('no baseline is an outcome of its own and passes', async () => {
  expect(compareReports(null, await headReport(), OPTIONS)).toMatchObject({
    outcome: 'no-baseline',
    passes: true,
    base: null,
    decision: null,
  })
})

test('without a baseline, what would block a comparison blocks', async () => {
  const head = await headReport({ outcome: ({ fixture }) => (fixture === 3 ? INFRA : PASS) })
  expect(compareReports(null, head, OPTIONS)).toMatchObject({ outcome: 'blocked', passes: false })
})

test('the later push has the smaller alpha, and may not tell what the first did', async () => {
  const [base, head] = [await baseReport(), await headReport({ outcome: failing(...range(0, 7)) })]
  const at = (j: number) => compareReports(base, head, { ...OPTIONS, look: { kind: 'push', j } })
  expect(at(1)).toMatchObject({
    outcome: 'regressed',
    alpha: { overall: 0.05, look: expect.closeTo(0.3 / Math.PI ** 2, 12) },
  })
  expect(at(2)).toMatchObject({ outcome: 'cannot-tell', look: { kind: 'push', j: 2 } })
})

test('an infra error on a problem of either side blocks, and the list of changes leaves it out', async () => {
  const outcome = ({ fixture }: { readonly fixture: number }) => (fixture === 0 ? INFRA : PASS)
  const inHead = compareReports(await baseReport(), await headReport({ outcome }), OPTIONS)
  expect(inHead).toMatchObject({ outcome: 'blocked', passes: false, decision: null, regressions: [] })
  expect(reasons(inHead)).toContain('head: infra error (rate): 1 attempt')
  const inBase = compareReports(await baseReport({ outcome }), await headReport(), OPTIONS)
  expect(reasons(inBase)).toContain('base: infra error (rate): 1 attempt')
})

test('an answer without a verdict, and a prompt that did not fit, block', async () => {
  const outcome = ({ fixture }: { readonly fixture: number }) => {
    if (fixture === 1) return { ...PASS, verification: null }
    if (fixture !== 2) return PASS
    return { completion: { kind: 'not-attempted', why: 'context', message: 'too long' } as const, verification: null }
  }
  const found = reasons(compareReports(await baseReport(), await headReport({ outcome }), OPTIONS))
  expect(found).toContain('head: not verified: 1 attempt')
  expect(found).toContain('head: not attempted (context): 1 attempt')
})

test('cheating in HEAD blocks; in BASE it is a failure', async () => {
  const cheat = judged({ kind: 'cheated', how: 'ended before the tests did' })
  const outcome = ({ fixture }: { readonly fixture: number }) => (fixture === 0 ? cheat : PASS)
  const inHead = compareReports(await baseReport(), await headReport({ outcome }), OPTIONS)
  expect(reasons(inHead)).toEqual(['head: 1 attempt cheated'])
  const inBase = compareReports(await baseReport({ outcome }), await headReport(), OPTIONS)
  expect(inBase).toMatchObject({ outcome: 'not-detected', base: { passed: 30 } })
})

test('a problem that HEAD lacks blocks and is named; one that BASE lacks is named and not compared', async () => {
  const [few, many] = [{ fixtures: 30 }, { fixtures: 31 }]
  const lost = compareReports(await baseReport(many), await headReport(few), OPTIONS)
  expect(lost.outcome).toBe('blocked')
  expect(reasons(lost)).toEqual(['head: lacks 1 problem of BASE: 031'])
  const grown = compareReports(await baseReport(few), await headReport({ ...many, outcome: failing(30) }), OPTIONS)
  expect(grown).toMatchObject({
    outcome: 'cannot-tell',
    decision: { n: 30 },
    fixtures: { both: 30, onlyInHead: ['031'] },
    regressions: [],
  })
})

test.each([
  ['a smoke run', { purpose: 'smoke' as const }, 'it is a smoke run'],
  ['a demonstration', { purpose: 'demo' as const }, 'it is a demo run'],
  ['another split', { split: 'all' as const }, 'its split is all, not held-out'],
])('%s blocks, on either side', async (_, options, reason) => {
  const comparison = compareReports(await baseReport(options), await headReport(options), OPTIONS)
  expect(comparison.outcome).toBe('blocked')
  expect(reasons(comparison)).toEqual([`base: ${reason}`, `head: ${reason}`])
})

test('a report whose list of refusals was emptied is refused all the same', async () => {
  const smoke = await headReport({ purpose: 'smoke' })
  const comparison = compareReports(await baseReport(), { ...smoke, gateRefusals: [] }, OPTIONS)
  expect(reasons(comparison)).toEqual(['head: it is a smoke run'])
})

test('attempts that were taken out of a file, or put in twice, block', async () => {
  const head = await headReport()
  const without = { ...head, attempts: head.attempts.slice(1) }
  expect(reasons(compareReports(await baseReport(), without, OPTIONS))).toEqual(['head: not recorded: 1 attempt'])
  const twice = { ...head, attempts: [...head.attempts, ...head.attempts.slice(0, 2)] }
  expect(reasons(compareReports(await baseReport(), twice, OPTIONS))).toEqual(['head: not of the plan: 2 attempts'])
})

test('a row is not compared with itself', async () => {
  const report = await baseReport()
  expect(reasons(compareReports(report, report, OPTIONS))).toEqual(['head: is the very row of BASE'])
})

test('what was tampered with in rows changes nothing: attempts decide', async () => {
  const head = await headReport({ outcome: failing(...range(0, 6)) })
  const rosy = { ...head, rows: (await headReport()).rows }
  expect(compareReports(await baseReport(), rosy, OPTIONS)).toEqual(compareReports(await baseReport(), head, OPTIONS))
})

test('checkpoints of a model are planned for less discordance than two models', async () => {
  const checkpoints = compareReports(await baseReport(), await headReport(), OPTIONS)
  expect(checkpoints.power).toMatchObject({ kind: 'checkpoints', discordance: { max: 0.075 }, neededN: { max: 207 } })
  const other = await headReport({ subjects: [sampleSubject('other')] })
  const models = compareReports(await baseReport(), other, OPTIONS)
  expect(models.power).toMatchObject({ kind: 'subjects', discordance: { max: 0.2 }, neededN: { max: 408 } })
})

test('problems that training data touched are compared, named, and not clean', async () => {
  const trainingData = {
    kind: 'overlap',
    at: '2026-11-20T00:00:00.000Z',
    corpusHash: 'c',
    dataHash: 'd',
    files: 1,
    bytes: 10,
    n: 13,
    canaries: { searched: 1, hits: 0 },
    touched: [{ id: '002', share: 0.5, longestRun: 30 }],
    unsearched: { files: 0, fixtures: [] },
  } as const
  const head = await headReport({
    subjects: [
      {
        ...HEAD,
        trainingData: { ...trainingData, touched: [...trainingData.touched], unsearched: { files: 0, fixtures: [] } },
      },
    ],
    outcome: failing(1, 2),
  })
  expect(compareReports(await baseReport(), head, OPTIONS)).toMatchObject({
    touched: ['002'],
    clean: { kind: 'known', cutoff: '2026-06-30', fixtures: 30, less: 1, more: 0 },
    decision: { n: 31, discordant: { b: 2 } },
  })
})

test('an unknown cutoff of either subject leaves nothing clean', async () => {
  const base = await baseReport({ subjects: [{ ...BASE, cutoff: { date: null, source: 'not declared' } }] })
  expect(compareReports(base, await headReport(), OPTIONS).clean).toEqual({
    kind: 'unknown',
    reason: 'the knowledge cutoff of mens/vox@1200 is unknown (not declared)',
  })
})

test('cost and latency stand on the problems that both solve', async () => {
  const { cost } = compareReports(await baseReport(), await headReport({ outcome: failing(0) }), OPTIONS)
  expect(cost).toMatchObject({
    fixtures: 30,
    usd: { first: expect.closeTo(0.01), second: expect.closeTo(0.01) },
    latencyMs: { first: 200 },
  })
})

test('a comparison is what its schema says', async () => {
  const head = await headReport({ outcome: failing(0, 1) })
  for (const comparison of [
    compareReports(await baseReport(), head, { ...OPTIONS, preset: 'upstream' }),
    compareReports(null, head, OPTIONS),
    compareReports(await baseReport({ fixtures: 32 }), head, OPTIONS),
  ]) {
    expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison)
  }
})

test('two rows of one sweep may be compared by name', async () => {
  const sweep = await reportOf({
    subjects: [BASE, HEAD],
    outcome: ({ subject }) => (subject === HEAD.id ? FAIL : PASS),
  })
  const options = { ...OPTIONS, baseSubject: BASE.id, headSubject: HEAD.id }
  expect(compareReports(sweep, sweep, options).outcome).toBe('regressed')
})
