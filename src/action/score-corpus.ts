import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { purposeOf } from '../config/sweep-config.ts'
import { openJournal } from '../generate/journal.ts'
import { dollars } from '../report/format.ts'
import type { Report } from '../report/schema.ts'
import { confirmLanded } from '../sweep/landed-report.ts'
import { mergeRuns } from '../sweep/merge-runs.ts'
import { type OutputFolder, prepareOutput } from '../sweep/output-folder.ts'
import { reportOf, runIn, writeOutputs } from '../sweep/report-files.ts'
import { runSweep, type SweepDeps, type SweepEvent } from '../sweep/run-sweep.ts'
import { loadSweepCatalogue } from '../sweep/sweep-catalogue.ts'
import type { CorpusSweep } from './corpora.ts'
import { type Job, openJobEngine, untilCancelled } from './job.ts'
import { runFiles } from './run-files.ts'

/** What became of one corpus; there may be a report of a run that failed. */
export interface Scored {
  readonly name: string
  readonly output: OutputFolder
  readonly report: Report | null
  /** Files that the step wrote: whatever else lies in the folder is not of it, and must not speak for it. */
  readonly files: readonly string[]
  /** What ended the run other than its own end; null as a rule. */
  readonly error: unknown
}

/** The folder of a sweep, taken for this step. @throws BenchError `output/...` */
export async function claimOutput({ config }: CorpusSweep): Promise<OutputFolder> {
  const output = await prepareOutput(config.output)
  output.claim()
  return output
}

export interface ScoreDeps extends Pick<SweepDeps, 'beforeAsking' | 'monthLeftUsd'> {
  readonly output: OutputFolder
  /** Of the earlier attempt: its answers are kept and verified again. */
  readonly earlierJournal: string | null
}

/**
 * One sweep over one corpus, with all its files.
 * Nothing is thrown: what was paid for is to be published.
 */
export async function scoreCorpus(
  job: Job,
  { name, folder, config }: CorpusSweep,
  { output, earlierJournal, ...deps }: ScoreDeps,
): Promise<Scored> {
  let journal: string | null = null
  const startJournal = () => {
    journal ??= output.startJournal()
    return journal
  }
  let error: unknown = null
  try {
    const earlier = earlierJournal === null ? null : await adopt(earlierJournal, startJournal())
    await runSweep(config, purposeOf(config), folder, {
      ...deps,
      ...(earlier === null ? {} : { earlier }),
      responseStore: path.join(job.scratch, 'responses'),
      openEngine: () => untilCancelled(job, () => openJobEngine(job, config)),
      loadCatalogue: () => loadSweepCatalogue(config, job.scratch),
      openJournal: () => openJournal(startJournal()),
      env: job.keys.env,
      signal: job.signal,
      onEvent: createTeller(job, name),
    })
  } catch (thrown) {
    error = thrown
  }
  return finish(name, output, { journal, error, isSmoke: config.smoke })
}

/** Joins the journals of shards, each in a folder, and writes all files of the whole. Without a name it has that of its corpus. */
export async function mergeCorpus(name: string | null, target: string, shards: readonly string[]): Promise<Scored> {
  const output = await prepareOutput(target)
  let error: unknown = null
  try {
    await mergeRuns(shards, output)
  } catch (thrown) {
    error = thrown
  }
  return finish(name, output, { journal: error === null ? output.journal : null, error, isSmoke: false })
}

/** @throws BenchError `action/nothing-to-resume`: what was answered and paid for cannot be read. */
async function adopt(earlierJournal: string, journal: string) {
  await copyFile(earlierJournal, journal)
  const earlier = await runIn(journal)
  if (earlier !== null) return earlier
  throw new BenchError({
    code: 'action/nothing-to-resume',
    message:
      'The journal of the earlier attempt of this run holds no run, so that what it spent is not known. Nothing is asked, which could pass the cap.',
    hint: 'Start a new run of the workflow; or, where the input rerun comes from a variable, set that to "fresh" to spend up to the cap again.',
  })
}

/** @param name of the corpus; null takes it from the report */
async function finish(
  name: string | null,
  output: OutputFolder,
  run: { readonly journal: string | null; readonly error: unknown; readonly isSmoke: boolean },
): Promise<Scored> {
  let report: Report | null = null
  let { error } = run
  try {
    if (run.journal !== null && existsSync(run.journal) && (await runIn(run.journal)) !== null) {
      report = await reportOf(run.journal)
      await writeOutputs(output, report)
      if (run.isSmoke && error === null) await confirmLanded(output, report.run.id)
    }
  } catch (thrown) {
    error ??= thrown
  } finally {
    output.release()
  }
  return {
    name: name ?? report?.plan.corpus.name ?? 'the merged run',
    output,
    report,
    files: run.journal === null ? [] : runFiles(output),
    error,
  }
}

const PROGRESS_MS = 20_000

/** Tells how a sweep goes in a few lines. */
function createTeller(job: Job, name: string): (event: SweepEvent) => void {
  let total = 0
  let done = 0
  let passed = 0
  let open = 0
  let notedAt = performance.now()
  return (event) => {
    if (event.kind === 'warning') job.annotate('warning', event.text)
    if (event.kind === 'planned') {
      total = event.attempts
      job.note(
        `${name}: ${total} attempts${event.kept > 0 ? `, ${event.kept} of them kept from the earlier attempt` : ''}`,
      )
    }
    if (event.kind === 'preflight') {
      const { references, saboteurs, failures, engine } = event.line
      job.note(
        `${name}: engine ${engine.version}; ${references} references and ${saboteurs} planted bad programs tried, ${failures.length} failures`,
      )
    }
    if (event.kind !== 'attempt') return
    done += 1
    if (event.verdict?.kind === 'passed') passed += 1
    if (event.verdict === null) open += 1
    if (performance.now() - notedAt < PROGRESS_MS && done < total) return
    notedAt = performance.now()
    const without = open === 0 ? '' : `, ${open} without a verdict`
    job.note(`${name}: ${done} of ${total} attempts, ${passed} passed${without}, ${dollars(event.spentUsd)} spent`)
  }
}
