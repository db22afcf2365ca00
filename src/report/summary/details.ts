import type { Row } from '../../score/row.ts'
import { attemptStatus, describeSamples } from '../attempt-status.ts'
import { number, plural } from '../format.ts'
import { groupBy } from '../group-by.ts'
import { stageWords } from '../row-words.ts'
import type { Report } from '../schema.ts'
import { folded, table, text } from './text.ts'

/** With more cells than this, tables with a column a cell would be too wide to read. */
const COLUMNS = 12
const FAILURES_SHOWN = 12
const FUNNELS_SHOWN = 100

/** How far attempts came, and their failures ranked over all rows. */
export function failuresSection({ rows }: Report): string {
  const funnel = table(
    ['', ...Object.values(stageWords)],
    rows.slice(0, FUNNELS_SHOWN).map((row) => [cellName(row), ...row.funnel.map(({ count }) => number(count))]),
    `l${'r'.repeat(Object.keys(stageWords).length)}`,
  )
  const ranked = rankOverRows(rows)
  if (ranked.length === 0) return `### Where attempts end\n\n${funnel}`
  const columns = rows.length <= COLUMNS ? rows : []
  const failures = table(
    ['Failure', 'All rows', ...columns.map(cellName)],
    ranked
      .slice(0, FAILURES_SHOWN)
      .map(({ name, total, counts }) => [
        text(name),
        `**${number(total)}**`,
        ...columns.map(({ cell }) => number(counts.get(cell) ?? 0)),
      ]),
    `l${'r'.repeat(columns.length + 1)}`,
  )
  const more =
    ranked.length > FAILURES_SHOWN ? `\n\n${plural(ranked.length - FAILURES_SHOWN, 'more kind')} in report.json.` : ''
  return `### Where attempts end\n\n${funnel}\n\n${failures}${more}`
}

interface RankedFailure {
  readonly name: string
  readonly total: number
  readonly counts: ReadonlyMap<string, number>
}

function rankOverRows(rows: readonly Row[]): RankedFailure[] {
  const all = rows.flatMap(({ cell, failures }) =>
    failures.map((failure) => ({ cell, name: `${failure.kind} ${failure.class ?? ''}`.trim(), count: failure.count })),
  )
  return [...groupBy(all, ({ name }) => name)]
    .map(([name, each]) => ({
      name,
      total: each.reduce((sum, { count }) => sum + count, 0),
      counts: new Map(each.map(({ cell, count }) => [cell, count])),
    }))
    .sort((a, b) => b.total - a.total)
}

/** What became of every problem in every cell, folded up. */
export function problemsSection({ plan, attempts }: Report): string {
  const places = groupBy(attempts, ({ cell, fixture }) => JSON.stringify([cell, fixture]))
  const cells = plan.cells.slice(0, COLUMNS)
  const body = plan.fixtures.map(({ id, title }) => [
    `${text(id)} ${text(title)}`,
    ...cells.map((cell) => placeText(places.get(JSON.stringify([cell.id, id])) ?? [])),
  ])
  const head = ['Problem', ...cells.map(cellName)]
  const left = plan.cells.length - cells.length
  const more = left > 0 ? `\n\n${plural(left, 'more cell')} in report.html.` : ''
  return folded('Problem by problem', table(head, body, `l${'l'.repeat(cells.length)}`) + more)
}

function placeText(attempts: Report['attempts']): string {
  const [first] = attempts
  if (first === undefined) return '– no attempt'
  if (attempts.length > 1) return describeSamples(attempts, ' of ')
  const { outcome, glyph, brief } = attemptStatus(first)
  return outcome === 'passed' ? glyph : `${glyph} ${text(brief)}`
}

function cellName({ subject, condition }: { readonly subject: string; readonly condition: string }): string {
  return `${text(subject)}<br>${text(condition)}`
}
