import type { Interval } from '../stats/intervals.ts'
import type { Simultaneous, SweepComparison } from './comparisons-schema.ts'
import { number, percent, plural } from './format.ts'

/** What is said of the first row beside the second. */
export function describeOutcome({ outcome, margin, blockedBecause }: SweepComparison): string {
  switch (outcome) {
    case 'higher':
      return 'first passes more'
    case 'lower':
      return 'first passes less'
    case 'not-detected':
      return `no difference of ${number(margin * 100)} points`
    case 'cannot-tell':
      return 'cannot tell'
    case 'blocked':
      return `blocked: ${blockedBecause.join('; ')}`
  }
}

/** The interval of the test itself, where the test finds a difference and the cautious interval does not; else null. */
export function showTestInterval({ outcome, interval, testInterval }: SweepComparison): Interval | null {
  const isFound = outcome === 'higher' || outcome === 'lower'
  return isFound && interval !== null && interval.low <= 0 && interval.high >= 0 ? testInterval : null
}

/** `8.0 to 10.7 %`: how often a true difference of the stated gap is noticed. */
export function describeSight({ sight: { power } }: SweepComparison): string {
  const [low, high] = [percent(power.min), percent(power.max)]
  return low === high ? low : `${low} to ${high}`
}

/** What a reader has to know of the table; the figures are those of its first line where lines share them. */
export function explainComparisons(comparisons: readonly SweepComparison[]): string[] {
  const [first] = comparisons
  if (first === undefined) return []
  const { sight, margin } = first
  const tests = [...new Set(comparisons.flatMap(({ test }) => test ?? []))]
  const { min, max } = sight.neededN
  const needed =
    min === null || max === null ? 'no practical number of problems' : `${number(min)} to ${number(max)} problems`
  return [
    `The rate of the first row less that of the second on the same problems, in points; intervals are 95 %, each for itself. The outcome is by p: ${tests.length === 0 ? 'no test was possible' : tests.join(', ')}, two-sided, by Holm over all ${plural(comparisons.length, 'comparison')} of the plan. The intervals are cautious and may hold 0 where p finds a difference; that of the test itself then stands below. "No difference of ${number(margin * 100)} points": intervals that hold together over all of them exclude one in either direction.`,
    `Seen: how often a true difference of ${number(sight.gap * 100)} points is noticed at the first step of Holm, over the planned share of problems going the other way (one sample a problem). For the first line it takes ${needed} to notice one ${percent(sight.target)} of the time.`,
    ...(comparisons.some(({ leftOut }) => leftOut > 0)
      ? ['Problems without a verdict on either side are left out, and the comparison is then blocked.']
      : []),
  ]
}

/** `rank 1 to 3 of 4`. */
export function describeRank({ from, to }: { readonly from: number; readonly to: number }, rows: number): string {
  return from === to ? `rank ${from} of ${rows}` : `rank ${from} to ${to} of ${rows}`
}

/** What the intervals of all pairs of a condition leave open, one line each. */
export function describeSimultaneous({ condition, units, ranks, pairs }: Simultaneous): string {
  const apart = pairs.filter(({ interval }) => interval.low > 0 || interval.high < 0).length
  const left = ranks.map(({ cell, from, to }) => `${cell}: ${describeRank({ from, to }, ranks.length)}`).join('; ')
  return `All ${plural(pairs.length, 'pair')} under ${condition} at once (max-T, 95 % together, ${plural(units, 'independent problem')}): ${number(apart)} lie apart. Ranks left open, in the order of the plan: ${left}.`
}
