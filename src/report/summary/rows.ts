import type { Row } from '../../score/row.ts'
import { dollars, duration, number, percent, percentRange, plural, UNKNOWN } from '../format.ts'
import { describeFirsts, describeGaps, perPass } from '../row-words.ts'
import type { Report } from '../schema.ts'
import { blocks, table, text, unbroken } from './text.ts'

/** The rows, at most `limit` of them, in the order of the plan, and what is missing from them. */
export function rowsTable({ rows, plan }: Report, limit: number): string {
  const ks = plan.samples > 1 ? plan.k : []
  const head = ['Subject and help', 'Passed', 'Rate, 95 % interval', ...ks.map((k) => `pass@&#8203;${k}`)]
  const shown = rows.slice(0, limit)
  const body = shown.map((row) => [
    rowName(row),
    unbroken(`${row.firstSample.passed} of ${describeFirsts(row)}`),
    rateCell(row),
    ...ks.map((k) => unbroken(percent(row.passAtK.find((each) => each.k === k)?.value ?? null))),
    afterCutoff(row),
    row.headline.kind === 'ok' ? unbroken(percent(row.compile.rate)) : 'withheld',
    topFailure(row),
  ])
  return [
    table(
      [...head, 'After the cutoff', '`check` accepts', 'Most frequent failure'],
      body,
      `lrl${'r'.repeat(ks.length)}rrl`,
    ),
    ...(rows.length > limit ? [`${plural(rows.length - limit, 'row')} more in report.json.`] : []),
    ...gapNotes(shown),
  ].join('\n\n')
}

/** What rows took, for those of which anything is known. */
export function consumptionSection({ rows }: Report, limit: number): string {
  const known = rows.filter(
    ({ tokens, cost, latency }) =>
      tokens.completion.total !== null || cost.usd.total !== null || latency.p50Ms !== null,
  )
  const title = '### Tokens, cost and latency'
  if (known.length === 0) return `${title}\n\nUnknown for every row.`
  const body = known
    .slice(0, limit)
    .map((row) => [
      rowName(row),
      number(row.tokens.prompt.total),
      number(row.tokens.completion.total),
      perPass(row, number(row.tokens.perPass)),
      dollars(row.cost.usd.total),
      perPass(row, dollars(row.cost.perSuccessUsd)),
      unbroken(duration(row.latency.p50Ms)),
      unbroken(duration(row.latency.p90Ms)),
    ])
  const head = [
    'Subject and help',
    'Tokens in',
    'Tokens out',
    'Tokens a pass',
    'Cost',
    'Cost a pass',
    'Latency p50',
    'p90',
  ]
  const left = rows.length - known.length
  return [
    title,
    'They compare only where pass rates are alike.',
    table(head, body, 'lrrrrrrr'),
    ...(left === 0 ? [] : [`Unknown for ${plural(left, 'other row')}.`]),
  ].join('\n\n')
}

function rowName({ subject, condition, helpTokens }: Row): string {
  return `**${text(subject)}**<br>${text(condition)}, ${unbroken(`${number(helpTokens)} tokens`)}`
}

function rateCell({ headline, firstSample }: Row): string {
  if (headline.kind === 'withheld') return '**withheld**'
  const { rate, exact } = firstSample
  const range = exact === null ? '' : `<br>${unbroken(percentRange(exact))}`
  return (rate === null ? UNKNOWN : unbroken(`${blocks(rate)} ${percent(rate)}`)) + range
}

function afterCutoff({ uncontaminated }: Row): string {
  if (uncontaminated.kind === 'unknown') return UNKNOWN
  const { passed, of } = uncontaminated.firstSample
  return of === 0 ? 'no problems' : unbroken(`${passed} of ${of}`)
}

function topFailure({ failures: [failure], attempts, cheated }: Row): string {
  const cheats = cheated === 0 ? '' : `<br>**${cheated} cheated**`
  if (failure === undefined) return `none${cheats}`
  const name = failure.class === null ? failure.kind : `${failure.kind} ${failure.class}`
  return `${text(name)}<br>${unbroken(`${failure.count} of ${attempts.judged}`)}${cheats}`
}

/** What is missing from a row, and what its rate would be at worst and at best. */
function gapNotes(rows: readonly Row[]): string[] {
  const notes = rows.flatMap((row) => {
    const gaps = describeGaps(row)
    if (gaps === null || row.bounds === null) return []
    const { allFailed, allPassed } = row.bounds.firstSample
    const why = row.headline.kind === 'withheld' ? ` Withheld: ${text(row.headline.reason)}.` : ''
    return [
      `- ${text(row.subject)} ${text(row.condition)}: ${text(gaps)}.${why} The rate is ${percent(allFailed)} if what is missing failed, ${percent(allPassed)} if it passed.`,
    ]
  })
  return notes.length === 0 ? [] : [notes.join('\n')]
}
