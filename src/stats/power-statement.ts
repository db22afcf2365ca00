import { checkDesign, type PlannedDesign, type Range } from './paired-design.ts'
import { computePower, findNeededN } from './power.ts'

/** Numbers of fixtures; null where `findNeededN` finds none. */
export type NeededRange = { readonly min: number | null; readonly max: number | null }

export type PowerStatement = PlannedDesign & {
  readonly n: number
  readonly target: number
  readonly power: Range
  readonly neededN: NeededRange
}

/**
 * What a comparison over n fixtures can see, and how many fixtures the gap takes at the target power, over the
 * planned range of minority discordance.
 *
 * @throws RangeError that lists every problem of the numbers.
 */
export function powerStatement(plan: PlannedDesign & { readonly n: number; readonly target: number }): PowerStatement {
  checkDesign(plan)
  const { n, gap, alpha, discordance, target } = plan
  const power = computePowerRange(plan)
  return { n, gap, alpha, discordance, target, power, neededN: findNeededNRange(plan) }
}

/**
 * The smallest and the largest power over a planned range of minority discordance. Either may lie inside the
 * range: it is scanned in 400 steps, and the steps beside the best point are searched further.
 *
 * @throws RangeError that lists every problem of the numbers.
 */
export function computePowerRange(plan: PlannedDesign & { readonly n: number }): Range {
  checkDesign(plan)
  const powerAt = (discordance: number): number => computePower({ ...plan, discordance })
  const points = spreadPoints(plan.discordance, POWER_STEPS)
  const powers = points.map(powerAt)
  return {
    min: -refineMax(
      points,
      powers.map((power) => -power),
      (point) => -powerAt(point),
    ),
    max: refineMax(points, powers, powerAt),
  }
}

/**
 * The smallest and the largest needed n over a planned range of minority discordance, scanned in 80
 * steps. `max` is null if a point of the scan has none, `min` if every point has none.
 *
 * @throws RangeError that lists every problem of the numbers.
 */
export function findNeededNRange(plan: PlannedDesign & { readonly target: number }): NeededRange {
  checkDesign(plan)
  const points = spreadPoints(plan.discordance, NEEDED_STEPS)
  const found = points.map((discordance) => findNeededN({ ...plan, discordance }))
  const numbers = found.filter((needed) => needed !== null)
  const min = numbers.length === 0 ? null : Math.min(...numbers)
  return { min, max: numbers.length < found.length ? null : Math.max(...numbers) }
}

/** Fine enough for the waves of the power, which are narrow only where nearly every fixture is discordant. */
const POWER_STEPS = 400
/** The needed n follows the discordance closely and costs a hundred times as much as a power. */
const NEEDED_STEPS = 80

/** Evenly spaced from min to max, both included. */
function spreadPoints({ min, max }: Range, steps: number): number[] {
  if (min === max) return [min]
  return Array.from({ length: steps + 1 }, (_, i) => (i === steps ? max : min + ((max - min) * i) / steps))
}

const GOLDEN = (Math.sqrt(5) - 1) / 2
const REFINEMENTS = 24

/** The maximum of a smooth function near its best scanned point, by golden section between that point's neighbours. */
function refineMax(points: number[], values: number[], evaluate: (point: number) => number): number {
  const scanned = Math.max(...values)
  const at = values.indexOf(scanned)
  let low = points[Math.max(0, at - 1)] as number
  let high = points[Math.min(points.length - 1, at + 1)] as number
  let best = scanned
  for (let i = 0; i < REFINEMENTS && low < high; i++) {
    const span = GOLDEN * (high - low)
    const [left, right] = [high - span, low + span]
    const [atLeft, atRight] = [evaluate(left), evaluate(right)]
    best = Math.max(best, atLeft, atRight)
    if (atLeft > atRight) high = right
    else low = left
  }
  return best
}
