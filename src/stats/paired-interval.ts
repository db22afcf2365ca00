import { adjustedWald } from './adjusted-wald.ts'
import { type BootstrapInterval, bcaIntervals } from './bootstrap.ts'
import type { Interval } from './intervals.ts'
import type { RateOptions } from './multi-sample-interval.ts'
import { tango } from './tango.ts'

export type DifferenceMethod = 'tango' | 'bca' | 'adjusted-wald'

/** Bounds in [-1, 1] of the first row's rate minus the second's. */
export type DifferenceInterval = { readonly interval: Interval; readonly method: DifferenceMethod }

export type DifferenceBound = { readonly bound: number; readonly method: DifferenceMethod }

/** With fewer units, or fewer on which the rows differ, the bootstrap covers too little. */
const BCA_UNITS = 60
const BCA_DIFFERING = 40

/**
 * The interval for the difference of two rows on the same independent units: Tango's for outcomes; for means BCa, or
 * the adjusted Wald interval where there are under 60 units or the rows differ on under 40. docs/statistics.md shows
 * how far each covers.
 *
 * @param differences in [-1, 1], first row minus second
 * @returns null without units.
 * @throws RangeError for a difference outside [-1, 1], or a fraction where units are outcomes, or options out of range.
 */
export function surroundDifference(differences: readonly number[], options: RateOptions): DifferenceInterval | null {
  const { alpha, ...rest } = options
  return surroundDifferences([differences], { ...rest, alphas: [alpha] })[0]?.[0] ?? null
}

/** Rows whose resampled means are kept at a time. */
const BATCH = 64

/**
 * The same for many differences at several levels: the very intervals that each has by itself, at a small part of the
 * bootstrap's price.
 *
 * @returns one list for each row of differences, with one interval for each alpha.
 */
export function surroundDifferences(
  rows: readonly (readonly number[])[],
  options: Omit<RateOptions, 'alpha'> & { readonly alphas: readonly number[] },
): (DifferenceInterval | null)[][] {
  const { unitsAre, alphas, seed, resamples } = options
  for (const differences of rows) checkDifferences(differences, unitsAre)
  const isResampled = (differences: readonly number[]): boolean =>
    unitsAre === 'means' &&
    differences.length >= BCA_UNITS &&
    differences.filter((difference) => difference !== 0).length >= BCA_DIFFERING
  const resampled = new Map<readonly number[], readonly BootstrapInterval[]>()
  const sizes = new Set(rows.map(({ length }) => length))
  for (const size of sizes) {
    const alike = rows.filter((differences) => differences.length === size && isResampled(differences))
    for (let from = 0; from < alike.length; from += BATCH) {
      const batch = alike.slice(from, from + BATCH)
      const found = bcaIntervals(batch, { alphas, seed, resamples })
      for (const [row, differences] of batch.entries()) resampled.set(differences, found[row] ?? [])
    }
  }
  return rows.map((differences) =>
    alphas.map((alpha, level) => {
      if (unitsAre === 'outcomes') return named('tango', tangoOf(differences, alpha))
      const found = resampled.get(differences)?.[level]
      return found?.kind === 'interval'
        ? named('bca', { low: found.low, high: found.high })
        : named('adjusted-wald', adjustedWald(differences, alpha))
    }),
  )
}

function tangoOf(differences: readonly number[], alpha: number): Interval | null {
  const b = differences.filter((difference) => difference > 0).length
  const c = differences.filter((difference) => difference < 0).length
  return tango(b, c, differences.length, alpha)
}

/**
 * The one-sided lower bound by the same choice of methods: it lies above the true difference with a chance of alpha.
 *
 * @throws RangeError as `surroundDifference`, and unless alpha < 0.5.
 */
export function boundDifference(differences: readonly number[], options: RateOptions): DifferenceBound | null {
  const { alpha } = options
  if (!(alpha > 0 && alpha < 0.5)) throw new RangeError(`a one-sided alpha must lie in (0, 0.5), got ${alpha}`)
  const found = surroundDifference(differences, { ...options, alpha: 2 * alpha })
  return found === null ? null : { bound: found.interval.low, method: found.method }
}

function checkDifferences(differences: readonly number[], unitsAre: RateOptions['unitsAre']): void {
  for (const difference of differences) {
    if (!(difference >= -1 && difference <= 1)) {
      throw new RangeError(`a difference of two rates lies in [-1, 1], got ${difference}`)
    }
    if (unitsAre === 'outcomes' && !Number.isInteger(difference)) {
      throw new RangeError(`a difference of two outcomes is -1, 0 or 1, got ${difference}`)
    }
  }
}

function named(method: DifferenceMethod, interval: Interval | null): DifferenceInterval | null {
  return interval === null ? null : { interval, method }
}
