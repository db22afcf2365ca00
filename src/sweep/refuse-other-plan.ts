import { BenchError } from '../bench-error.ts'
import type { Plan } from '../generate/plan.ts'
import { type Shard, shardText } from '../generate/shard.ts'
import { listPlanDifferences } from './plan-differences.ts'

/** A plan, and the part of it that is made; null for all of it. */
interface Planned {
  readonly plan: Plan
  readonly shard: Shard | null
}

/**
 * Lets a run be continued only under the plan that it began with, as the same shard, and by the version of the tool that made it.
 * @throws BenchError `resume/other-plan` naming each part that differs.
 */
export function refuseOtherPlan({ plan: before, shard }: Planned, { plan: now, shard: shardNow }: Planned): void {
  const { version } = before.tool
  const [part, partNow] = [nameShard(shard), nameShard(shardNow)]
  const differences = [
    ...(version === now.tool.version ? [] : [`version of the tool: was ${version}, is ${now.tool.version}`]),
    ...(part === partNow ? [] : [`shard: was ${part}, is ${partNow}`]),
    // As it would come back from a journal.
    ...listPlanDifferences(before, JSON.parse(JSON.stringify(now))),
  ]
  if (differences.length === 0) return
  throw new BenchError({
    code: 'resume/other-plan',
    message: `The run cannot be continued, since its answers are to another plan than the one that comes out today:\n${differences.map((line) => `  ${line}`).join('\n')}`,
    hint: 'Bring back what was changed, or begin anew with: vox-efficacy run.',
  })
}

function nameShard(shard: Shard | null): string {
  return shard === null ? 'none' : shardText(shard)
}
