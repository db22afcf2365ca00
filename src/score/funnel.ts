import type { VerdictKind } from '../verify/verdict.ts'
import { type FunnelStage, funnelStages } from './row.ts'

/**
 * The last stage a program with that verdict reached: its answer came; code was found in it; the policy let it
 * through; `check` accepted it; it ran without an error (its answers may still be wrong); it passed.
 * What the engine does not support got no verdict from `check`, so it stops before that stage.
 */
const reached: Readonly<Record<VerdictKind, (typeof funnelStages)[number]>> = {
  'no-code': 'answered',
  truncated: 'answered',
  policy: 'code',
  'check-failed': 'policy',
  'check-timeout': 'policy',
  unsupported: 'policy',
  'runtime-error': 'check',
  budget: 'check',
  timeout: 'check',
  'output-limit': 'check',
  crashed: 'check',
  'wrong-answer': 'ran',
  cheated: 'ran',
  passed: 'passed',
}

/** How many of the judged attempts reached each stage; never rises from one stage to the next. */
export function countFunnel(kinds: readonly VerdictKind[]): FunnelStage[] {
  const depths = kinds.map((kind) => funnelStages.indexOf(reached[kind]))
  return funnelStages.map((stage, depth) => ({ stage, count: depths.filter((each) => each >= depth).length }))
}
