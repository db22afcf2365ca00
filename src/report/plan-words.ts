import { dollars } from './format.ts'
import type { PlannedComparison } from './planned-comparisons.ts'

/** What is compared, in the words of a plan. */
export const kindWords: Readonly<Record<PlannedComparison['kind'], string>> = {
  checkpoints: 'checkpoints of one model, same help',
  subjects: 'two subjects, same help',
  help: 'one subject, more help against least',
}

interface Costs {
  /** In USD; null where a price is not known. */
  readonly expectedUsd: number | null
  readonly worstUsd: number | null
  readonly subjects: readonly { readonly attempts: number; readonly worstUsd: number | null }[]
}

/** What each cap of a plan means for its costs, a line each; a line as well where there is none, although models are asked. */
export function capWords(
  { runUsd, monthUsd }: { readonly runUsd: number | null; readonly monthUsd: number | null },
  costs: Costs,
  isAsked: boolean,
): string[] {
  if (runUsd === null && monthUsd === null) return isAsked ? ['no cap'] : []
  return [
    ...(runUsd === null ? [] : [`cap ${dollars(runUsd)}: ${holdWords(runUsd, costs)}`]),
    ...(monthUsd === null
      ? []
      : [`cap of the month, if nothing of it is spent, ${dollars(monthUsd)}: ${holdWords(monthUsd, costs)}`]),
  ]
}

function holdWords(capUsd: number, { expectedUsd, worstUsd, subjects }: Costs): string {
  if (expectedUsd === null || worstUsd === null) return 'costs are unknown'
  if (worstUsd <= capUsd) return 'even the worst case is within it'
  if (expectedUsd <= capUsd) {
    const most = Math.max(0, ...subjects.map((each) => (each.worstUsd ?? 0) / Math.max(1, each.attempts)))
    return `the expected cost is within it, the worst case is not: nothing is asked that could pass it, and an attempt is reserved at about ${dollars(most)} at worst, so the run may end incomplete before the cap is spent`
  }
  return 'the expected cost passes it: the run would end incomplete'
}
