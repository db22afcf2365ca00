import { expect, test } from 'vitest'
import { comparisonText } from '../../src/cli/comparison-text.ts'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { renderComparison } from '../../src/compare/comparison-markdown.ts'
import { describeDecision, describeOutcome, describePower, listReasons } from '../../src/compare/comparison-words.ts'
import { baseReport, failing, headReport, OPTIONS, range } from './sample-pair.ts'

const lost = () => headReport({ outcome: failing(...range(0, 6)) })

test.each([
  [{ kind: 'push', j: 3 }, '0.34 %', '99.66 %'],
  [{ kind: 'scheduled', horizon: 52 }, '0.096 %', '99.904 %'],
  [{ kind: 'single' }, '5 %', '95 %'],
] as const)('look %j is at the same alpha %s and level %s wherever they stand', async (look, alpha, level) => {
  const comparison = compareReports(await baseReport(), await lost(), { ...OPTIONS, look })
  expect(describeDecision(comparison)).toContain(`alpha ${alpha})`)
  expect(describeDecision(comparison)).toContain(`Its own ${level} interval`)
  expect(describePower(comparison)).toContain(`McNemar test, alpha ${alpha},`)
})

test('where no problem differs the test has no interval to show', async () => {
  const comparison = compareReports(await baseReport(), await headReport(), OPTIONS)
  expect(comparison.decision?.testInterval).toBeNull()
  expect(describeDecision(comparison)).not.toContain('Its own')
})

test('where the cautious interval lies above 0, any loss is excluded', async () => {
  const base = await baseReport({ outcome: failing(...range(0, 12)) })
  const decision = describeDecision(compareReports(base, await headReport(), OPTIONS))
  expect(decision).toContain('Any loss is excluded')
  expect(decision).not.toContain('more than 0 points')
})

test('rows under different conditions are blocked, with both named beside whatever else refuses', async () => {
  const base = await baseReport({ conditions: ['C0'] })
  const comparison = compareReports(base, await headReport({ purpose: 'smoke' }), OPTIONS)
  expect(comparison).toMatchObject({ outcome: 'blocked', passes: false, decision: null })
  expect(listReasons(comparison)).toContain('condition: BASE has C0, HEAD has C1')
  expect(listReasons(comparison)).toContain('HEAD: it is a smoke run')
})

test('a first run says of how much of its split it is a baseline', async () => {
  const part = await headReport({ fixtures: 12 }, { plan: (plan) => ({ ...plan, corpus: ofForty(plan.corpus) }) })
  expect(describeOutcome(compareReports(null, part, OPTIONS))).toContain('12 of 40 problems of the split')
  const all = await headReport({ fixtures: 40 }, { plan: (plan) => ({ ...plan, corpus: ofForty(plan.corpus) }) })
  expect(describeOutcome(compareReports(null, all, OPTIONS))).not.toContain('of the split')
})

function ofForty<Corpus extends object>(corpus: Corpus) {
  return { ...corpus, split: 'held-out' as const, total: 100, heldOut: 40 }
}

test('a first run is headed without a BASE', async () => {
  const first = compareReports(null, await headReport(), OPTIONS)
  expect(renderComparison(first)).toMatch(/^## No baseline\n/)
})

test('the first line on a terminal has the outcome', async () => {
  const [line] = comparisonText(compareReports(await baseReport(), await lost(), OPTIONS)).split('\n')
  expect(line).toMatch(/^Regressed\. BASE: /)
})
