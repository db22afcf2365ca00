import { mergeRuns } from '../../sweep/merge-runs.ts'
import { prepareOutput } from '../../sweep/output-folder.ts'
import { reportOf, writeOutputs } from '../../sweep/report-files.ts'
import { type Command, exitCodes } from '../command.ts'
import { existingFolder, requiredOption } from '../options.ts'
import { terminalSummary } from '../terminal-summary.ts'

export const merge: Command = {
  usage: 'merge --output DIR SHARD...',
  about: `Joins all shards of a run, each in its folder, into one run with one report, whose statistics are made once from all
verdicts. It refuses, listing every problem, when a shard is missing, there twice or damaged, or when shards differ in
plan, tool, engine or sandbox. A shard that stopped early is merged, and the whole is incomplete. Exits 4 when attempts
are missing.`,
  options: [
    { name: 'output', value: 'PATH', help: 'folder for the merged run, or the .json file of its report; no shard' },
  ],
  positionals: [{ name: 'SHARD', isRequired: true, isRepeated: true }],
  examples: ['--output out shards/1 shards/2 shards/3'],
  async run({ options, positionals, terminal }) {
    const target = requiredOption(options, 'output')
    for (const folder of positionals) await existingFolder(folder)
    const output = await prepareOutput(target)
    process.once('exit', output.release)
    try {
      await mergeRuns(positionals, output)
      const report = await reportOf(output.journal)
      const written = await writeOutputs(output, report)
      terminal.out(terminalSummary(report))
      terminal.out(`\nWritten: ${written.join(', ')}`)
      return report.run.complete ? exitCodes.fine : exitCodes.incomplete
    } finally {
      process.off('exit', output.release)
      output.release()
    }
  },
}
