import { BenchError } from '../bench-error.ts'
import { parseConfig } from '../config/parse-config.ts'
import type { GivenOptions } from '../config/read-flags.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import { conditionProblem } from '../generate/condition.ts'
import type { CommandOption } from './command.ts'
import { readNamedFile, textOption } from './options.ts'
import type { Terminal } from './terminal.ts'

/** The option that names a sweep file. */
export const configOption: CommandOption = {
  name: 'config',
  value: 'FILE',
  help: 'sweep file (YAML) with subjects and any of the options below',
}

/**
 * The configuration of a sweep from options and the file that `--config` names; what is odd in it is told.
 * @throws BenchError `config/invalid` that lists every problem.
 */
export async function readConfig(options: GivenOptions, terminal: Terminal): Promise<SweepConfig> {
  const { config: configPath, ...given } = options
  if (configPath === true) {
    throw new BenchError({
      code: 'usage/empty',
      message: '--config needs a file.',
      hint: 'Give the path of a sweep file.',
    })
  }
  const path = textOption(options, 'config')
  const file = path === undefined ? null : { path, text: await readNamedFile(path) }
  const { config, warnings } = parseConfig({ given, file, nameOption: (name) => `--${name}`, conditionProblem })
  for (const warning of warnings) terminal.note(`warning: ${warning}`)
  return config
}
