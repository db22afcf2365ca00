import type { SweepComparison } from '../comparisons-schema.ts'
import { number, percent, plural } from '../format.ts'
import { describeMoreLess, points, pointsRange, pValue } from '../help-words.ts'
import { rankRows } from '../ranking.ts'
import type { Report } from '../schema.ts'
import {
  describeOutcome,
  describeRank,
  describeSight,
  describeSimultaneous,
  explainComparisons,
  showTestInterval,
} from '../sweep-comparison-words.ts'
import { table, text, unbroken } from './text.ts'

/** The comparisons of the plan, at most `limit` of them; null where there are none. */
export function comparisonsSection({ comparisons, simultaneous }: Report, limit: number): string | null {
  const [first] = comparisons
  if (first === undefined) return null
  const body = comparisons.slice(0, limit).map(comparisonRow)
  const seen = `${number(first.sight.gap * 100)} points seen`
  const left = comparisons.length - limit
  return [
    '### Comparisons',
    table(['First / second', 'First less second', 'Problems', 'p by Holm', 'Outcome', seen], body, 'lllrlr'),
    ...(left > 0 ? [`${plural(left, 'comparison')} more in report.json.`] : []),
    ...explainComparisons(comparisons).map((words) => text(words, 1000)),
    ...simultaneous.slice(0, limit).map((each) => text(describeSimultaneous(each), 1000)),
  ].join('\n\n')
}

function comparisonRow(comparison: SweepComparison): string[] {
  const { cells, difference, interval, adjustedP, fixtures } = comparison
  const own = showTestInterval(comparison)
  const range = [
    interval === null ? '' : `<br>${unbroken(`(${pointsRange(interval)})`)}`,
    own === null ? '' : `<br>${unbroken(`(test: ${pointsRange(own)})`)}`,
  ].join('')
  return [
    `${text(cells[0])}<br>/ ${text(cells[1])}`,
    difference === null ? '' : `${points(difference)}${range}`,
    difference === null ? '' : `${describeMoreLess(comparison)}<br>of ${number(fixtures)}`,
    adjustedP === null ? '' : pValue(adjustedP),
    text(describeOutcome(comparison), 200),
    unbroken(describeSight(comparison)),
  ]
}

/** Ranked tables, where the data can carry them; null where it carries none. */
export function rankedSection(report: Report): string | null {
  const tables = rankRows(report).flatMap(({ condition, outcome }) => {
    if (outcome.kind === 'refused') return []
    const { rows, n, neededN } = outcome.table
    const body = rows.map(({ id, rate, ranks }) => [text(id), percent(rate), describeRank(ranks, rows.length)])
    return [
      `Under ${text(condition)}, over ${plural(n, 'independent problem')} of ${number(neededN)} needed:`,
      table(['Row', 'Rate', 'Ranks left open'], body, 'lrl'),
    ]
  })
  return tables.length === 0 ? null : ['### Ranks', ...tables].join('\n\n')
}
