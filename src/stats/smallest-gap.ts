import { checkDesign, type Range } from './paired-design.ts'
import { computePowerRange } from './power-statement.ts'

export type GapPlan = {
  readonly n: number
  readonly alpha: number
  /** The power to be reached. */
  readonly target: number
  /** Planned minority discordance, as in `PlannedDesign`. */
  readonly discordance: Range
}

/** A tenth of a point. */
const STEPS = 1000

/**
 * The smallest gap, in tenths of a point, that a comparison over n fixtures detects with a power of at least `target`
 * at every minority discordance of the planned range. Exact for that range's scan by `computePowerRange`.
 *
 * A gap leaves the rarer direction at most (1 - gap) / 2 of the fixtures; of a range that reaches further, the part up
 * to there is meant. Power grows with the gap: more fixtures fall to the better row, each of which can only help. So the
 * gap is found by halving.
 *
 * @returns a gap in (0, 1], or null where even the largest that leaves room for the range's min falls short.
 * @throws RangeError that lists every problem of the numbers.
 */
export function findSmallestGap(plan: GapPlan): number | null {
  checkDesign({ ...plan, gap: 0 })
  const { min, max } = plan.discordance
  const reaches = (step: number): boolean => {
    const gap = step / STEPS
    const discordance = { min, max: Math.max(min, Math.min(max, (1 - gap) / 2)) }
    return computePowerRange({ n: plan.n, gap, alpha: plan.alpha, discordance }).min >= plan.target
  }
  let high = Math.floor((1 - 2 * min) * STEPS + 1e-9)
  if (high < 1 || !reaches(high)) return null
  let low = 0
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (reaches(middle)) high = middle
    else low = middle
  }
  return high / STEPS
}
