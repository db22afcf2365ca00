import { BenchError } from '../../bench-error.ts'
import { percent } from '../../report/format.ts'
import { powerStatement } from '../../stats/power-statement.ts'
import { type Command, exitCodes } from '../command.ts'
import { numberOption } from '../options.ts'
import { plainJson } from '../plain-text.ts'

export const power: Command = {
  usage: 'power [options]',
  about: `Says what a paired comparison over N problems can see: the chance that the exact McNemar test finds a true gap,
and how many problems it takes to find it four times in five. Both depend on how many problems are solved by
the weaker side alone (minority discordance); the planned range is 2.5-7.5 %, a checkpoint against its predecessor.`,
  options: [
    { name: 'n', value: 'N', help: 'problems in the comparison [31]' },
    { name: 'gap', value: 'D', help: 'true difference of the pass rates [0.10]' },
    { name: 'alpha', value: 'A', help: 'two-sided error rate [0.05]' },
    { name: 'discordance-min', value: 'M', help: 'least minority discordance [0.025]' },
    { name: 'discordance-max', value: 'M', help: 'greatest minority discordance [0.075]' },
    { name: 'target', value: 'P', help: 'power that counts as enough [0.8]' },
    { name: 'json', value: '', help: 'print {n, gap, alpha, power, neededN} as JSON' },
  ],
  positionals: [],
  examples: ['--n 31 --gap 0.10', '--n 200 --gap 0.05 --json'],
  async run({ options, terminal }) {
    const gap = numberOption(options, 'gap', 0.1)
    if (gap >= 1) {
      throw new BenchError({
        code: 'usage/power',
        message: `--gap: ${gap} is not a share of the problems.`,
        hint: 'Write 0.10 for ten points.',
      })
    }
    const statement = stateOrExplain({
      n: numberOption(options, 'n', 31),
      gap,
      alpha: numberOption(options, 'alpha', 0.05),
      discordance: {
        min: numberOption(options, 'discordance-min', 0.025),
        max: numberOption(options, 'discordance-max', 0.075),
      },
      target: numberOption(options, 'target', 0.8),
    })
    if (options.json === true) {
      terminal.out(plainJson(statement))
    } else {
      const { n, gap, power, neededN, target } = statement
      terminal.out(
        `With ${n} problems a true gap of ${points(gap)} is seen ${percent(power.min)} to ${percent(power.max)} of the time.`,
      )
      const needed =
        neededN.min === null || neededN.max === null
          ? 'more problems than were searched'
          : `${neededN.min} to ${neededN.max} problems`
      terminal.out(`To see it ${percent(target)} of the time takes ${needed}.`)
    }
    return exitCodes.fine
  },
}

function stateOrExplain(plan: Parameters<typeof powerStatement>[0]): ReturnType<typeof powerStatement> {
  try {
    return powerStatement(plan)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new BenchError({ code: 'usage/power', message: error.message, hint: 'See: vox-efficacy power --help' })
  }
}

function points(gap: number): string {
  return `${Number((gap * 100).toFixed(2))} points`
}
