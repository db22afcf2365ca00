import type { Interval } from './intervals.ts'
import { invertNormalUpperTail } from './normal.ts'

/** What a difference's interval is built around, and its standard error; both shares of units. */
export type AdjustedDifference = { readonly centre: number; readonly standardError: number }

/**
 * The mean of n paired differences in [-1, 1] with two units added, one of -1 and one of 1, and its standard error
 * (Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired
 * data", who add them for differences of -1, 0 and 1). Without them, rows that differ on few units or none would look
 * far more alike than is known.
 *
 * @param sum of the differences
 * @param squares their sum of squares
 */
export function adjustDifference(sum: number, squares: number, n: number): AdjustedDifference {
  const units = n + 2
  return {
    centre: sum / units,
    standardError: Math.sqrt(Math.max(0, squares + 2 - (sum * sum) / units)) / units,
  }
}

/**
 * The adjusted Wald interval for the mean of paired differences: centre and standard error as above, normal quantiles.
 * It always holds the observed mean.
 *
 * @param differences in [-1, 1]
 * @param alpha 1 - confidence
 * @returns bounds in [-1, 1], or null without differences.
 * @throws RangeError for a difference outside [-1, 1] or alpha outside (0, 1).
 */
export function adjustedWald(differences: readonly number[], alpha = 0.05): Interval | null {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  let sum = 0
  let squares = 0
  for (const difference of differences) {
    if (!(difference >= -1 && difference <= 1)) {
      throw new RangeError(`a difference of two rates lies in [-1, 1], got ${difference}`)
    }
    sum += difference
    squares += difference * difference
  }
  const n = differences.length
  return n === 0 ? null : spreadDifference(sum, squares, n, invertNormalUpperTail(alpha / 2))
}

/** The interval of `critical` standard errors to both sides, cut to [-1, 1] and widened to hold the observed mean. */
export function spreadDifference(sum: number, squares: number, n: number, critical: number): Interval {
  const { centre, standardError } = adjustDifference(sum, squares, n)
  const observed = sum / n
  return {
    low: Math.max(-1, Math.min(observed, centre - critical * standardError)),
    high: Math.min(1, Math.max(observed, centre + critical * standardError)),
  }
}
