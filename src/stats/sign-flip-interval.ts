import type { Interval } from './intervals.ts'
import { surroundOutcomes } from './outcome-subsets.ts'
import { createRandom } from './random.ts'

export type SignFlipInterval = {
  readonly interval: Interval
  /** Random subsets; null where the interval is exact. */
  readonly resamples: number | null
  /** Standard error of the level of each bound, which is alpha / 2; 0 where the interval is exact. */
  readonly levelError: number
}

export type SignFlipIntervalOptions = {
  /** 1 - confidence */
  readonly alpha: number
  /** Of the sign-flip test of these differences: it says on which side of 0 an estimated bound lies. */
  readonly p: number
  /** Used only where the interval is estimated. */
  readonly seed: number
  readonly resamples?: number | undefined
}

const RESAMPLES = 19_999
/** With up to here all subsets are listed. */
const MAX_LISTED = 16
const BYTE = 256
/** Sums of the same numbers in another order differ in their last bits: within this share of the total they are equal. */
const SAME = 1e-12

/**
 * The interval that belongs to the sign-flip test: all shifts of the differences that it does not reject. The flips of
 * d - shift whose sum is at least the observed one are those whose flipped units have a mean of at most the shift, so the
 * bounds are quantiles of the means of random subsets, the empty one below and above all others. Such means are Hartigan's
 * typical values of the centre (1969, "Using subsample values as typical values"): it holds the centre of a symmetric
 * distribution of differences with a chance of at least 1 - alpha. It excludes 0 exactly where p <= alpha.
 *
 * Exact where all differences are -1, 0 or 1, and for up to 16 units; else estimated from random subsets.
 *
 * Where few units differ the shifts that it supposes, of all units alike, are not those that there can be: it then holds
 * the mean less often (docs/statistics.md), and is no ground for saying how large a difference is not.
 *
 * @param differences in [-1, 1], at least one
 * @returns bounds in [-1, 1], around the observed mean.
 * @throws RangeError without differences, for one outside [-1, 1], or options out of range.
 */
export function signFlipInterval(differences: readonly number[], options: SignFlipIntervalOptions): SignFlipInterval {
  const { alpha, p, seed, resamples = RESAMPLES } = options
  checkOptions(differences, alpha, resamples)
  const outcomes = surroundOutcomes(differences, alpha)
  if (outcomes !== null) return { interval: outcomes, resamples: null, levelError: 0 }
  const n = differences.length
  const isListed = n <= MAX_LISTED
  const means = isListed ? listSubsetMeans(differences) : drawSubsetMeans(differences, resamples, seed)
  means.sort()
  // The empty subset is one of them, and lies beyond both ends: the first place is its own.
  const place = Math.floor((alpha / 2) * (means.length + 1))
  const low = place === 0 ? -1 : (means[place - 1] as number)
  const high = place === 0 ? 1 : (means[means.length - place] as number)
  if (isListed) return { interval: { low, high }, resamples: null, levelError: 0 }
  const level = alpha / 2
  return {
    interval: heedTest({ low, high }, means, { isRejected: p <= alpha, observed: meanOf(differences) }),
    resamples,
    levelError: Math.sqrt((level * (1 - level)) / resamples),
  }
}

/** Means of all subsets but the empty one. */
function listSubsetMeans(differences: readonly number[]): Float64Array {
  const slack = findSlack(differences)
  const sums = new Float64Array(2 ** differences.length)
  const sizes = new Uint8Array(sums.length)
  let filled = 1
  for (const difference of differences) {
    for (let at = 0; at < filled; at++) {
      sums[filled + at] = (sums[at] as number) + difference
      sizes[filled + at] = (sizes[at] as number) + 1
    }
    filled *= 2
  }
  return sums.map((sum, at) => toMean(sum, sizes[at] as number, slack)).subarray(1)
}

/** Means of subsets to which each unit belongs with a chance of one half; an empty one is drawn again. */
function drawSubsetMeans(differences: readonly number[], resamples: number, seed: number): Float64Array {
  const { drawUint32 } = createRandom(seed)
  const slack = findSlack(differences)
  // The sums of eight units at once, for each of their subsets: a draw then looks up one number in eight.
  const bytes = Math.ceil(differences.length / 8)
  const sums = new Float64Array(bytes * BYTE)
  for (const [unit, difference] of differences.entries()) {
    const [start, bit] = [(unit >> 3) * BYTE, 1 << (unit & 7)]
    for (let subset = 0; subset < BYTE; subset++) if (subset & bit) addAt(sums, start + subset, difference)
  }
  const rest = differences.length & 7
  const mask = rest === 0 ? BYTE - 1 : (1 << rest) - 1
  const means = new Float64Array(resamples)
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0
    let size = 0
    let bits = 0
    for (let byte = 0; byte < bytes; byte++) {
      if ((byte & 3) === 0) bits = drawUint32()
      const subset = bits & (byte === bytes - 1 ? mask : BYTE - 1)
      sum += sums[byte * BYTE + subset] as number
      size += SIZES[subset] as number
      bits >>>= 8
    }
    if (size === 0) resample -= 1
    else means[resample] = toMean(sum, size, slack)
  }
  return means
}

/** How many bits of a byte are set. */
const SIZES = Uint8Array.from({ length: BYTE }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

function addAt(numbers: Float64Array, at: number, value: number): void {
  numbers[at] = (numbers[at] as number) + value
}

function toMean(sum: number, size: number, slack: number): number {
  return Math.abs(sum) <= slack ? 0 : sum / size
}

function findSlack(differences: readonly number[]): number {
  return SAME * differences.reduce((total, difference) => total + Math.abs(difference), 0)
}

/**
 * Estimated bounds on the side of 0 that the test says: they may miss it by their error, and the nearest mean on that
 * side then stands in.
 */
function heedTest(
  { low, high }: Interval,
  sorted: Float64Array,
  { isRejected, observed }: { readonly isRejected: boolean; readonly observed: number },
): Interval {
  if (!isRejected) return { low: Math.min(low, 0, observed), high: Math.max(high, 0, observed) }
  if (observed < 0) {
    const nearest = sorted.findLast((mean) => mean < 0) ?? observed
    return { low: Math.min(low, observed), high: Math.max(observed, high < 0 ? high : nearest) }
  }
  const nearest = sorted.find((mean) => mean > 0) ?? observed
  return { low: Math.min(observed, low > 0 ? low : nearest), high: Math.max(high, observed) }
}

function meanOf(differences: readonly number[]): number {
  return differences.reduce((sum, difference) => sum + difference, 0) / differences.length
}

function checkOptions(differences: readonly number[], alpha: number, resamples: number): void {
  if (differences.length === 0) throw new RangeError('an interval needs at least one difference')
  for (const difference of differences) {
    if (!(difference >= -1 && difference <= 1)) {
      throw new RangeError(`a difference of two rates lies in [-1, 1], got ${difference}`)
    }
  }
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  if (!(Number.isInteger(resamples) && resamples >= 100)) {
    throw new RangeError(`resamples must be a whole number of at least 100, got ${resamples}`)
  }
}
