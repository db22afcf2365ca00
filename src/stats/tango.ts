import type { Interval } from './intervals.ts'
import { invertNormalUpperTail } from './normal.ts'

/**
 * Tango's score interval for the difference of two paired rates, (b - c) / n, where b of n fixtures are passed only by
 * the first row and c only by the second (Tango 1998, "Equivalence test and confidence interval for the difference in
 * proportions for the paired-sample design"): all differences that the score test does not reject. Unlike Wald's it
 * is an interval where b = c = 0, and stays in [-1, 1].
 *
 * b and c may be fractional: the sums of the positive and of the negative parts of n differences in [-1, 1]. The
 * interval is then not too narrow, since of all such differences with these sums those of -1, 0 and 1 vary most; it is
 * often far too wide.
 *
 * @param alpha 1 - confidence
 * @returns bounds in [-1, 1], or null when n = 0.
 * @throws RangeError unless n is a count, b, c >= 0, b + c <= n and 0 < alpha < 1.
 */
export function tango(b: number, c: number, n: number, alpha = 0.05): Interval | null {
  checkPairedCounts(b, c, n)
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  if (n === 0) return null
  const z = invertNormalUpperTail(alpha / 2)
  return { low: -findUpperBound(c, b, n, z), high: findUpperBound(b, c, n, z) }
}

/**
 * The one-sided lower bound by the same score test: it lies above the true difference with a chance of alpha. It is
 * the low end of the two-sided interval of 2 · alpha.
 *
 * @returns a bound in [-1, 1], or null when n = 0.
 * @throws RangeError as `tango`, and unless alpha < 0.5.
 */
export function tangoLowerBound(b: number, c: number, n: number, alpha = 0.05): number | null {
  if (!(alpha > 0 && alpha < 0.5)) throw new RangeError(`a one-sided alpha must lie in (0, 0.5), got ${alpha}`)
  return tango(b, c, n, 2 * alpha)?.low ?? null
}

/**
 * The score statistic of the hypothesis that the difference is `difference`: standard normal under it, positive where
 * the observed difference is larger. The variance is that of the most likely rates that differ by `difference`.
 *
 * @returns an infinity where the hypothesis leaves no variance and the observed difference is another; 0 where it is the same.
 * @throws RangeError as `tango`, and unless n > 0 and -1 <= difference <= 1.
 */
export function tangoScore(b: number, c: number, n: number, difference: number): number {
  checkPairedCounts(b, c, n)
  if (!(n > 0 && difference >= -1 && difference <= 1)) {
    throw new RangeError(`a score needs n > 0 and a difference in [-1, 1], got n = ${n}, ${difference}`)
  }
  if (difference < 0) return -tangoScore(c, b, n, -difference)
  const excess = b - c - n * difference
  return excess === 0 ? 0 : excess / Math.sqrt(n * findVariance(b, c, n, difference))
}

/**
 * The difference above the observed one whose score is -z, by halving to the last bit; the score falls as the
 * hypothesis rises.
 */
function findUpperBound(b: number, c: number, n: number, z: number): number {
  let low = (b - c) / n
  let high = 1
  for (;;) {
    const middle = (low + high) / 2
    if (!(middle > low && middle < high)) return middle
    if (tangoScore(b, c, n, middle) <= -z) high = middle
    else low = middle
  }
}

/**
 * The variance of one fixture's outcome difference, 2q + δ(1 - δ), with q the constrained maximum-likelihood rate of
 * the second row passing alone (Tango 1998); for δ >= 0, where all its terms are positive.
 */
function findVariance(b: number, c: number, n: number, difference: number): number {
  const linear = (2 * n - b + c) * difference - b - c
  const constant = c * difference * (1 - difference)
  const root = Math.sqrt(linear * linear + 8 * n * constant)
  // The larger root of 2n q² + linear q - constant = 0, in the form that does not cancel.
  const q = linear > 0 ? (2 * constant) / (root + linear) : (root - linear) / (4 * n)
  return 2 * q + difference * (1 - difference)
}

function checkPairedCounts(b: number, c: number, n: number): void {
  // A rounding's worth of slack for sums of fractions.
  if (Number.isInteger(n) && n >= 0 && b >= 0 && c >= 0 && b + c <= n * (1 + 1e-12)) return
  throw new RangeError(`b = ${b} and c = ${c} out of n = ${n} fixtures are not a paired comparison`)
}
