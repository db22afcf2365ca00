import { invertRegularisedBeta } from './beta.ts'
import { invertNormalUpperTail } from './normal.ts'

/** Bounds of a rate, both in [0, 1]. */
export type Interval = { readonly low: number; readonly high: number }

/**
 * The Clopper-Pearson interval for a rate, from `successes` out of `n` independent trials: it covers
 * with at least 1 - alpha for every true rate (Clopper and Pearson 1934).
 *
 * @param alpha 1 - confidence
 * @returns null when n = 0: there is no estimate to surround.
 * @throws RangeError unless both are counts with successes <= n, and 0 < alpha < 1.
 */
export function clopperPearson(successes: number, n: number, alpha = 0.05): Interval | null {
  checkRate(successes, n, alpha)
  if (!Number.isInteger(successes)) {
    throw new RangeError(`Clopper-Pearson needs a whole number of successes, got ${successes}`)
  }
  if (n === 0) return null
  return {
    low: boundFromBelow(successes, n, alpha),
    high: 1 - boundFromBelow(n - successes, n, alpha),
  }
}

/**
 * Wilson's score interval for a rate (Wilson 1927). It covers 1 - alpha on average rather than always.
 *
 * @param successes may be fractional (a sum of fixture means)
 * @param alpha 1 - confidence
 * @returns null when n = 0.
 * @throws RangeError unless n is a count, 0 <= successes <= n and 0 < alpha < 1.
 */
export function wilson(successes: number, n: number, alpha = 0.05): Interval | null {
  checkRate(successes, n, alpha)
  if (n === 0) return null
  const z = invertNormalUpperTail(alpha / 2)
  return { low: scoreRoot(successes, n, z), high: 1 - scoreRoot(n - successes, n, z) }
}

function boundFromBelow(successes: number, n: number, alpha: number): number {
  if (successes === 0) return 0
  return invertRegularisedBeta(alpha / 2, successes, n - successes + 1)
}

/**
 * The smaller root of the score equation, from the product of the two roots: exactly 0 at 0 successes,
 * where the textbook difference would cancel.
 */
function scoreRoot(successes: number, n: number, z: number): number {
  const spread = z * Math.sqrt(z * z + (4 * successes * (n - successes)) / n)
  return (2 * successes * successes) / n / (2 * successes + z * z + spread)
}

function checkRate(successes: number, n: number, alpha: number): void {
  if (!(Number.isInteger(n) && n >= 0 && successes >= 0 && successes <= n)) {
    throw new RangeError(`${successes} successes out of ${n} trials are not a rate`)
  }
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
}
