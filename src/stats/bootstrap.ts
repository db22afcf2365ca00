import { invertNormalCdf, invertNormalUpperTail, normalCdf } from './normal.ts'
import { createRandom } from './random.ts'
import { resampleSums, tabulateUnits } from './resampling.ts'

export type BootstrapOptions = {
  /** 1 - confidence */
  readonly alpha: number
  readonly seed: number
  readonly resamples?: number | undefined
}

export type BootstrapInterval =
  | { readonly kind: 'interval'; readonly low: number; readonly high: number }
  | { readonly kind: 'degenerate'; readonly reason: string }

export const RESAMPLES = 10_000

/**
 * The bias-corrected and accelerated (BCa) bootstrap interval for the mean of independent units (Efron 1987, "Better
 * bootstrap confidence intervals"; Efron and Tibshirani 1993, chapter 14). Units are rates of fixtures or families, or
 * differences of two rows on them.
 *
 * The bias correction counts resampled means equal to the observed one by half; the acceleration is the jackknife's,
 * which for a mean is the sum of cubed deviations over 6 times the sum of squared ones to 3/2. Quantiles of the
 * resampled means are interpolated linearly. Bounds lie within the units' smallest and largest value.
 *
 * @param units at least one finite number
 * @returns `degenerate` where all units are equal: resampling then says nothing of what others would be.
 * @throws RangeError for no units, a value that is not finite, or options out of range.
 */
export function bcaInterval(units: readonly number[], options: BootstrapOptions): BootstrapInterval {
  const { alpha, seed, resamples = RESAMPLES } = options
  checkOptions(alpha, resamples)
  const table = tabulateUnits([units])
  const mean = units.reduce((sum, value) => sum + value, 0) / units.length
  const acceleration = findAcceleration(units, mean)
  if (acceleration === null)
    return { kind: 'degenerate', reason: `all ${units.length} units have the value ${units[0]}` }

  const means = new Float64Array(resamples)
  resampleSums(table, { resamples, random: createRandom(seed) }, (sums, resample) => {
    means[resample] = (sums[0] as number) / units.length
  })
  const below = shareBelow(means, mean)
  if (below === 0 || below === 1)
    return { kind: 'degenerate', reason: 'all resampled means lie on one side of the observed' }

  means.sort()
  const bias = invertNormalCdf(below)
  const z = invertNormalUpperTail(alpha / 2)
  return {
    kind: 'interval',
    low: interpolateQuantile(means, correctLevel(bias, -z, acceleration)),
    high: interpolateQuantile(means, correctLevel(bias, z, acceleration)),
  }
}

/** Null without variance. */
function findAcceleration(units: readonly number[], mean: number): number | null {
  let squares = 0
  let cubes = 0
  for (const value of units) {
    const deviation = value - mean
    squares += deviation * deviation
    cubes += deviation ** 3
  }
  return units.every((value) => value === units[0]) ? null : cubes / (6 * squares ** 1.5)
}

/** Sums of the same values in another order differ in their last bits: within this, means are equal. */
const SAME = 1e-12

function shareBelow(means: Float64Array, mean: number): number {
  const slack = SAME * Math.max(1, Math.abs(mean))
  let halves = 0
  for (const value of means) {
    if (value < mean - slack) halves += 2
    else if (value <= mean + slack) halves += 1
  }
  return halves / (2 * means.length)
}

function correctLevel(bias: number, z: number, acceleration: number): number {
  const shifted = bias + z
  const scale = 1 - acceleration * shifted
  // Past its pole the correction means the outermost resample.
  if (scale <= 0) return shifted > 0 ? 1 : 0
  return normalCdf(bias + shifted / scale)
}

function interpolateQuantile(sorted: Float64Array, level: number): number {
  const at = level * (sorted.length - 1)
  const before = Math.floor(at)
  const low = sorted[before] as number
  const high = sorted[Math.min(before + 1, sorted.length - 1)] as number
  return low + (high - low) * (at - before)
}

function checkOptions(alpha: number, resamples: number): void {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  if (!(Number.isInteger(resamples) && resamples >= 100)) {
    throw new RangeError(`resamples must be a whole number of at least 100, got ${resamples}`)
  }
}
