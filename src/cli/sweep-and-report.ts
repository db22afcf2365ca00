import path from 'node:path'
import type { SweepConfig } from '../config/sweep-config.ts'
import { openJournal } from '../generate/journal.ts'
import type { Plan } from '../generate/plan.ts'
import { buildReport } from '../report/build-report.ts'
import { runSweep, type SweepDeps } from '../sweep/run-sweep.ts'
import { loadCliCatalogue } from './catalogue.ts'
import { exitCodes } from './command.ts'
import { openCliEngine, ownCacheFolder } from './engine.ts'
import { confirmLanded } from './landed-report.ts'
import { shippedCorpus } from './options.ts'
import { type OutputFolder, prepareOutput } from './output-folder.ts'
import { createProgress } from './progress.ts'
import { reportOf, runIn, writeOutputs } from './report-files.ts'
import { writeSweep } from './sweep-file.ts'
import type { Terminal } from './terminal.ts'
import { terminalSummary } from './terminal-summary.ts'

export interface Surroundings extends Pick<SweepDeps, 'createRunKey'> {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  finishOnSignal(): void
  readonly env: NodeJS.ProcessEnv
}

/** Runs a sweep, writes every output beside its journal, and tells what came out. Gives the exit code. */
export async function sweepAndReport(config: SweepConfig, surroundings: Surroundings): Promise<number> {
  const output = await prepareOutput(config.output)
  try {
    await sweep(config, surroundings, {
      openJournal() {
        const journal = output.startJournal()
        // With its spend book: that of a cache folder could be another when the run is resumed.
        writeSweep(output.sweep, withSpendFile(config, surroundings.env))
        return openJournal(journal)
      },
    })
    return await writeAndTell(output, purposeOf(config), surroundings.terminal)
  } finally {
    output.release()
  }
}

/**
 * As `sweepAndReport`, continuing the run whose files are in `config.output`. A run that is complete is only reported
 * again, one that was killed before its plan was written begins anew.
 */
export async function resumeAndReport(config: SweepConfig, surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings
  const output = await prepareOutput(config.output)
  // Before the journal is read: another process may still be writing to it.
  output.claim()
  try {
    const earlier = await runIn(output.journal)
    if (earlier === null) {
      output.release()
      terminal.note('The run ended before its plan was written, so it begins anew.')
      return await sweepAndReport(config, surroundings)
    }
    if (buildReport(earlier).run.complete) terminal.note('Nothing to resume: every attempt has its verdict.')
    else await sweep(config, surroundings, { earlier, openJournal: () => openJournal(output.journal) })
    return await writeAndTell(output, purposeOf(config), terminal)
  } finally {
    output.release()
  }
}

/** What a run of that configuration is for. */
export function purposeOf({ smoke, purpose }: SweepConfig): Plan['purpose'] {
  return smoke ? 'smoke' : purpose
}

async function sweep(
  config: SweepConfig,
  { terminal, signal, finishOnSignal, env, createRunKey }: Surroundings,
  run: Pick<SweepDeps, 'openJournal' | 'earlier'>,
): Promise<void> {
  const progress = createProgress(terminal)
  try {
    await runSweep(withSpendFile(config, env), purposeOf(config), config.corpus ?? shippedCorpus(), {
      ...run,
      ...(createRunKey === undefined ? {} : { createRunKey }),
      responseStore: path.join(ownCacheFolder(env), 'responses'),
      openEngine: () => openCliEngine(config, terminal),
      loadCatalogue: () => loadCliCatalogue(config, env),
      openJournal() {
        finishOnSignal()
        return run.openJournal()
      },
      env,
      signal,
      onEvent: progress.show,
    })
  } finally {
    progress.end()
  }
}

async function writeAndTell(output: OutputFolder, purpose: Plan['purpose'], terminal: Terminal): Promise<number> {
  const report = await reportOf(output.journal)
  const written = await writeOutputs(output, report)
  terminal.out(terminalSummary(report))
  terminal.out(`\nWritten: ${written.join(', ')}`)
  if (purpose === 'smoke') {
    await confirmLanded(output, report.run.id)
    terminal.out('smoke: report.json and its scoreboard row are there')
  }
  return report.run.complete ? exitCodes.fine : exitCodes.incomplete
}

/** A cap of the month holds over all runs of the user, unless they say where else to look. */
function withSpendFile(config: SweepConfig, env: NodeJS.ProcessEnv): SweepConfig {
  if (config['max-spend-usd-per-month'] === undefined || config['spend-file'] !== undefined) return config
  return { ...config, 'spend-file': path.join(ownCacheFolder(env), 'spend.jsonl') }
}
