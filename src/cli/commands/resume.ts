import path from 'node:path'
import { invalidConfig } from '../../config/invalid-config.ts'
import { optionTable } from '../../config/option-table.ts'
import { readFlags } from '../../config/read-flags.ts'
import { readSweep } from '../../sweep/sweep-file.ts'
import type { Command, Invocation } from '../command.ts'
import { eventsOption } from '../event-sink.ts'
import { existingFolder, sweepOptions, textOption } from '../options.ts'
import { resumeAndReport } from '../sweep-and-report.ts'

/** What may be changed: it says how requests are made, not what is asked. */
const changeable = ['concurrency', 'request-timeout-s', 'retries', 'deadline-min']

export const resume: Command = {
  usage: 'resume DIR [options]',
  about: `Continues the run in DIR, which was killed or ended without all its verdicts (a signal, a cap, the deadline, infra
errors). It is configured as it was (DIR/sweep.json) and must come to the same plan: same corpus, prompts, models and
settings. Answers are kept and verified again under a new key; every other attempt is made again. What had been reserved
for requests under way at a kill counts as spent.`,
  options: [eventsOption, ...sweepOptions(changeable)],
  positionals: [{ name: 'DIR', isRequired: true }],
  examples: ['out', 'out --concurrency 1 --retries 10'],
  async run({ options, positionals, terminal, signal, finishOnSignal }) {
    const events = textOption(options, eventsOption.name)
    const folder = await existingFolder(positionals[0] ?? '.')
    const config = readSweep(path.join(folder, 'sweep.json'), readChanges(options))
    const output = config.output.endsWith('.json') ? path.join(folder, path.basename(config.output)) : folder
    return resumeAndReport({ ...config, output }, { terminal, signal, finishOnSignal, env: process.env, events })
  },
}

/** @throws BenchError `config/invalid` that lists every option that cannot be read. */
function readChanges(given: Invocation['options']): Record<string, unknown> {
  const problems: string[] = []
  const table = optionTable.filter(({ name }) => changeable.includes(name))
  const { sweep } = readFlags(table, { given, nameOption: (name) => `--${name}` }, problems)
  if (problems.length > 0) throw invalidConfig(problems)
  return sweep
}
