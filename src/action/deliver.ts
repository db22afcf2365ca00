import type { CorpusSweep } from './action-config.ts'
import { wordError } from './error-words.ts'
import { type Job, untilCancelled } from './job.ts'
import { type Baseline, judge } from './judge.ts'
import {
  annotateFindings,
  comment,
  failsGate,
  type Judged,
  type Pages,
  setOutputs,
  upload,
  uploadPages,
  writeJobSummary,
} from './publish.ts'
import type { Scored } from './score-corpus.ts'

/** What the gate says of a corpus; of a run that failed it says nothing. */
export async function judgeScored(
  job: Job,
  scored: Scored,
  openBaseline: () => Promise<Baseline | null>,
  sweep: CorpusSweep | null,
): Promise<Judged> {
  const { report, output } = scored
  if (report === null || scored.error !== null) return { ...scored, comparison: null, judgeError: null }
  try {
    const comparison = await untilCancelled(job, async () => {
      const baseline = await openBaseline()
      return baseline === null ? null : judge(job, baseline, { report, folder: output.folder }, sweep)
    })
    return { ...scored, comparison, judgeError: null }
  } catch (error) {
    return { ...scored, comparison: null, judgeError: error }
  }
}

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
  const failures = [
    ...delivery.failures,
    ...judged.flatMap(({ error, judgeError }) => [error, judgeError].filter((each) => each !== null).map(wordError)),
    ...judged.flatMap(({ name: corpus, report, error }) =>
      error === null && report !== null && !report.run.complete
        ? [`${corpus} is incomplete: ${report.run.endedBecause}`]
        : [],
    ),
    ...gateFailures(job, judged),
  ]
  annotateFindings(job, judged)
  const uploaded = await upload(job, judged, delivery)
  if (uploaded.kind === 'failed' && uploaded.isLost) failures.push(`the files were not uploaded: ${uploaded.why}`)
  const pages: Pages = uploaded.kind === 'uploaded' ? await uploadPages(job, judged, delivery.name) : new Map()
  await writeJobSummary(job, judged, failures, pages)
  setOutputs(job, judged, uploaded, pages)
  await comment(job, judged, uploaded, pages)
  return { failures, isUploaded: uploaded.kind === 'uploaded' }
}

/** Why the gate fails the step. */
function gateFailures(job: Job, judged: readonly Judged[]): string[] {
  return judged.flatMap(({ name, comparison }) =>
    comparison !== null && failsGate(job, comparison) ? [`the gate says ${comparison.outcome} of ${name}`] : [],
  )
}
