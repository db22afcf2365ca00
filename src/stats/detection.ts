import { walkCriticalCounts } from './mcnemar.ts'

/** The chance that the exact two-sided McNemar test rejects, given the number of discordant pairs. */
export type Detection = (pairs: number) => number

/**
 * Tabulates, as far as it is asked, P(p <= alpha | pairs) when each discordant pair falls to the rarer
 * direction with probability `share`: P(X <= r) + P(X >= pairs - r), r the test's critical count.
 *
 * Each entry follows from the one before by the binomial's recurrences, so a table of m entries costs O(m).
 *
 * @param share the rarer direction's share of discordant pairs, in [0, 0.5]
 * @throws RangeError outside that range or for alpha outside (0, 1).
 */
export function tabulateDetection(alpha: number, share: number): Detection {
  if (!(share >= 0 && share <= 0.5)) throw new RangeError(`share must lie in [0, 0.5]: ${share}`)
  const criticalCounts = reuseCriticalCounts(alpha)
  const rarer = followTail(share)
  const commoner = followTail(1 - share)
  const table: number[] = []
  return (pairs) => {
    while (table.length <= pairs) {
      const count = criticalCounts(table.length)
      table.push(Math.min(1, rarer(table.length, count) + commoner(table.length, count)))
    }
    return table[pairs] as number
  }
}

/**
 * A number of discordant pairs from which the test detects with a chance of at least 1 - miss, however many
 * more there are.
 *
 * Hoeffding's inequality used twice: once under the null, which puts the critical count above
 * pairs/2 - √(pairs · ln(2/alpha) / 2) - 1, once under the alternative, whose count then has to climb
 * √pairs · (1/2 - share) - √(ln(2/alpha) / 2) root-pairs above its mean; that distance only grows with pairs.
 * Infinite for share = 0.5: without a gap nothing is ever surely detected.
 */
export function boundSurePairs(alpha: number, share: number, miss: number): number {
  const reach = Math.sqrt(Math.log(2 / alpha)) + Math.sqrt(Math.log(1 / miss))
  return Math.ceil((reach / (0.5 - share)) ** 2 / 2)
}

/** P(X <= count) for X ~ Binomial(pairs, p), called for pairs = 0, 1, 2, … with a count that grows by 0 or 1. */
function followTail(p: number): (pairs: number, count: number) => number {
  let last = -1
  let mass = 0 // P(X = last)
  let tail = 0 // P(X <= last)
  return (pairs, count) => {
    tail = Math.max(0, tail - p * mass)
    if (count > last) {
      mass = count === 0 ? (1 - p) ** pairs : ((mass * pairs) / count) * p
      tail += mass
    } else if (count >= 0) {
      mass *= (pairs / (pairs - count)) * (1 - p)
    }
    last = count
    return tail
  }
}

const tables = new Map<number, (pairs: number) => number>()
const MAX_TABLES = 64

/** The region depends on alpha alone and a power plan asks for it at hundreds of shares: kept between calls. */
function reuseCriticalCounts(alpha: number): (pairs: number) => number {
  const known = tables.get(alpha)
  if (known !== undefined) return known
  const walk = walkCriticalCounts(alpha)
  const counts: number[] = []
  const lookUp = (pairs: number): number => {
    while (counts.length <= pairs) counts.push(walk.next().value)
    return counts[pairs] as number
  }
  if (tables.size >= MAX_TABLES) tables.clear()
  tables.set(alpha, lookUp)
  return lookUp
}
