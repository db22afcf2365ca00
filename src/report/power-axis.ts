import type { PowerPlan } from './power-plan.ts'

/** The logarithmic axis of problems that both plots of power share. */
export interface ProblemsAxis {
  readonly from: number
  readonly to: number
  /** Round numbers on the axis, the smallest first. */
  readonly ticks: readonly number[]
  /** Where a number of problems lies, from 0 to 1; outside that for what is not drawn. */
  place(n: number): number
}

const ROUND = [1, 2, 5]
const DECADES = [1, 10, 100, 1000, 10_000]

/** The axis that holds every point of a plan. */
export function problemsAxis({ gaps }: PowerPlan): ProblemsAxis {
  const ns = gaps.flatMap(({ points }) => points.map(({ n }) => n))
  const [from, to] = [Math.min(...ns), Math.max(...ns)]
  return {
    from,
    to,
    ticks: DECADES.flatMap((decade) => ROUND.map((each) => each * decade)).filter((n) => n >= from && n <= to),
    place: (n) => Math.log(n / from) / Math.log(to / from),
  }
}
