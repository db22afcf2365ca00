import { BenchError } from '../bench-error.ts'
import { readReport } from '../report/read-report.ts'
import type { Report } from '../report/schema.ts'
import { baseFileDeps, readTrustedFile } from './base-file.ts'
import { findBaseline, type Origin, wordRun } from './baseline.ts'
import { baseOf } from './event.ts'
import { isJudged } from './gate.ts'
import type { Job } from './job.ts'

const MAX_REPORT_BYTES = 128 * 1024 * 1024

/** What a sweep is to be compared with. */
export type Baseline =
  | { readonly kind: 'same-run' }
  /** `origin` is null for a report that was given by its path: nobody tells what run it is from. */
  | { readonly kind: 'report'; readonly report: Report; readonly origin: Origin | null }
  /** There is none yet. */
  | { readonly kind: 'absent' }

/**
 * Finds the baseline that the inputs name; null where nothing is to be compared. Done before models are asked: what is not
 * allowed, or not there, costs nothing then.
 * @param reportEntry path of the report within an artifact
 * @throws BenchError where there is a baseline that cannot be had.
 */
export async function openBaseline(job: Job, reportEntry: string): Promise<Baseline | null> {
  const { inputs, api, event, keys } = job
  const { baseline } = inputs
  if (!isJudged(job) || baseline.kind === 'none') return null
  if (baseline.kind === 'same-run') return { kind: 'same-run' }
  if (baseline.kind === 'path') {
    const { text } = await readTrustedFile(baseline.path, MAX_REPORT_BYTES, baseFileDeps(job))
    return { kind: 'report', report: readReport(baseline.path, text), origin: null }
  }
  if (api === null) {
    throw new BenchError({
      code: 'action/no-access',
      message: 'The baseline is auto, but there is no token to look for it.',
      hint: 'Leave the input github-token as it is by default, or give the path of a report with the input baseline.',
    })
  }
  const found = await findBaseline({
    api,
    runId: job.names.runId,
    branch: baseOf(event)?.ref ?? keys.env.GITHUB_REF_NAME ?? '',
    sha: baseOf(event)?.sha ?? keys.env.GITHUB_SHA ?? '',
    measured: keys.env.GITHUB_SHA ?? '',
    artifactName: inputs.artifactName,
    reportEntry,
  })
  if (found.kind === 'none') {
    job.annotate('warning', `There is no baseline: ${found.why}.`, 'No baseline')
    return { kind: 'absent' }
  }
  const { report, origin } = found
  job.note(`baseline: ${wordRun(origin)}`)
  if (origin.newer !== null) {
    // Of the branch's own runs one may have failed by its gate, as it should.
    const advice = baseOf(event) === null ? '' : ' Let that run succeed, then run this one again.'
    job.annotate(
      'warning',
      `The baseline is ${wordRun(origin)}, since ${wordRun(origin.newer)} is no success (${origin.newer.state}): what came in between counts as HEAD's.${advice}`,
      'Older baseline',
    )
  }
  return { kind: 'report', report, origin }
}
