import { invertRegularisedBeta } from './beta.ts'
import type { Interval } from './intervals.ts'

export type PairedRatio =
  | { readonly kind: 'ratio'; readonly ratio: number; readonly interval: Interval }
  | { readonly kind: 'unknown'; readonly ratio: number | null; readonly reason: string }

/**
 * The ratio of two means over the same independent units, second over first, for amounts such as tokens, costs or
 * times. The interval is symmetric in the logarithm: ln(ȳ/x̄) ± t · s/√n, where s is the standard deviation of
 * yᵢ/ȳ - xᵢ/x̄ (the delta method for a ratio; Cochran 1977, "Sampling Techniques", section 6.3, on the log scale) and
 * t is Student's with n - 1 degrees of freedom.
 *
 * @param pairs amounts of 0 or more
 * @returns `unknown` with the ratio but no interval for one unit, for a second mean of 0 and where all units have the
 *   same ratio of shares; without a ratio for no unit and for a first mean of 0.
 * @throws RangeError for an amount that is negative or not finite, or alpha outside (0, 1).
 */
export function ratioOfMeans(
  pairs: readonly { readonly first: number; readonly second: number }[],
  alpha = 0.05,
): PairedRatio {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  for (const { first, second } of pairs) {
    if (!(first >= 0 && second >= 0 && Number.isFinite(first + second))) {
      throw new RangeError(`amounts must be 0 or more, got ${first} and ${second}`)
    }
  }
  const n = pairs.length
  const unknown = (ratio: number | null, reason: string): PairedRatio => ({ kind: 'unknown', ratio, reason })
  if (n === 0) return unknown(null, 'there is nothing to compare')
  const x = pairs.reduce((sum, { first }) => sum + first, 0) / n
  const y = pairs.reduce((sum, { second }) => sum + second, 0) / n
  if (x === 0) return unknown(null, 'the first amount is 0')
  const ratio = y / x
  if (y === 0) return unknown(ratio, 'the second amount is 0')
  if (n === 1) return unknown(ratio, 'one problem has no spread')
  const squares = pairs.reduce((sum, { first, second }) => sum + (second / y - first / x) ** 2, 0)
  const standardError = Math.sqrt(squares / (n - 1) / n)
  // Below this it is the rounding of equal shares.
  if (standardError < 1e-12) return unknown(ratio, 'all problems have the same ratio')
  const reach = studentQuantile(alpha, n - 1) * standardError
  return { kind: 'ratio', ratio, interval: { low: ratio * Math.exp(-reach), high: ratio * Math.exp(reach) } }
}

/** The t with P(|T| > t) = alpha, from the beta distribution of ν / (ν + T²). */
function studentQuantile(alpha: number, degrees: number): number {
  const share = invertRegularisedBeta(alpha, degrees / 2, 0.5)
  return Math.sqrt((degrees * (1 - share)) / share)
}
