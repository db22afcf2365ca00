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
  const { alpha, ...rest } = options
  return bcaIntervals([units], { ...rest, alphas: [alpha] })[0]?.[0] as BootstrapInterval
}

/**
 * The same of rows over as many units each, at several levels: the very intervals that each has by itself, but drawn
 * once for all of them.
 *
 * @returns one list for each row, with one interval for each alpha.
 * @throws RangeError as `bcaInterval`, and for rows of different numbers of units.
 */
export function bcaIntervals(
  rows: readonly (readonly number[])[],
  options: Omit<BootstrapOptions, 'alpha'> & { readonly alphas: readonly number[] },
): BootstrapInterval[][] {
  const { alphas, seed, resamples = RESAMPLES } = options
  for (const alpha of alphas) checkOptions(alpha, resamples)
  const table = tabulateUnits(rows)
  const means = rows.map(() => new Float64Array(resamples))
  resampleSums(table, { resamples, random: createRandom(seed) }, (sums, resample) => {
    for (const [row, own] of means.entries()) own[resample] = (sums[row] as number) / table.units
  })
  return rows.map((units, row) => correctBounds(units, means[row] as Float64Array, alphas))
}

/** @param means of resamples of the units, which it sorts */
function correctBounds(units: readonly number[], means: Float64Array, alphas: readonly number[]): BootstrapInterval[] {
  const degenerate = (reason: string) => alphas.map(() => ({ kind: 'degenerate', reason }) as const)
  const mean = units.reduce((sum, value) => sum + value, 0) / units.length
  const acceleration = findAcceleration(units, mean)
  if (acceleration === null) return degenerate(`all ${units.length} units have the value ${units[0]}`)
  const below = shareBelow(means, mean)
  if (below === 0 || below === 1) return degenerate('all resampled means lie on one side of the observed')
  means.sort()
  const bias = invertNormalCdf(below)
  return alphas.map((alpha) => {
    const z = invertNormalUpperTail(alpha / 2)
    return {
      kind: 'interval',
      low: interpolateQuantile(means, correctLevel(bias, -z, acceleration)),
      high: interpolateQuantile(means, correctLevel(bias, z, acceleration)),
    }
  })
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
