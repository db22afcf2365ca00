import { averageOverBinomial } from './binomial.ts'
import { tabulateDetection } from './detection.ts'
import { checkDesign, type PlannedDesign, type Range } from './paired-design.ts'

/** The power over n fixtures, over a planned range of minority discordance. */
export type PowerPoint = Range & { readonly n: number }

/** Steps of the discordance range: within a fifth of a point of the 400 of `computePowerRange`, which is enough to draw. */
const STEPS = 16

/**
 * `computePowerRange` for many numbers of fixtures at once, to draw: the smallest and the largest of the exact powers
 * at 17 evenly spaced discordances. Rejection chances are tabulated once for all numbers of fixtures.
 *
 * @param ns numbers of fixtures, in any order
 * @returns one point for each of them, in the same order.
 * @throws RangeError that lists every problem of the numbers.
 */
export function computePowerCurve(design: PlannedDesign, ns: readonly number[]): PowerPoint[] {
  for (const n of ns) checkDesign({ ...design, n })
  const { gap, alpha, discordance } = design
  const curves = spread(discordance).map((minority) => {
    const discordant = Math.min(1, 2 * minority + gap)
    const detect = tabulateDetection(alpha, discordant === 0 ? 0.5 : minority / discordant)
    return ns.map((n) => averageOverBinomial(n, discordant, detect))
  })
  return ns.map((n, index) => {
    const powers = curves.map((curve) => curve[index] as number)
    return { n, min: Math.min(...powers), max: Math.max(...powers) }
  })
}

function spread({ min, max }: Range): number[] {
  if (min === max) return [min]
  return Array.from({ length: STEPS + 1 }, (_, step) => (step === STEPS ? max : min + ((max - min) * step) / STEPS))
}
