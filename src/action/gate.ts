import type { Comparison } from '../compare/comparison-schema.ts'
import type { Job } from './job.ts'

/** Whether the step is to compare what it has with a baseline. */
export function isJudged({ inputs }: Job): boolean {
  return inputs.baseline.kind !== 'none' && !['shard', 'plan', 'check'].includes(inputs.mode)
}

/** What the output `gate` says where nothing was compared. */
export function gateWithout(job: Job): 'blocked' | 'none' {
  return isJudged(job) ? 'blocked' : 'none'
}

/**
 * Whether the run is the next baseline, and was measured otherwise than the one it was compared with. Were that a failure, it would
 * never become the next one, and every run after it would fail alike.
 */
export function isRenewal({ inputs, event }: Job, { outcome, mismatches, blocks }: Comparison): boolean {
  const isBaseline = event.kind === 'other' && (event.name === 'push' || event.name === 'schedule')
  const isFound = inputs.baseline.kind === 'auto' && inputs.mode !== 'compare'
  return isBaseline && isFound && outcome === 'blocked' && mismatches.length > 0 && blocks.length === 0
}

/** Whether the step fails for a comparison. */
export function failsGate(job: Job, comparison: Comparison): boolean {
  return job.inputs.isGated && !comparison.passes && !isRenewal(job, comparison)
}
