import { shardText } from '../generate/shard.ts'
import { plural } from './format.ts'
import type { Report } from './schema.ts'

/** Why a report must never decide over a change, whatever its numbers; empty when it may. */
export function listGateRefusals({ plan, preflight, run }: Pick<Report, 'plan' | 'preflight' | 'run'>): string[] {
  return [
    ...(plan.purpose === 'run' ? [] : [`it is a ${plan.purpose} run`]),
    ...(plan.corpus.split === 'held-out' ? [] : [`its split is ${plan.corpus.split}, not held-out`]),
    ...(preflight === null ? ['it has no preflight'] : []),
    ...(preflight !== null && preflight.failures.length > 0 ? ['its preflight failed'] : []),
    ...(plan.excluded.length > 0
      ? [`the engine fails ${plural(plan.excluded.length, 'reference')}, whose problems were left out`]
      : []),
    ...(run.shard === null ? [] : [`it is shard ${shardText(run.shard)}, a part of a run`]),
    ...(run.complete ? [] : [`it is not complete: ${run.endedBecause ?? 'unknown why'}`]),
  ]
}
