import path from 'node:path'
import { prepareOutput } from '../../sweep/output-folder.ts'
import { reportOf, writeOutputs } from '../../sweep/report-files.ts'
import { type Command, exitCodes } from '../command.ts'
import { existingFolder, textOption } from '../options.ts'
import { terminalSummary } from '../terminal-summary.ts'

export const report: Command = {
  usage: 'report DIR [options]',
  about: `Renders every output of an earlier run again from its journal, DIR/attempts.jsonl. Nothing is asked and nothing is
verified: the same journal always gives the same report.`,
  options: [{ name: 'output', value: 'PATH', help: 'folder for the files, or the .json file of the report [DIR]' }],
  positionals: [{ name: 'DIR', isRequired: true }],
  examples: ['out', 'out --output elsewhere'],
  async run({ options, positionals, terminal }) {
    const folder = await existingFolder(positionals[0] ?? '.')
    const built = await reportOf(path.join(folder, 'attempts.jsonl'))
    const output = await prepareOutput(textOption(options, 'output') ?? folder)
    const written = await writeOutputs({ ...output, journal: path.join(folder, 'attempts.jsonl') }, built)
    terminal.out(terminalSummary(built))
    terminal.out(`\nWritten: ${written.slice(0, -1).join(', ')}`)
    return exitCodes.fine
  },
}
