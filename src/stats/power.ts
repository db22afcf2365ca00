import { averageOverBinomial } from './binomial.ts'
import { boundSurePairs, type Detection, tabulateDetection } from './detection.ts'
import { checkDesign, MAX_FIXTURES, type PairedDesign } from './paired-design.ts'

/** The search for a needed n does not tabulate more discordant pairs than this. */
const MAX_PAIRS = 50_000

/**
 * The exact power of a comparison over n fixtures: the chance of a rejection given the number of discordant
 * pairs, averaged over that number, which is Binomial(n, 2 · discordance + gap). It equals the trinomial
 * summed over the test's rejection region.
 *
 * A rejection in either direction counts, so at gap 0 this is the test's true size.
 *
 * @throws RangeError that lists every problem of the numbers.
 */
export function computePower(design: PairedDesign & { readonly n: number }): number {
  checkDesign(design)
  return averageDetection(design.n, design, tabulateFor(design))
}

/**
 * The smallest number of fixtures from which the power is at least `target`, for it and for every larger number.
 *
 * Power is a saw-tooth in n, so a first crossing proves nothing. The proof: replace the detection chance by its
 * running minimum from the right. That never falls with the number of pairs, and the number of pairs only
 * grows (stochastically) with n, so its average over pairs never falls with n either; and it lies below the power.
 * The n where this average reaches the target is found by bisection and holds for every larger n. From there the
 * power itself is followed down to the last n below the target. The running minimum is over infinitely many
 * numbers of pairs: computed up to `boundSurePairs`, bounded by it beyond.
 *
 * @returns null without a gap, and where the proof would take over 50,000 discordant pairs or 100,000
 *   fixtures: gaps of about a point and less.
 * @throws RangeError that lists every problem of the numbers.
 */
export function findNeededN(design: PairedDesign & { readonly target: number }): number | null {
  checkDesign(design)
  const { target } = design
  const detect = tabulateFor(design)
  const guaranteed = guaranteeDetection(design, target, detect)
  if (guaranteed === null) return null

  const reaches = (n: number): boolean => averageDetection(n, design, guaranteed) >= target
  if (!reaches(MAX_FIXTURES)) return null
  let needed = bisect(1, MAX_FIXTURES, reaches)
  while (needed > 1 && averageDetection(needed - 1, design, detect) >= target) needed -= 1
  return needed
}

/** The largest non-decreasing function below `detect` that can be proved; null where it takes too many pairs. */
function guaranteeDetection(design: PairedDesign, target: number, detect: Detection): Detection | null {
  // Small against 1 - target, so that the bound costs next to nothing of what is to be reached.
  const miss = (1 - target) / 100
  const surePairs = boundSurePairs(design.alpha, findShare(design), miss)
  if (!(surePairs <= MAX_PAIRS)) return null
  const minima = new Float64Array(surePairs + 1)
  let lowest = 1 - miss
  for (let pairs = surePairs; pairs >= 0; pairs--) {
    lowest = Math.min(lowest, detect(pairs))
    minima[pairs] = lowest
  }
  return (pairs) => minima[Math.min(pairs, surePairs)] as number
}

function averageDetection(n: number, design: PairedDesign, detect: Detection): number {
  const discordant = Math.min(1, 2 * design.discordance + design.gap)
  return averageOverBinomial(n, discordant, detect)
}

function tabulateFor(design: PairedDesign): Detection {
  return tabulateDetection(design.alpha, findShare(design))
}

/** The rarer direction's share of discordant pairs; where there are none any share will do. */
function findShare({ discordance, gap }: PairedDesign): number {
  const discordant = 2 * discordance + gap
  return discordant === 0 ? 0.5 : discordance / discordant
}

/** The smallest integer in [low, high] for which a predicate that turns true once holds; high does. */
function bisect(low: number, high: number, holds: (n: number) => boolean): number {
  let left = low
  let right = high
  while (left < right) {
    const middle = Math.floor((left + right) / 2)
    if (holds(middle)) right = middle
    else left = middle + 1
  }
  return right
}
