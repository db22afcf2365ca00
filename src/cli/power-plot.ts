import { columns } from '../report/columns.ts'
import { number, percent, plural } from '../report/format.ts'
import { problemsAxis } from '../report/power-axis.ts'
import type { PowerPlan } from '../report/power-plan.ts'
import { alphaWords, gapWords, methodWords, neededWords, powerRange } from '../report/power-plan-words.ts'

const WIDTH = 66
/** A row for every five points. */
const ROWS = 20
const MARGIN = 6
const LETTERS = 'abcdefghij'

/** A power plan for a terminal: a table of gaps, a plot, and what a number of models takes. All lines are plain text. */
export function powerText(plan: PowerPlan): string[] {
  const { n, gap, target } = plan.statement
  return [
    ...methodWords(plan),
    '',
    ...gapTable(plan),
    '',
    'Power against problems. Letters: the ends of a gap over the planned discordance.',
    `●: ${percent(target)} reached, and kept by every larger number. │: ${plural(n, 'problem')}.`,
    ...powerPlot(plan),
    '',
    `Problems for a gap of ${gapWords(gap)} at ${percent(target)}, by number of models, each pair compared:`,
    ...modelsTable(plan),
  ]
}

function gapTable({ gaps, statement }: PowerPlan): string[] {
  return columns([
    ['', 'true gap', `seen with ${plural(statement.n, 'problem')}`, `problems for ${percent(statement.target)}`],
    ...gaps.map(({ gap, power, neededN }, index) => [
      letterOf(index),
      gapWords(gap),
      powerRange(power),
      neededWords(neededN),
    ]),
  ])
}

function modelsTable({ byModels }: PowerPlan): string[] {
  const places = byModels[0]?.at ?? []
  return columns([
    [
      'models',
      'pairs',
      'alpha a pair',
      'problems',
      ...places.map(({ discordance }) => `at ${number(discordance * 100, 2)} %`),
    ],
    ...byModels.map(({ models, comparisons, alpha, neededN, at }) => [
      number(models),
      number(comparisons),
      alphaWords(alpha),
      neededWords(neededN),
      ...at.map((place) => (place.neededN === null ? '–' : number(place.neededN))),
    ]),
  ])
}

/** Power from 100 % down to 0 against the logarithm of the problems, as lines of characters. */
export function powerPlot(plan: PowerPlan): string[] {
  const { n, target } = plan.statement
  const axis = problemsAxis(plan)
  const column = (problems: number) => Math.round(axis.place(problems) * (WIDTH - 1))
  const row = (power: number) => Math.round((1 - power) * ROWS)
  const grid = Array.from({ length: ROWS + 1 }, () => new Array<string>(WIDTH).fill(' '))
  const draw = (at: number, line: number, character: string) => {
    const cells = grid[line]
    if (cells !== undefined && at >= 0 && at < WIDTH) cells[at] = character
  }
  for (let at = 0; at < WIDTH; at++) draw(at, row(target), '┄')
  for (let line = 0; line <= ROWS; line++) draw(column(n), line, '│')
  for (const [index, { points }] of plan.gaps.entries()) {
    for (const point of points) {
      draw(column(point.n), row(point.max), letterOf(index))
      draw(column(point.n), row(point.min), letterOf(index))
    }
  }
  for (const { neededN } of plan.gaps) {
    for (const needed of [neededN.min, neededN.max]) {
      if (needed !== null && needed <= axis.to) draw(column(needed), row(target), '●')
    }
  }
  return [
    ...grid.map((cells, line) => `${lineLabel(line)}┤${cells.join('').trimEnd()}`),
    `${' '.repeat(MARGIN)}└${'─'.repeat(WIDTH)}`,
    `${' '.repeat(MARGIN + 1)}${tickLine(axis.ticks, column)}`,
  ]
}

function lineLabel(line: number): string {
  const power = 1 - line / ROWS
  return (line % 4 === 0 ? `${percent(power)} ` : '').padStart(MARGIN)
}

/** Numbers under their columns; one that would touch the number before it is left out. */
function tickLine(ticks: readonly number[], column: (n: number) => number): string {
  let line = ''
  for (const tick of ticks) {
    const words = number(tick)
    const start = Math.max(0, column(tick) - Math.floor(words.length / 2))
    if (line === '' || start > line.length) line = line.padEnd(start) + words
  }
  return line
}

function letterOf(index: number): string {
  return LETTERS[index % LETTERS.length] as string
}
