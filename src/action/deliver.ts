import { dollars } from '../report/format.ts'
import type { Report } from '../report/schema.ts'
import { CAP_REACHED } from '../sweep/run-sweep.ts'
import { type UploadResult, uploadFolder } from './artifact.ts'
import { wordError } from './error-words.ts'
import { annotateFindings } from './findings.ts'
import { failsGate } from './gate.ts'
import { artifactOptions, type Job, shortlyAfterCancel } from './job.ts'
import { appendSummary, failedSection, renderJobSummary, renderShard } from './job-summary.ts'
import type { Judged } from './judge.ts'
import { setFailedOutputs, setOutputs } from './outputs.ts'
import { type Pages, uploadPages } from './pages.ts'
import { commentOnPull, linkToFiles, renderComment } from './pull-comment.ts'
import { comparisonFiles } from './run-files.ts'

export interface Delivery {
  /** What the paths in the artifact begin at. */
  readonly root: string
  /** Of the artifact. */
  readonly name: string
  /** Files for the artifact besides those of the reports. */
  readonly further: readonly string[]
  /** Why the step fails, as far as the reports do not tell it. */
  readonly failures: readonly string[]
}

export interface Delivered {
  /** Why the step fails; empty where it does not. */
  readonly failures: string[]
  readonly isUploaded: boolean
}

/** Publishes everything. */
export async function deliver(job: Job, judged: readonly Judged[], delivery: Delivery): Promise<Delivered> {
  const found = [
    ...delivery.failures,
    ...judged.flatMap(({ error, judgeError }) => [error, judgeError].filter((each) => each !== null).map(wordError)),
    ...judged.flatMap(({ name: corpus, report, error }) =>
      error === null && report !== null && !report.run.complete ? [`${corpus} is incomplete: ${wordEnd(report)}`] : [],
    ),
    ...gateFailures(job, judged),
  ]
  // What stops every corpus is told once.
  const failures = [...new Set(found)]
  annotateFindings(job, judged)
  const uploaded = await shortlyAfterCancel(job, upload(job, judged, delivery), {
    kind: 'failed',
    why: 'the job was cancelled, and the upload did not end',
    isLost: true,
  })
  if (uploaded.kind === 'failed' && uploaded.isLost) failures.push(`the files were not uploaded: ${uploaded.why}`)
  const pages: Pages = uploaded.kind === 'uploaded' ? await uploadPages(job, judged, delivery.name) : new Map()
  const { shard } = job.inputs.given
  const summary =
    shard === undefined ? renderJobSummary(judged, failures, pages) : renderShard(String(shard), judged, failures)
  await appendSummary(job, summary)
  setOutputs(job, judged, uploaded, pages)
  await commentOnPull(job, () => renderComment(judged, linkToFiles(job, uploaded), pages))
  return { failures, isUploaded: uploaded.kind === 'uploaded' }
}

/** Why a run is incomplete; of its own cap, the one thing a workflow can change, also how near it came. */
function wordEnd({ run, spend }: Report): string {
  const why = run.endedBecause ?? 'unknown why'
  if (why !== CAP_REACHED) return why
  return `${why}: ${dollars(spend.spentUsd)} of ${dollars(spend.capUsd)} are spent, and one more request could have passed it at worst. Lower max-tokens or retries, or start a new run with a higher cap`
}

/** Says why a step came to nothing, wherever what it came to would stand: an older comment must not speak for it. */
export async function deliverFailure(job: Job, why: string): Promise<void> {
  await appendSummary(job, `${failedSection([why])}\n`)
  setFailedOutputs(job)
  await commentOnPull(job, () => failedSection([why]))
}

/** Why the gate fails the step. */
function gateFailures(job: Job, judged: readonly Judged[]): string[] {
  return judged.flatMap(({ name, comparison }) =>
    comparison !== null && failsGate(job, comparison) ? [`the gate says ${comparison.outcome} of ${name}`] : [],
  )
}

/** Uploads the files of all corpora as one artifact. */
async function upload(job: Job, judged: readonly Judged[], { root, name, further }: Delivery): Promise<UploadResult> {
  const files = [
    ...judged.flatMap(({ files: own, output, comparison }) =>
      comparison === null ? own : [...own, ...comparisonFiles(output.folder)],
    ),
    ...further,
  ]
  if (files.length === 0) return { kind: 'failed', why: 'there is no file', isLost: false }
  const result = await uploadFolder(name, files, root, artifactOptions(job))
  if (result.kind === 'failed') {
    job.annotate('warning', `The files were not uploaded: ${result.why}. They are in ${root} of this machine.`)
  } else job.note(`artifact: ${result.name} (${files.length} files)`)
  return result
}
