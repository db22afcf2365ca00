import type { Plan } from '../generate/plan.ts'
import { capOf, countAttempts, shardText } from '../generate/shard.ts'
import { columns } from '../report/columns.ts'
import { dollars, number } from '../report/format.ts'

/** What a terminal shows of a plan that `count` machines share: what each of them makes, and may spend. */
export function shardsText(plan: Plan, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const shard = { index: index + 1, count }
    const attempts = [...countAttempts(plan, shard).values()].reduce((sum, each) => sum + each, 0)
    const caps = [plan.caps.runUsd, plan.caps.monthUsd].map((capUsd) =>
      capUsd === null ? 'none' : dollars(capOf(capUsd, shard)),
    )
    return [shardText(shard), number(attempts), ...caps]
  })
  return columns([['shard', 'attempts', 'cap', 'cap of the month'], ...rows]).join('\n')
}
