import type { CorpusSweep } from './action-config.ts'
import { wordError } from './error-words.ts'
import type { Job } from './job.ts'
import { judge, reportEntryOf } from './judge.ts'
import { annotateFindings, comment, type Judged, setOutputs, upload, writeJobSummary } from './publish.ts'
import type { Scored } from './score-corpus.ts'

/** What the gate says of a corpus; of a run that failed, and of a shard, it says nothing. */
export async function judgeScored(
  job: Job,
  scored: Scored,
  sweep: CorpusSweep | null,
  { root, isJudged }: { readonly root: string; readonly isJudged: boolean },
): Promise<Judged> {
  const { report, output } = scored
  if (report === null || !isJudged || scored.error !== null) return { ...scored, comparison: null, judgeError: null }
  try {
    const head = { report, folder: output.folder, reportEntry: reportEntryOf(root, output.report) }
    return { ...scored, comparison: await judge(job, head, sweep), judgeError: null }
  } catch (error) {
    return { ...scored, comparison: null, judgeError: error }
  }
}

/** Publishes everything, and gives why the step fails; empty where it does not. */
export async function deliver(
  job: Job,
  judged: readonly Judged[],
  {
    root,
    name,
    further,
    failures: known,
  }: {
    readonly root: string
    readonly name: string
    readonly further: readonly string[]
    readonly failures: readonly string[]
  },
): Promise<string[]> {
  const failures = [
    ...known,
    ...judged.flatMap(({ error, judgeError }) => [error, judgeError].filter((each) => each !== null).map(wordError)),
    ...judged.flatMap(({ name: corpus, report, error }) =>
      error === null && report !== null && !report.run.complete
        ? [`${corpus} is incomplete: ${report.run.endedBecause}`]
        : [],
    ),
    ...gateFailures(job, judged),
  ]
  annotateFindings(job, judged)
  const uploaded = await upload(job, judged, { root, name, further })
  await writeJobSummary(job, judged, failures)
  setOutputs(job, judged, uploaded)
  await comment(job, judged, uploaded)
  return failures
}

/** Why the gate fails the step. */
export function gateFailures(job: Job, judged: readonly Judged[]): string[] {
  if (!job.inputs.isGated) return []
  return judged.flatMap(({ name, comparison }) =>
    comparison === null || comparison.passes ? [] : [`the gate says ${comparison.outcome} of ${name}`],
  )
}
