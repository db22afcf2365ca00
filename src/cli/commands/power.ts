import { writeFile } from 'node:fs/promises'
import { BenchError } from '../../bench-error.ts'
import { plainJson } from '../../report/plain-text.ts'
import { listQuestionProblems, type PowerPlan, type PowerQuestion, planPower } from '../../report/power-plan.ts'
import { renderPowerSvg } from '../../report/power-svg.ts'
import type { Range } from '../../stats/paired-design.ts'
import { unwritable } from '../../sweep/unwritable.ts'
import { type Command, exitCodes, type Invocation } from '../command.ts'
import { numberOption, textOption } from '../options.ts'
import { powerText } from '../power-plot.ts'

/** Only the weaker checkpoint solves few problems that the other fails; different models differ on more. */
const CHECKPOINTS: Range = { min: 0.025, max: 0.075 }
const MODELS: Range = { min: 0.025, max: 0.2 }

export const power: Command = {
  usage: 'power [options]',
  about: `Plans a corpus or a sweep: what a paired comparison over N problems can see, that is the chance that the exact
McNemar test finds a true gap, and how many problems it takes to find it four times in five. Both depend on how many
problems only the weaker side solves (minority discordance), which is planned as a range, and on how many models are
compared with each other. Prints a table, a plot, and what each number of models takes.`,
  options: [
    { name: 'n', value: 'N', help: 'problems in the comparison [31]' },
    {
      name: 'gap',
      value: 'D',
      help: 'true difference of the pass rates [0.10]; 5, 10, 15 and 20 points are shown as well',
    },
    { name: 'models', value: 'K', help: 'models, each pair of them compared; alpha is split between the pairs [2]' },
    {
      name: 'discordance',
      value: 'A-B',
      help: 'planned minority discordance [0.025-0.075, a checkpoint and its predecessor; with --models 0.025-0.2]',
    },
    { name: 'alpha', value: 'A', help: 'two-sided error rate over all pairs together [0.05]' },
    { name: 'target', value: 'P', help: 'power that counts as enough [0.8]' },
    { name: 'svg', value: 'FILE', help: 'write the plot to FILE as an SVG picture too' },
    { name: 'json', value: '', help: 'print everything but the drawn points as JSON instead' },
  ],
  positionals: [],
  examples: ['--n 31 --gap 0.10', '--n 200 --models 6 --svg power.svg', '--gap 0.05 --discordance 0.025-0.2 --json'],
  async run({ options, terminal }) {
    const plan = planOrExplain(readQuestion(options))
    const file = textOption(options, 'svg')
    if (file !== undefined) await writePicture(file, renderPowerSvg(plan))
    terminal.out(options.json === true ? plainJson(withoutPoints(plan)) : powerText(plan).join('\n'))
    return exitCodes.fine
  },
}

function readQuestion(options: Invocation['options']): PowerQuestion {
  const gap = numberOption(options, 'gap', 0.1)
  if (gap >= 1) {
    throw new BenchError({
      code: 'usage/power',
      message: `--gap: ${gap} is not a share of the problems.`,
      hint: 'Write 0.10 for ten points.',
    })
  }
  return {
    n: numberOption(options, 'n', 31),
    gap,
    familyAlpha: numberOption(options, 'alpha', 0.05),
    discordance: readRange(options) ?? (options.models === undefined ? CHECKPOINTS : MODELS),
    target: numberOption(options, 'target', 0.8),
    models: numberOption(options, 'models', 2),
  }
}

/** `0.025-0.075`, or `0.05` for one value; undefined when it was not given. */
function readRange(options: Invocation['options']): Range | undefined {
  const text = textOption(options, 'discordance')
  if (text === undefined) return undefined
  const match = /^\s*(\d*\.?\d+)\s*(?:-\s*(\d*\.?\d+)\s*)?$/.exec(text)
  if (match === null) {
    throw new BenchError({
      code: 'usage/power',
      message: `--discordance: "${text}" is not a range of shares.`,
      hint: 'Write it like 0.025-0.075, or 0.05 for one value.',
    })
  }
  return { min: Number(match[1]), max: Number(match[2] ?? match[1]) }
}

function planOrExplain(question: PowerQuestion): PowerPlan {
  const problems = [
    ...(question.n === 0 ? ['--n: with 0 problems there is nothing to compare'] : []),
    ...(question.gap === 0 ? ['--gap: a gap of 0 is none, and no number of problems shows it'] : []),
    ...listQuestionProblems(question),
  ]
  if (problems.length === 0) return planPower(question)
  throw new BenchError({
    code: 'usage/power',
    message: `${problems.join('; ')}.`,
    hint: 'See: vox-efficacy power --help',
  })
}

/** The keys of the statement stand at the top, beside those of the plan. */
function withoutPoints({ statement, gaps, ...rest }: PowerPlan): object {
  return { ...statement, ...rest, gaps: gaps.map(({ points, ...gap }) => gap) }
}

async function writePicture(file: string, svg: string): Promise<void> {
  try {
    await writeFile(file, svg)
  } catch (error) {
    const hint = 'Give --svg the path of a file in a folder that is there and may be written to.'
    throw unwritable(file, error as Error, hint)
  }
}
