import { dollars, number } from '../report/format.ts'
import type { TerminalSize } from './terminal.ts'
import { fitName, widthOf } from './text-width.ts'

/** How far a cell has come. */
export interface CellProgress {
  /** Clean: it comes to a terminal as it is. */
  readonly name: string
  readonly planned: number
  readonly done: number
  readonly passed: number
  readonly infraErrors: number
  readonly notAttempted: number
  readonly spentUsd: number
}

/** How far a run has come. */
export interface RunProgress {
  readonly cells: readonly CellProgress[]
  readonly spentUsd: number
  /** Null for no cap. */
  readonly capUsd: number | null
  /** Null while nothing tells. */
  readonly remainingMs: number | null
}

/** The whole run in one line, without what is 0. */
export function totalsLine(run: RunProgress): string {
  const { passed, infraErrors } = sumOf(run)
  return [
    ...wayLeft(run),
    `${number(passed)} passing`,
    ...(infraErrors > 0 ? [`${number(infraErrors)} infra ${infraErrors === 1 ? 'error' : 'errors'}`] : []),
  ].join(', ')
}

function wayLeft(run: RunProgress): string[] {
  const { spentUsd, capUsd, remainingMs } = run
  const { done, planned, notAttempted } = sumOf(run)
  return [
    `${number(done)} of ${number(planned)} attempts`,
    ...(remainingMs === null || done === planned ? [] : [`${roughly(remainingMs)} left`]),
    ...(spentUsd > 0 ? [`${dollars(spentUsd)}${capUsd === null ? '' : ` of ${dollars(capUsd)}`} spent`] : []),
    ...(notAttempted > 0 ? [`${number(notAttempted)} not attempted`] : []),
  ]
}

function sumOf({ cells, spentUsd }: RunProgress): CellProgress {
  const sum = (count: (cell: CellProgress) => number) => cells.reduce((total, cell) => total + count(cell), 0)
  return {
    name: 'all rows',
    planned: sum(({ planned }) => planned),
    done: sum(({ done }) => done),
    passed: sum(({ passed }) => passed),
    infraErrors: sum(({ infraErrors }) => infraErrors),
    notAttempted: sum(({ notAttempted }) => notAttempted),
    spentUsd,
  }
}

/** Fewer columns make a name unrecognisable; the numbers behind it are cut off then. */
const NARROWEST_NAME = 16

/** The run as lines for a terminal: how far it is, then one row a cell, as many as there is room for. */
export function progressLines(run: RunProgress, { columns, rows }: TerminalSize): string[] {
  const { cells } = run
  const sums = cells.length > 1 ? [sumOf(run)] : []
  // Below the first line, the names of the columns and the sums, and above the line that stays empty.
  const room = rows - 3 - sums.length
  if (room < Math.min(cells.length, 2)) return [totalsLine(run)]
  const shown = [...sums, ...(cells.length <= room ? cells : cells.slice(0, room - 1))]
  const table = [['done', 'passing', 'infra errors', 'spent'], ...shown.map(numbersOf)]
  const isShown = [true, true, cells.some((cell) => cell.infraErrors > 0), run.spentUsd > 0]
  // As wide as they can become, so that the columns stay where they are.
  const widest = Math.max(...[...sums, ...cells].map(({ planned }) => `${number(planned)}/${number(planned)}`.length))
  const widths = [widest, Math.max(widest, 'passing'.length), 'infra errors'.length, '$0.000000'.length]
  const numbers = table.map((cellsOfRow) =>
    cellsOfRow.flatMap((text, column) => (isShown[column] ? [text.padStart(widths[column] ?? 0)] : [])).join('  '),
  )
  const nameColumns = Math.min(
    Math.max(...[...sums, ...cells].map(({ name }) => widthOf(name))),
    Math.max(NARROWEST_NAME, columns - 3 - (numbers[0]?.length ?? 0)),
  )
  const names = ['', ...shown.map(({ name }) => name)]
  const left = cells.length + sums.length - shown.length
  return [
    wayLeft(run).join(', '),
    ...numbers.map((text, row) => `${fitName(names[row] ?? '', nameColumns)}  ${text}`),
    ...(left > 0 ? [`and ${number(left)} more rows`] : []),
  ]
}

function numbersOf({ planned, done, passed, infraErrors, notAttempted, spentUsd }: CellProgress): string[] {
  return [
    `${number(done)}/${number(planned)}`,
    `${number(passed)}/${number(done - infraErrors - notAttempted)}`,
    number(infraErrors),
    dollars(spentUsd),
  ]
}

/** No more digits than an estimate is worth. */
function roughly(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (ms < 60_000) return 'under 1 min'
  if (minutes < 90) return `about ${minutes} min`
  return minutes < 48 * 60 ? `about ${Math.round(minutes / 60)} h` : `about ${number(minutes / 60 / 24)} days`
}
