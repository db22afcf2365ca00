import type { Interval } from './intervals.ts'
import { findPushAlpha, findScheduledAlpha } from './looks.ts'
import { mcnemarP } from './mcnemar.ts'
import { type DifferenceMethod, surroundDifference } from './paired-interval.ts'
import { signFlipTest } from './permutation.ts'
import { signFlipInterval } from './sign-flip-interval.ts'
import { averageFamilies } from './units.ts'

/** Which of how many looks at the same question this is: what alpha is left for it depends on that. */
export type Look =
  /** The only one. */
  | { readonly kind: 'single' }
  /** The j-th push to one pull request, 1 for the first. */
  | { readonly kind: 'push'; readonly j: number }
  /** One of `horizon` scheduled runs, a number fixed before the first. */
  | { readonly kind: 'scheduled'; readonly horizon: number }

/** A loss this large must be excluded before "not detected" is said: what the power of small corpora is stated for. */
export const DEFAULT_MARGIN = 0.1

/** One fixture: the share of its samples that passed in each row, in [0, 1]; null for no family. */
export type GateFixture = { readonly base: number; readonly head: number; readonly family: string | null }

export type GateOptions = {
  /** Two-sided, of all looks together. */
  readonly alpha: number
  /** The loss that "not detected" excludes, in (0, 1]. */
  readonly margin: number
  readonly look: Look
  /** Of each fixture in each row. */
  readonly samples: number
  /** For the intervals, and for the test where it is not exact. */
  readonly seed: number
  /** Of both intervals; without it as many as each takes by itself. The test does not depend on it. */
  readonly resamples?: number
}

export type PairedTest = 'mcnemar' | 'sign-flip' | 'sign-flip-estimated'

export type GateDecision = {
  /**
   * `regressed`: p <= alpha and a negative difference; the test's interval then lies below 0. `improved`: the same above.
   * `not-detected`: neither, and the cautious interval excludes a loss of the margin. `cannot-tell`: none of these.
   */
  readonly kind: 'regressed' | 'improved' | 'not-detected' | 'cannot-tell'
  /** Two-sided. */
  readonly p: number
  readonly test: PairedTest
  /** Head minus base, as the mean over units. */
  readonly difference: number
  /** The differences that the test does not reject at the alpha of this look: without 0 exactly where it rejects. */
  readonly testInterval: Interval
  /** The cautious one of level 1 - alpha of this look, which may hold 0 where the test rejects it. */
  readonly interval: Interval
  readonly method: DifferenceMethod
  /** The one-sided bound of the difference at half the alpha of this look: the low end of the cautious interval. */
  readonly nonInferiorityBound: number
  /** Units on which base passes more (b), and head (c). */
  readonly discordant: { readonly b: number; readonly c: number }
  readonly fixtures: number
  /** Independent units: a family counts once. */
  readonly n: number
  /** Of this look. */
  readonly alpha: number
  readonly margin: number
}

/**
 * The alpha of one look.
 *
 * @throws RangeError for alpha outside (0, 1), or a push or horizon that is no whole number of at least 1.
 */
export function findLookAlpha(alpha: number, look: Look): number {
  if (look.kind === 'push') return findPushAlpha(alpha, look.j)
  return findScheduledAlpha(alpha, look.kind === 'scheduled' ? look.horizon : 1)
}

/**
 * The gate over one pair of rows on the same fixtures. The test alone says whether there is a difference: the exact
 * McNemar test with one sample a fixture and no family of several, else the sign-flip permutation test. The interval of
 * `surroundDifference` says whether a loss is excluded: the test's own, which is narrower, covers too little for that
 * (docs/adr/0011-the-test-decides.md).
 *
 * @throws RangeError without fixtures, for a share outside [0, 1], or options out of range.
 */
export function decideGate(fixtures: readonly GateFixture[], options: GateOptions): GateDecision {
  const { margin, samples, seed, resamples } = options
  if (fixtures.length === 0) throw new RangeError('the gate needs at least one fixture')
  if (!(margin > 0 && margin <= 1)) throw new RangeError(`a margin must lie in (0, 1], got ${margin}`)
  if (!(Number.isInteger(samples) && samples >= 1)) {
    throw new RangeError(`samples must be a whole number of at least 1, got ${samples}`)
  }
  for (const { base, head } of fixtures) {
    if (!(base >= 0 && base <= 1 && head >= 0 && head <= 1)) {
      throw new RangeError(`shares lie in [0, 1], got ${base} and ${head}`)
    }
  }
  const alpha = findLookAlpha(options.alpha, options.look)
  const families = fixtures.map(({ family }) => family)
  const differences = averageFamilies(
    fixtures.map(({ base, head }) => head - base),
    families,
  ).map(dropRounding)
  const unitsAre = samples === 1 && differences.length === fixtures.length ? 'outcomes' : 'means'
  const { p, test } = testPairs(differences, { unitsAre, seed })
  const found = surroundDifference(differences, { unitsAre, alpha, seed, resamples })
  if (found === null) throw new Error('an interval of at least one unit is never null')
  const { interval, method } = found
  const difference = differences.reduce((sum, each) => sum + each, 0) / differences.length
  return {
    kind:
      p <= alpha
        ? difference < 0
          ? 'regressed'
          : 'improved'
        : interval.low > -margin
          ? 'not-detected'
          : 'cannot-tell',
    p,
    test,
    difference,
    testInterval: signFlipInterval(differences, { alpha, p, seed, resamples }).interval,
    interval,
    method,
    nonInferiorityBound: interval.low,
    discordant: countDiscordant(differences),
    fixtures: fixtures.length,
    n: differences.length,
    alpha,
    margin,
  }
}

/**
 * The two-sided test of paired differences that the design asks for.
 *
 * @param differences of independent units, in [-1, 1]; -1, 0 or 1 where they are outcomes
 */
export function testPairs(
  differences: readonly number[],
  { unitsAre, seed }: { readonly unitsAre: 'outcomes' | 'means'; readonly seed: number },
): { readonly p: number; readonly test: PairedTest } {
  if (unitsAre === 'outcomes') {
    const { b, c } = countDiscordant(differences)
    return { p: mcnemarP(b, c), test: 'mcnemar' }
  }
  const { p, kind } = signFlipTest(differences, { seed })
  return { p, test: kind === 'exact' ? 'sign-flip' : 'sign-flip-estimated' }
}

function countDiscordant(differences: readonly number[]): { readonly b: number; readonly c: number } {
  return {
    b: differences.filter((difference) => difference < 0).length,
    c: differences.filter((difference) => difference > 0).length,
  }
}

/** Means of shares that are equal on both sides may differ in their last bits. */
function dropRounding(difference: number): number {
  return Math.abs(difference) < 1e-12 ? 0 : difference
}
