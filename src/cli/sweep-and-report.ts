import path from 'node:path'
import type { SweepConfig } from '../config/sweep-config.ts'
import { openJournal } from '../generate/journal.ts'
import type { Plan } from '../generate/plan.ts'
import { runSweep } from '../sweep/run-sweep.ts'
import { exitCodes } from './command.ts'
import { openCliEngine, ownCacheFolder } from './engine.ts'
import { confirmLanded } from './landed-report.ts'
import { type OutputFolder, prepareOutput } from './output-folder.ts'
import { createProgress } from './progress.ts'
import { reportOf, writeOutputs } from './report-files.ts'
import type { Terminal } from './terminal.ts'
import { terminalSummary } from './terminal-summary.ts'

interface Surroundings {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  finishOnSignal(): void
  readonly env: NodeJS.ProcessEnv
}

/** Runs a sweep, writes every output beside its journal, and tells what came out. Gives the exit code. */
export async function sweepAndReport(
  config: SweepConfig,
  purpose: Plan['purpose'],
  corpusDir: string,
  surroundings: Surroundings,
): Promise<number> {
  const { terminal } = surroundings
  const output = await prepareOutput(config.output)
  try {
    await sweep(config, purpose, corpusDir, output, surroundings)
    const report = await reportOf(output.journal)
    const written = await writeOutputs(output, report)
    terminal.out(terminalSummary(report))
    terminal.out(`\nWritten: ${written.join(', ')}`)
    if (purpose === 'smoke') {
      await confirmLanded(output, report.run.id)
      terminal.out('smoke: report.json and its scoreboard row are there')
    }
    return report.run.complete ? exitCodes.fine : exitCodes.incomplete
  } finally {
    output.release()
  }
}

async function sweep(
  config: SweepConfig,
  purpose: Plan['purpose'],
  corpusDir: string,
  output: OutputFolder,
  { terminal, signal, finishOnSignal, env }: Surroundings,
): Promise<void> {
  const progress = createProgress(terminal)
  try {
    await runSweep(withSpendFile(config, env), purpose, corpusDir, {
      openEngine: () => openCliEngine(config, terminal),
      openJournal() {
        finishOnSignal()
        return openJournal(output.startJournal())
      },
      env,
      signal,
      onEvent: progress.show,
    })
  } finally {
    progress.end()
  }
}

/** A cap of the month holds over all runs of the user, unless they say where else to look. */
function withSpendFile(config: SweepConfig, env: NodeJS.ProcessEnv): SweepConfig {
  if (config['max-spend-usd-per-month'] === undefined || config['spend-file'] !== undefined) return config
  return { ...config, 'spend-file': path.join(ownCacheFolder(env), 'spend.jsonl') }
}
