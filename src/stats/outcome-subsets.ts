import type { Interval } from './intervals.ts'

/** More units than this would take seconds. */
const MAX_UNITS = 10_000
/** A weight below this share of the largest is left out, far below any alpha that a look can have. */
const NEGLIGIBLE = 1e-30
/** Sums of weights are the same within this share. */
const SAME = 1e-12

type Counts = { readonly lost: number; readonly won: number; readonly even: number }
type Weighted = { readonly from: number; readonly weights: readonly number[] }

/**
 * The exact interval of `signFlipInterval` for differences that are all -1, 0 or 1: a random subset holds i of the units
 * that are -1, j of those that are 1 and k of those that are 0, three independent binomials with a chance of one half,
 * and its mean is (j - i) / (i + j + k).
 *
 * @returns null for other differences, and for more than 10,000 units.
 */
export function surroundOutcomes(differences: readonly number[], alpha: number): Interval | null {
  if (differences.length > MAX_UNITS || !differences.every((each) => each === 0 || Math.abs(each) === 1)) return null
  const lost = differences.filter((each) => each === -1).length
  const won = differences.filter((each) => each === 1).length
  const even = differences.length - lost - won
  const low = findLow({ lost, won, even }, alpha / 2)
  const high = findLow({ lost: won, won: lost, even }, alpha / 2)
  return { low, high: high === 0 ? 0 : -high }
}

/** The least mean of a subset at or below which more than that share of them lies; the empty one lies below all others. */
function findLow(counts: Counts, level: number): number {
  const shareUpTo = measureMeans(counts)
  const isLow = (mean: number) => shareUpTo(mean) <= level * (1 + SAME)
  let [below, above] = [-1, 1]
  if (!isLow(below)) return below
  const n = counts.lost + counts.won + counts.even
  // Different means are at least 1 / n² apart.
  while (above - below > 1 / (4 * n * n)) {
    const middle = (below + above) / 2
    if (isLow(middle)) below = middle
    else above = middle
  }
  return findFraction(above, n)
}

/** The share of subsets whose mean is at most the given one, the empty subset among them. */
function measureMeans({ lost, won, even }: Counts): (mean: number) => number {
  const [ofLost, ofWon, ofEven] = [weighBinomial(lost), weighBinomial(won), weighBinomial(even)]
  const upTo = accumulate(ofEven)
  const from = accumulate({ from: 0, weights: ofEven.weights.toReversed() })
  const last = ofEven.from + ofEven.weights.length - 1
  const atMost = (k: number) => (k < ofEven.from ? 0 : (upTo[Math.min(k, last) - ofEven.from] as number))
  const atLeast = (k: number) => (k > last ? 0 : (from[last - Math.max(k, ofEven.from)] as number))
  return (mean) => {
    let share = 0
    for (const [i, lostWeight] of ofLost.weights.entries()) {
      for (const [j, wonWeight] of ofWon.weights.entries()) {
        const [less, more] = [ofLost.from + i, ofWon.from + j]
        const [sum, size] = [more - less, more + less]
        const evens =
          mean === 0
            ? Number(sum <= 0)
            : mean > 0
              ? atLeast(Math.ceil(sum / mean - size))
              : atMost(Math.floor(sum / mean - size))
        share += lostWeight * wonWeight * evens
      }
    }
    return share
  }
}

/** Binomial chances for one half, by their ratio outwards from the mode. */
function weighBinomial(n: number): Weighted {
  const mode = n >> 1
  const up: number[] = [1]
  for (let k = mode; k < n && (up.at(-1) as number) > NEGLIGIBLE; k++) {
    up.push(((up.at(-1) as number) * (n - k)) / (k + 1))
  }
  const down: number[] = []
  for (let k = mode, weight = 1; k > 0 && weight > NEGLIGIBLE; k--) {
    weight *= k / (n - k + 1)
    down.push(weight)
  }
  const all = [...down.toReversed(), ...up]
  const total = all.reduce((sum, weight) => sum + weight, 0)
  return { from: mode - down.length, weights: all.map((weight) => weight / total) }
}

function accumulate({ weights }: Weighted): number[] {
  let sum = 0
  return weights.map((weight) => {
    sum += weight
    return sum
  })
}

/** The fraction of a denominator of at most n that is nearest. */
function findFraction(value: number, n: number): number {
  let nearest = 0
  for (let size = 1; size <= n; size++) {
    const fraction = Math.round(value * size) / size
    if (Math.abs(fraction - value) < Math.abs(nearest - value)) nearest = fraction
  }
  return nearest === 0 ? 0 : nearest
}
