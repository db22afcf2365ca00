import { columns } from '../report/columns.ts'
import { percent, percentRange, percentTenths } from '../report/format.ts'
import { headlineOf } from '../report/headline.ts'
import { plainText } from '../report/plain-text.ts'
import type { Report } from '../report/schema.ts'
import { listTouched } from '../report/training-words.ts'
import type { Row } from '../score/row.ts'

/** What a terminal shows of a report: every row, and the caveat on power that belongs to it. */
export function terminalSummary(report: Report): string {
  const headline = headlineOf(report)
  const power = report.caveat.find((caveat) => caveat.id === 'power')
  const table = [['subject', 'help', 'passed', 'rate', '95 % interval', 'check accepts'], ...report.rows.map(cells)]
  const missing = report.rows.flatMap(missingLine)
  const touched = listTouched(report.plan).map((line) => `not clean: ${line}`)
  return [
    headline.title,
    headline.labels.join(', '),
    '',
    ...columns(table),
    ...missing,
    ...touched,
    '',
    power?.text ?? '',
  ]
    .map(plainText)
    .join('\n')
}

function cells(row: Row): string[] {
  const { passed, of, rate, exact } = row.firstSample
  const shown = row.headline.kind === 'ok'
  return [
    row.subject,
    row.condition,
    `${passed}/${of}`,
    shown ? percentTenths(rate) : 'withheld',
    shown && exact !== null ? percentRange(exact) : '',
    shown ? percent(row.compile.rate) : '',
  ]
}

const MISSING_SHOWN = 20

/** Why a row has no rate, and which problems have no verdict. */
function missingLine({ cell, firstSamples, headline }: Row): string[] {
  const missing = firstSamples.filter(({ outcome }) => outcome === 'missing').map(({ fixture }) => fixture)
  const more = missing.length > MISSING_SHOWN ? ` and ${missing.length - MISSING_SHOWN} more` : ''
  return [
    ...(headline.kind === 'withheld' ? [`no rate for ${cell}: ${headline.reason}`] : []),
    ...(missing.length > 0 ? [`no verdict in ${cell}: ${missing.slice(0, MISSING_SHOWN).join(', ')}${more}`] : []),
  ]
}
