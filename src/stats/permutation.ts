import { createRandom } from './random.ts'

export type SignFlipTest =
  | { readonly kind: 'exact'; readonly p: number }
  | { readonly kind: 'estimated'; readonly p: number; readonly resamples: number; readonly standardError: number }

export type SignFlipOptions = {
  /** Used only where the exact p-value would take too long. */
  readonly seed: number
  readonly resamples?: number
}

const RESAMPLES = 99_999
/** Exact by enumeration up to here, whatever the values. */
const MAX_ENUMERATED = 20

/**
 * The two-sided sign-flip permutation test of paired differences between two rows, one for each independent unit (a
 * fixture, or a family's mean): if the rows do not differ, each difference is as likely with the other sign. p is the
 * chance, over all ways to flip, of a sum at least as far from 0 as the observed (Fisher 1935; Pesarin and Salmaso
 * 2010). For one sample a fixture and no families it is the exact McNemar test.
 *
 * Exact where the differences are multiples of a common fraction (they are, for rates over n samples and means over
 * families) or at most 20 of them are not 0; else estimated from seeded random flips as (hits + 1) / (resamples + 1),
 * which is a valid p-value itself (Phipson and Smyth 2010).
 *
 * @param differences finite numbers, first row minus second
 * @returns p in (0, 1]; 1 where there is no difference at all. Exact values underflow to 0 past some 1,070 units.
 * @throws RangeError for a difference that is not finite, or options out of range.
 */
export function signFlipTest(differences: readonly number[], options: SignFlipOptions): SignFlipTest {
  const { seed, resamples = RESAMPLES } = options
  const nonzero = differences.filter((difference) => difference !== 0)
  if (!nonzero.every(Number.isFinite)) throw new RangeError('differences must be finite numbers')
  if (!(Number.isInteger(resamples) && resamples >= 1)) {
    throw new RangeError(`resamples must be a whole number of at least 1, got ${resamples}`)
  }
  const multiples = toMultiples(nonzero)
  if (multiples !== null) return { kind: 'exact', p: sumSignFlips(multiples) }
  if (nonzero.length <= MAX_ENUMERATED) return { kind: 'exact', p: enumerateSignFlips(nonzero) }
  const p = sampleSignFlips(nonzero, resamples, seed)
  return { kind: 'estimated', p, resamples, standardError: Math.sqrt((p * (1 - p)) / resamples) }
}

/**
 * The exact p-value of the same test for whole numbers: the distribution of the sum of those that keep a positive
 * sign, number after number, up to the smaller of the two sides' sums.
 *
 * @param differences whole numbers; zeros do not matter
 */
export function sumSignFlips(differences: readonly number[]): number {
  let positive = 0
  let negative = 0
  for (const difference of differences) {
    if (difference > 0) positive += difference
    else negative -= difference
  }
  const smaller = Math.min(positive, negative)
  if (positive === negative) return 1
  const chances = new Float64Array(smaller + 1)
  chances[0] = 1
  let reached = 0
  for (const difference of differences) {
    const size = Math.abs(difference)
    if (size === 0) continue
    reached = Math.min(smaller, reached + size)
    for (let sum = reached; sum >= size; sum--) {
      chances[sum] = ((chances[sum] as number) + (chances[sum - size] as number)) / 2
    }
    for (let sum = Math.min(size - 1, reached); sum >= 0; sum--) chances[sum] = (chances[sum] as number) / 2
  }
  return Math.min(1, 2 * chances.reduce((tail, chance) => tail + chance, 0))
}

/** Cells visited by the exact sum, at most: under half a second. */
const MAX_CELLS = 2e8
/** Cells kept by it, at most: 16 MB. */
const MAX_SUMS = 2e6
const MAX_DENOMINATOR = 10_000

/** The differences in units of their largest common fraction; null where none makes the exact sum affordable. */
function toMultiples(differences: readonly number[]): readonly number[] | null {
  // Differences of rates carry the rounding of rates, which are larger.
  const slack = 1e-13 * differences.reduce((largest, difference) => Math.max(largest, Math.abs(difference)), 0)
  let common = 1
  for (const difference of differences) {
    const denominator = findDenominator(Math.abs(difference), slack)
    if (denominator === null) return null
    common *= denominator / greatestCommonDivisor(common, denominator)
    if (common > MAX_CELLS) return null
  }
  const multiples = differences.map((difference) => Math.round(difference * common))
  const divisor = multiples.reduce((found, multiple) => greatestCommonDivisor(found, Math.abs(multiple)), 0)
  const reduced = multiples.map((multiple) => multiple / Math.max(1, divisor))
  const total = reduced.reduce((sum, multiple) => sum + Math.abs(multiple), 0)
  return total / 2 <= MAX_SUMS && (total / 2) * reduced.length <= MAX_CELLS ? reduced : null
}

/**
 * The denominator of the fraction that a positive value stands for, by its continued fraction; null where none up to
 * 10,000 is within `slack` of it.
 */
function findDenominator(value: number, slack: number): number | null {
  let rest = value
  let [last, denominator] = [0, 1]
  for (;;) {
    const numerator = Math.round(value * denominator)
    if (Math.abs(value * denominator - numerator) <= slack * denominator) return denominator
    rest = 1 / (rest - Math.floor(rest))
    ;[last, denominator] = [denominator, last + Math.floor(rest) * denominator]
    if (!(denominator <= MAX_DENOMINATOR)) return null
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** Sums of the same numbers in another order differ in their last bits: within this share of the total they are equal. */
const SAME = 1e-12

/** All flips, as all sums of one half of the differences with all sums of the other. */
function enumerateSignFlips(differences: readonly number[]): number {
  const half = differences.length >> 1
  const lefts = listSignedSums(differences.slice(0, half))
  const rights = listSignedSums(differences.slice(half))
  const threshold = findThreshold(differences)
  let hits = 0
  for (const left of lefts) {
    for (const right of rights) if (Math.abs(left + right) >= threshold) hits += 1
  }
  return hits / 2 ** differences.length
}

function listSignedSums(differences: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** differences.length)
  let filled = 1
  for (const difference of differences) {
    for (let at = 0; at < filled; at++) {
      const sum = sums[at] as number
      sums[at] = sum + difference
      sums[filled + at] = sum - difference
    }
    filled *= 2
  }
  return sums
}

function sampleSignFlips(differences: readonly number[], resamples: number, seed: number): number {
  const { drawUint32 } = createRandom(seed)
  const values = Float64Array.from(differences)
  const threshold = findThreshold(differences)
  let hits = 0
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0
    let bits = 0
    for (let at = 0; at < values.length; at++) {
      if (at % 32 === 0) bits = drawUint32()
      sum += bits & 1 ? (values[at] as number) : -(values[at] as number)
      bits >>>= 1
    }
    if (Math.abs(sum) >= threshold) hits += 1
  }
  return (hits + 1) / (resamples + 1)
}

function findThreshold(differences: readonly number[]): number {
  let sum = 0
  let total = 0
  for (const difference of differences) {
    sum += difference
    total += Math.abs(difference)
  }
  return Math.abs(sum) - SAME * total
}
