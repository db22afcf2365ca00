import { logGamma, regularisedBeta } from './beta.ts'

/**
 * ln P(X = k) for X ~ Binomial(n, p); -Infinity where the probability is 0.
 * The absolute error is about 1e-16 · n ln n.
 *
 * @throws RangeError unless n is a count, k an integer and 0 <= p <= 1.
 */
export function logBinomialPmf(k: number, n: number, p: number): number {
  checkBinomial(k, n, p)
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY
  const logWays = logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
  const logPasses = k === 0 ? 0 : k * Math.log(p)
  const logFails = k === n ? 0 : (n - k) * Math.log1p(-p)
  return (k === 0 || k === n ? 0 : logWays) + logPasses + logFails
}

/**
 * P(X <= k) for X ~ Binomial(n, p), as the incomplete beta function I_{1-p}(n-k, k+1) (DLMF 8.17.5).
 *
 * @throws RangeError unless n is a count, k an integer and 0 <= p <= 1.
 */
export function binomialCdf(k: number, n: number, p: number): number {
  checkBinomial(k, n, p)
  if (k < 0) return 0
  return k >= n ? 1 : regularisedBeta(1 - p, n - k, k + 1)
}

/**
 * The mean of f(X) for X ~ Binomial(n, p) and |f| <= 1.
 *
 * Weights are walked outwards from the mode by their ratio and divided by their sum, so no factorial
 * is ever formed; the walk ends where a weight is below 1e-30 of the mode's.
 */
export function averageOverBinomial(n: number, p: number, f: (k: number) => number): number {
  checkBinomial(0, n, p)
  const mode = Math.min(n, Math.floor((n + 1) * p))
  const odds = p / (1 - p)
  let total = 1
  let sum = f(mode)
  let weight = 1
  for (let k = mode; k < n && weight > NEGLIGIBLE; k++) {
    weight *= ((n - k) / (k + 1)) * odds
    total += weight
    sum += weight * f(k + 1)
  }
  weight = 1
  for (let k = mode; k > 0 && weight > NEGLIGIBLE; k--) {
    weight *= k / (n - k + 1) / odds
    total += weight
    sum += weight * f(k - 1)
  }
  return sum / total
}

const NEGLIGIBLE = 1e-30

function checkBinomial(k: number, n: number, p: number): void {
  if (Number.isInteger(n) && n >= 0 && Number.isInteger(k) && p >= 0 && p <= 1) return
  throw new RangeError(`a count n, an integer k and a probability p are needed, got n = ${n}, k = ${k}, p = ${p}`)
}
