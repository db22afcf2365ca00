import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import type { CompareOptions } from '../../compare/compare-options.ts'
import { compareReports } from '../../compare/compare-reports.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { DEFAULT_MARGIN, type Look } from '../../stats/gate.ts'
import { writeComparison } from '../../sweep/comparison-files.ts'
import { readNamedReport } from '../../sweep/named-report.ts'
import { type Command, exitCodes, type Invocation } from '../command.ts'
import { comparisonText } from '../comparison-text.ts'
import { numberOption, textOption } from '../options.ts'

type Options = Invocation['options']

const ALPHA = 0.05

export const compare: Command = {
  usage: 'compare [options] BASE HEAD',
  about: `Compares two reports on the problems that both asked, one row each, and says whether HEAD regressed, improved, shows no
loss of the margin, or whether that cannot be told. It refuses, naming the field, where corpus, engine, condition,
prompts, sampling or rules differ, and blocks where either report may not be gated on. BASE may be "none": a first run
has no baseline. Exits 0 unless HEAD regressed or the comparison is blocked, then 1.`,
  options: [
    { name: 'output', value: 'DIR', help: 'write comparison.json and comparison.md to this folder' },
    { name: 'base-subject', value: 'ID', help: 'subject of BASE [its only one, or the one that fits HEAD]' },
    { name: 'head-subject', value: 'ID', help: 'subject of HEAD [its only one, or the one that fits BASE]' },
    { name: 'condition', value: 'C', help: 'amount of language help [the only one that both have]' },
    { name: 'alpha', value: 'A', help: 'two-sided error rate of all looks together [0.05]' },
    { name: 'margin', value: 'P', help: 'loss that "no loss detected" excludes, as a share [0.10]' },
    { name: 'push', value: 'J', help: 'this is the J-th push to one pull request: alpha 6/(π² J²)' },
    { name: 'horizon', value: 'T', help: 'this is one of T scheduled runs: alpha / T' },
    { name: 'draws', value: 'REPORT', help: 'further draws of HEAD, which label lost problems and enter no test' },
    { name: 'preset', value: 'upstream', help: "the vox repository's floors and limit beside the gate [none]" },
    { name: 'json', value: '', help: 'print comparison.json instead of text' },
  ],
  positionals: [
    { name: 'BASE', isRequired: true },
    { name: 'HEAD', isRequired: true },
  ],
  examples: [
    'main/report.json out/report.json --push 2',
    'none out/report.json --output out',
    'last/report.json out/report.json --horizon 52 --draws again/report.json',
  ],
  async run({ options, positionals, terminal }) {
    const [baseFile = '', headFile = ''] = positionals
    const settings = readOptions(options, baseFile, headFile)
    const base = baseFile === 'none' ? null : await readNamedReport(baseFile)
    const head = await readNamedReport(headFile)
    const drawsFile = textOption(options, 'draws')
    const draws = drawsFile === undefined ? null : await readNamedReport(drawsFile)
    const comparison = compareReports(base, head, { ...settings, draws })
    const folder = textOption(options, 'output')
    const written = folder === undefined ? [] : await writeComparison(folder, comparison)
    terminal.out(options.json === true ? plainJson(comparison, 2) : comparisonText(comparison))
    for (const file of written) terminal.note(`Written: ${plainText(path.relative(process.cwd(), file))}`)
    return comparison.passes ? exitCodes.fine : exitCodes.gateSaysNo
  },
}

/** @throws BenchError `usage/compare` that lists every problem. */
function readOptions(options: Options, baseFile: string, headFile: string): Omit<CompareOptions, 'draws'> {
  const alpha = numberOption(options, 'alpha', ALPHA)
  const margin = numberOption(options, 'margin', DEFAULT_MARGIN)
  const push = options.push === undefined ? null : numberOption(options, 'push', 1)
  const horizon = options.horizon === undefined ? null : numberOption(options, 'horizon', 1)
  const preset = textOption(options, 'preset') ?? null
  const isCount = (value: number | null) => value === null || (Number.isInteger(value) && value >= 1 && value <= 1e6)
  const problems = [
    ...(headFile === 'none' ? ['HEAD: none stands for BASE only; give the report of a run'] : []),
    ...(alpha > 0 && alpha < 0.5 ? [] : [`--alpha: ${alpha} does not lie between 0 and 0.5`]),
    ...(margin > 0 && margin < 1
      ? []
      : [`--margin: ${margin} is not a share between 0 and 1; write 0.10 for ten points`]),
    ...(isCount(push) ? [] : [`--push: ${push} is not the number of a push, 1 for the first`]),
    ...(isCount(horizon) ? [] : [`--horizon: ${horizon} is not a number of scheduled runs`]),
    ...(push === null || horizon === null ? [] : ['--push and --horizon exclude each other']),
    ...(preset === null || preset === 'upstream' ? [] : [`--preset: there is no preset "${preset}", only upstream`]),
    ...(baseFile === 'none' && options.draws !== undefined
      ? ['--draws: without a BASE nothing is under suspicion']
      : []),
  ]
  if (problems.length > 0) {
    throw new BenchError({
      code: 'usage/compare',
      message: `${problems.join('; ')}.`,
      hint: 'See: vox-efficacy compare --help',
    })
  }
  const look: Look =
    push !== null ? { kind: 'push', j: push } : horizon !== null ? { kind: 'scheduled', horizon } : { kind: 'single' }
  return {
    alpha,
    margin,
    look,
    preset: preset === 'upstream' ? preset : null,
    baseSubject: textOption(options, 'base-subject') ?? null,
    headSubject: textOption(options, 'head-subject') ?? null,
    condition: textOption(options, 'condition') ?? null,
  }
}
