import { bcaInterval } from './bootstrap.ts'
import { clopperPearson, type Interval, wilson } from './intervals.ts'

export type RateMethod = 'clopper-pearson' | 'bca' | 'wilson-on-means'

export type RateInterval = { readonly interval: Interval; readonly method: RateMethod }

export type RateOptions = {
  /** `outcomes`: each unit is one fixture with one sample, 0 or 1. `means`: several samples, or a family. */
  readonly unitsAre: 'outcomes' | 'means'
  /** 1 - confidence */
  readonly alpha: number
  readonly seed: number
  readonly resamples?: number | undefined
}

/** Below this number of units, and outside these rates, the bootstrap covers too little. */
const BCA_UNITS = 60
const BCA_RATES = { min: 0.1, max: 0.9 }

/**
 * The interval for a rate from independent units, by a method that depends on the design, the number of units and the
 * rate: Clopper-Pearson for outcomes; for means BCa, or Wilson on the means where there are under 60 units, the rate is
 * outside 10 to 90 %, or all units are equal. docs/statistics.md shows how far each covers.
 *
 * @param units rates in [0, 1]
 * @returns null without units.
 * @throws RangeError for a unit outside [0, 1], or between where they are outcomes, or options out of range.
 */
export function surroundRate(units: readonly number[], options: RateOptions): RateInterval | null {
  const { unitsAre, alpha, seed, resamples } = options
  const n = units.length
  for (const value of units) {
    if (!(value >= 0 && value <= 1)) throw new RangeError(`a unit's rate lies in [0, 1], got ${value}`)
    if (unitsAre === 'outcomes' && !Number.isInteger(value)) throw new RangeError(`an outcome is 0 or 1, got ${value}`)
  }
  const sum = units.reduce((total, value) => total + value, 0)
  if (unitsAre === 'outcomes') return named('clopper-pearson', clopperPearson(sum, n, alpha))
  const rate = sum / n
  if (n >= BCA_UNITS && rate >= BCA_RATES.min && rate <= BCA_RATES.max) {
    const found = bcaInterval(units, { alpha, seed, resamples })
    if (found.kind === 'interval') return named('bca', { low: found.low, high: found.high })
  }
  return named('wilson-on-means', wilson(sum, n, alpha))
}

function named(method: RateMethod, interval: Interval | null): RateInterval | null {
  return interval === null ? null : { interval, method }
}
