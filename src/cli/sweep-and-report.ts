import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { purposeOf, type SweepConfig } from '../config/sweep-config.ts'
import { openJournal } from '../generate/journal.ts'
import type { Plan } from '../generate/plan.ts'
import { buildReport } from '../report/build-report.ts'
import type { Report } from '../report/schema.ts'
import { confirmLanded } from '../sweep/landed-report.ts'
import { type OutputFolder, prepareOutput } from '../sweep/output-folder.ts'
import { reportOf, runIn, writeOutputs } from '../sweep/report-files.ts'
import { runSweep, type SweepDeps } from '../sweep/run-sweep.ts'
import { shippedCorpus } from '../sweep/shipped-corpus.ts'
import { loadSweepCatalogue } from '../sweep/sweep-catalogue.ts'
import { writeSweep } from '../sweep/sweep-file.ts'
import { exitCodes } from './command.ts'
import { openCliEngine, ownCacheFolder } from './engine.ts'
import { openEvents } from './event-sink.ts'
import { createEventStream, type EventStream } from './events.ts'
import { createProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { terminalSummary } from './terminal-summary.ts'

export interface Surroundings extends Pick<SweepDeps, 'createRunKey'> {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  finishOnSignal(): void
  readonly env: NodeJS.ProcessEnv
  /** Where programs are told how it goes: a file, or `-` for standard output. */
  readonly events?: string | undefined
}

interface Heard extends Surroundings {
  /** Null when no program listens. */
  readonly stream: EventStream | null
}

/** Runs a sweep, writes every output beside its journal, and tells what came out. Gives the exit code. */
export async function sweepAndReport(config: SweepConfig, surroundings: Surroundings): Promise<number> {
  const output = await prepareOutput(config.output)
  return withEvents(output, surroundings, (heard) => runAnew(config, output, heard))
}

/**
 * As `sweepAndReport`, continuing the run whose files are in `config.output`. A run that is complete is only reported
 * again, one that was killed before its plan was written begins anew.
 */
export async function resumeAndReport(config: SweepConfig, surroundings: Surroundings): Promise<number> {
  const output = await prepareOutput(config.output)
  return withEvents(output, surroundings, async (heard) => {
    const { terminal } = heard
    const earlier = await runIn(output.journal)
    if (earlier === null) {
      terminal.note('The run ended before its plan was written, so it begins anew.')
      return runAnew(config, output, heard)
    }
    if (buildReport(earlier).run.complete) terminal.note('Nothing to resume: every attempt has its verdict.')
    else await sweep(config, heard, { earlier, openJournal: () => openJournal(output.journal) })
    return writeAndTell(output, purposeOf(config), terminal)
  })
}

/**
 * Has the events of `act` told, the last one by its result. Gives the exit code. The folder is this process's meanwhile:
 * another may still be writing to the journal or the events that are there.
 */
async function withEvents(
  output: OutputFolder,
  surroundings: Surroundings,
  act: (heard: Heard) => Promise<Report>,
): Promise<number> {
  process.once('exit', output.release)
  try {
    output.claim()
    const { sink, terminal } = openEvents(surroundings.events, output, { ...surroundings, stdout: process.stdout })
    const stream = sink && createEventStream(sink)
    try {
      const { run, spend, attempts } = await act({ ...surroundings, terminal, stream })
      const { complete, endedBecause } = run
      const { spentUsd } = spend
      stream?.end({ run: run.id, complete, endedBecause, error: null, spentUsd, total: attempts.length })
      return complete ? exitCodes.fine : exitCodes.incomplete
    } catch (error) {
      const code = error instanceof BenchError ? error.code : 'fault'
      stream?.end({ run: null, complete: false, endedBecause: null, error: code })
      throw error
    } finally {
      sink?.close()
    }
  } finally {
    process.off('exit', output.release)
    output.release()
  }
}

async function runAnew(config: SweepConfig, output: OutputFolder, heard: Heard): Promise<Report> {
  await sweep(config, heard, {
    openJournal() {
      const journal = output.startJournal()
      // With its spend book: that of a cache folder could be another when the run is resumed.
      writeSweep(output.sweep, withSpendFile(config, heard.env))
      return openJournal(journal)
    },
  })
  return writeAndTell(output, purposeOf(config), heard.terminal)
}

async function sweep(
  config: SweepConfig,
  { terminal, stream, signal, finishOnSignal, env, createRunKey }: Heard,
  run: Pick<SweepDeps, 'openJournal' | 'earlier'>,
): Promise<void> {
  const progress = createProgress(terminal)
  try {
    await runSweep(withSpendFile(config, env), purposeOf(config), config.corpus ?? shippedCorpus(), {
      ...run,
      ...(createRunKey === undefined ? {} : { createRunKey }),
      responseStore: path.join(ownCacheFolder(env), 'responses'),
      openEngine: () => openCliEngine(config, terminal),
      loadCatalogue: () => loadSweepCatalogue(config, ownCacheFolder(env)),
      openJournal() {
        finishOnSignal()
        return run.openJournal()
      },
      env,
      signal,
      onEvent(event) {
        progress.show(event)
        stream?.show(event)
      },
    })
  } finally {
    progress.end()
  }
}

async function writeAndTell(output: OutputFolder, purpose: Plan['purpose'], terminal: Terminal): Promise<Report> {
  const report = await reportOf(output.journal)
  const written = await writeOutputs(output, report)
  terminal.out(terminalSummary(report))
  terminal.out(`\nWritten: ${written.join(', ')}`)
  if (purpose === 'smoke') {
    await confirmLanded(output, report.run.id)
    terminal.out('smoke: report.json and its scoreboard row are there')
  }
  return report
}

/** A cap of the month holds over all runs of the user, unless they say where else to look. */
function withSpendFile(config: SweepConfig, env: NodeJS.ProcessEnv): SweepConfig {
  if (config['max-spend-usd-per-month'] === undefined || config['spend-file'] !== undefined) return config
  return { ...config, 'spend-file': path.join(ownCacheFolder(env), 'spend.jsonl') }
}
