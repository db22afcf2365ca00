import { describeChangeSide, describeOutcome, listReasons, titleOf } from '../compare/comparison-words.ts'
import { infraReasons } from '../report/infra-reasons.ts'
import { failsGate, isRenewal } from './gate.ts'
import type { Job } from './job.ts'
import type { Judged } from './judge.ts'

const RENEWED = 'The step does not fail for that: this run of the branch is the next baseline.'

/** Annotates what a reader must not miss, the most telling first: regressions, then infra errors. */
export function annotateFindings(job: Job, judged: readonly Judged[]): void {
  for (const { comparison } of judged) {
    if (comparison === null) continue
    const level = comparison.passes ? 'notice' : failsGate(job, comparison) ? 'error' : 'warning'
    const renewed = isRenewal(job, comparison) ? [RENEWED] : []
    const words = [describeOutcome(comparison), ...listReasons(comparison), ...renewed]
    job.annotate(level, words.join('\n'), titleOf(comparison))
  }
  for (const { comparison } of judged) {
    for (const change of comparison?.regressions ?? []) {
      const level = comparison?.outcome === 'regressed' && job.inputs.isGated ? 'error' : 'warning'
      job.annotate(
        level,
        `BASE: ${describeChangeSide(change.base)}; HEAD: ${describeChangeSide(change.head)}`,
        `${change.fixture} ${change.title}`,
      )
    }
  }
  for (const { report } of judged) {
    if (report === null) continue
    for (const [cell, reasons] of infraReasons(report)) job.annotate('warning', reasons, `Infra errors: ${cell}`)
  }
}
