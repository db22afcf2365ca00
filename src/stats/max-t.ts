import { spreadDifference } from './adjusted-wald.ts'
import { RESAMPLES } from './bootstrap.ts'
import { countPairs, shareAlpha } from './holm.ts'
import type { Interval } from './intervals.ts'
import { invertNormalUpperTail } from './normal.ts'
import { createRandom } from './random.ts'
import { resampleSums, tabulateUnits } from './resampling.ts'

/** Rows by their index; the difference and its bounds are first minus second. */
export type PairInterval = {
  readonly first: number
  readonly second: number
  readonly difference: number
  readonly interval: Interval
}

export type SimultaneousIntervals = {
  /** In standard errors; between that of one pair and that of all pairs by Bonferroni. */
  readonly criticalValue: number
  readonly pairs: readonly PairInterval[]
}

export type MaxTOptions = {
  /** The chance that any of the intervals misses its true difference. */
  readonly alpha: number
  readonly seed: number
  readonly resamples?: number
}

/**
 * Intervals for the differences of all pairs of K rows on the same units, which hold together with a chance of about
 * 1 - alpha: single-step max-T by the bootstrap (Westfall and Young 1993, chapter 2; Romano and Wolf 2005).
 *
 * Units are resampled for all rows at once, so rows that pass and fail together need less correction. Each pair's
 * deviation from its observed difference is divided by its standard error, and the largest among pairs is taken; the
 * critical value is the 1 - alpha quantile of that. The standard error is the observed one, not the resample's, which
 * is 0 in many resamples of pairs that differ on few units. For the same pairs' sake the critical value is kept between
 * that of one pair and Bonferroni's, and the intervals are adjusted Wald intervals (`adjustDifference`).
 *
 * @param rows at least two, of rates in [0, 1], unit by unit
 * @returns pairs (0, 1), (0, 2) … (1, 2) …
 * @throws RangeError for fewer rows, rows of different or no units, a rate outside [0, 1], or options out of range.
 */
export function maxTIntervals(rows: readonly (readonly number[])[], options: MaxTOptions): SimultaneousIntervals {
  const { alpha, seed, resamples = RESAMPLES } = options
  checkRows(rows)
  if (!(Number.isInteger(resamples) && resamples >= 100)) {
    throw new RangeError(`resamples must be a whole number of at least 100, got ${resamples}`)
  }
  const n = rows[0]?.length ?? 0
  const pairs = listPairs(rows)
  const lowest = invertNormalUpperTail(alpha / 2)
  const highest = invertNormalUpperTail(shareAlpha(alpha, pairs.length) / 2)

  const largest = new Float64Array(resamples)
  resampleSums(tabulateUnits(rows), { resamples, random: createRandom(seed) }, (sums, resample) => {
    let most = 0
    for (const { first, second, sum, spread } of pairs) {
      const deviation = Math.abs((sums[first] as number) - (sums[second] as number) - sum)
      if (deviation > most * spread) most = deviation / spread
    }
    largest[resample] = most
  })
  largest.sort()
  const quantile = largest[Math.min(resamples - 1, Math.ceil((1 - alpha) * (resamples + 1)) - 1)] as number
  const criticalValue = Math.min(highest, Math.max(lowest, quantile))
  return {
    criticalValue,
    pairs: pairs.map(({ first, second, sum, squares }) => ({
      first,
      second,
      difference: sum / n,
      interval: spreadDifference(sum, squares, n, criticalValue),
    })),
  }
}

/** 1 is the best rank. */
export type RankInterval = { readonly best: number; readonly worst: number }

/**
 * What the simultaneous intervals say of each row's rank: from 1 + the rows surely better to K - the rows surely worse,
 * "surely" meaning that the pair's interval excludes 0. All K rank intervals hold their true ranks together with the
 * chance of the intervals (Al Mohamad et al. 2022, "Simultaneous confidence intervals for ranks with application to
 * ranking institutions"). Rows of equal true rates share every rank they span.
 *
 * @param rows the number K of rows
 */
export function listRankIntervals(rows: number, pairs: readonly PairInterval[]): RankInterval[] {
  const better = new Array<number>(rows).fill(0)
  const worse = new Array<number>(rows).fill(0)
  const count = (winner: number, loser: number): void => {
    better[loser] = (better[loser] as number) + 1
    worse[winner] = (worse[winner] as number) + 1
  }
  for (const { first, second, interval } of pairs) {
    if (interval.low > 0) count(first, second)
    if (interval.high < 0) count(second, first)
  }
  return better.map((surelyBetter, row) => ({ best: 1 + surelyBetter, worst: rows - (worse[row] as number) }))
}

function listPairs(rows: readonly (readonly number[])[]) {
  return rows.flatMap((firstRow, first) =>
    rows.slice(first + 1).map((secondRow, offset) => {
      const n = firstRow.length
      const differences = firstRow.map((rate, unit) => rate - (secondRow[unit] as number))
      const sum = differences.reduce((total, difference) => total + difference, 0)
      const squares = differences.reduce((total, difference) => total + difference * difference, 0)
      const isConstant = differences.every((difference) => difference === differences[0])
      // The standard deviation of a resampled sum; without one the pair cannot deviate.
      const spread = isConstant ? Number.POSITIVE_INFINITY : Math.sqrt(squares - (sum * sum) / n)
      return { first, second: first + 1 + offset, sum, squares, spread }
    }),
  )
}

function checkRows(rows: readonly (readonly number[])[]): void {
  if (countPairs(rows.length) < 1) throw new RangeError(`a comparison of all pairs needs two rows, got ${rows.length}`)
  const units = rows[0]?.length ?? 0
  for (const row of rows) {
    if (row.length !== units || units === 0) throw new RangeError(`rows of ${units} and of ${row.length} units`)
    for (const rate of row) if (!(rate >= 0 && rate <= 1)) throw new RangeError(`a rate lies in [0, 1], got ${rate}`)
  }
}
