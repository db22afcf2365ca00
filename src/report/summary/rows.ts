import type { Row } from '../../score/row.ts'
import { explainFixRows } from '../fix-words.ts'
import { dollars, duration, number, percent, percentRange, percentTenths, plural, UNKNOWN } from '../format.ts'
import { infraReasons } from '../infra-reasons.ts'
import { describeUnknownColumns, splitColumns } from '../known-columns.ts'
import { wasPromptSent } from '../known-prompts.ts'
import { describeFirsts, describeGaps, describeHelp, perPass } from '../row-words.ts'
import type { Report } from '../schema.ts'
import { describeTouched } from '../training-words.ts'
import { blocks, table, text, unbroken } from './text.ts'

/** The rows, at most `limit` of them, in the order of the plan, and what is missing from them. */
export function rowsTable(report: Report, limit: number): string {
  const { rows, plan } = report
  const asked = askedSubjects(report)
  const hasCutoff = splitColumns(rows).cutoff
  const unknown = describeUnknownColumns(rows, ['cutoff'])
  const ks = plan.samples > 1 ? plan.k : []
  const head = ['Subject and help', 'Passed', 'Rate, 95 % interval', ...ks.map((k) => `pass@&#8203;${k}`)]
  const shown = rows.slice(0, limit)
  const body = shown.map((row) => [
    rowName(row, asked),
    unbroken(`${row.firstSample.passed} of ${describeFirsts(row)}`),
    rateCell(row),
    ...ks.map((k) => unbroken(percent(row.passAtK.find((each) => each.k === k)?.value ?? null))),
    ...(hasCutoff ? [afterCutoff(row)] : []),
    row.headline.kind === 'ok' ? unbroken(percent(row.compile.rate)) : 'withheld',
    topFailure(row),
  ])
  return [
    table(
      [...head, ...(hasCutoff ? ['After the cutoff'] : []), '`check` accepts', 'Most frequent failure'],
      body,
      `lrl${'r'.repeat(ks.length)}${hasCutoff ? 'r' : ''}rl`,
    ),
    ...(rows.length > limit ? [`${plural(rows.length - limit, 'row')} more in report.json.`] : []),
    ...(unknown === null ? [] : [unknown]),
    ...[explainFixRows(shown)].filter((words) => words !== null),
    ...touchedNotes(shown, plan),
    ...gapNotes(shown, infraReasons(report)),
  ].join('\n\n')
}

/** What rows took, for those of which anything is known. */
export function consumptionSection(report: Report, limit: number): string {
  const { rows } = report
  const asked = askedSubjects(report)
  const known = rows.filter(
    ({ tokens, cost, latency }) =>
      tokens.completion.total !== null || cost.usd.total !== null || latency.p50Ms !== null,
  )
  const title = '### Tokens, cost and latency'
  if (known.length === 0) return `${title}\n\nUnknown for every row.`
  const has = splitColumns(rows)
  const unknown = describeUnknownColumns(rows, ['tokens', 'cost', 'latency'])
  const body = known
    .slice(0, limit)
    .map((row) => [
      rowName(row, asked),
      ...(has.tokens
        ? [
            number(row.tokens.prompt.total),
            number(row.tokens.completion.total),
            perPass(row, number(row.tokens.perPass)),
          ]
        : []),
      ...(has.cost ? [text(dollars(row.cost.usd.total)), perPass(row, text(dollars(row.cost.perSuccessUsd)))] : []),
      ...(has.latency ? [unbroken(duration(row.latency.p50Ms)), unbroken(duration(row.latency.p90Ms))] : []),
    ])
  const head = [
    'Subject and help',
    ...(has.tokens ? ['Tokens in', 'Tokens out', 'Tokens a pass'] : []),
    ...(has.cost ? ['Cost', 'Cost a pass'] : []),
    ...(has.latency ? ['Latency p50', 'p90'] : []),
  ]
  const left = rows.length - known.length
  return [
    title,
    'They compare only where pass rates are alike.',
    table(head, body, `l${'r'.repeat(head.length - 1)}`),
    ...(unknown === null ? [] : [unknown]),
    ...(left === 0 ? [] : [`Unknown for ${plural(left, 'other row')}.`]),
  ].join('\n\n')
}

/** Ids of the subjects whose help is known. */
function askedSubjects({ plan }: Report): ReadonlySet<string> {
  return new Set(plan.subjects.filter(wasPromptSent).map(({ id }) => id))
}

function rowName(row: Row, asked: ReadonlySet<string>): string {
  return `**${text(row.subject)}**<br>${text(row.condition)}, ${unbroken(describeHelp(row, asked.has(row.subject)))}`
}

function rateCell({ headline, firstSample }: Row): string {
  if (headline.kind === 'withheld') return '**withheld**'
  const { rate, exact } = firstSample
  const range = exact === null ? '' : `<br>${unbroken(percentRange(exact))}`
  return (
    (rate === null ? UNKNOWN : unbroken(`${blocks(rate)} ${exact === null ? percent(rate) : percentTenths(rate)}`)) +
    range
  )
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

/** Of each subject whose training data was touched: its rows may show what it remembers. */
function touchedNotes(rows: readonly Row[], { subjects }: Report['plan']): string[] {
  const shown = new Set(rows.map(({ subject }) => subject))
  const notes = subjects.flatMap((subject) => {
    const found = shown.has(subject.id) ? describeTouched(subject) : null
    return found === null
      ? []
      : [
          `- **${text(subject.id)}: its training data holds ${found}**, so its rows may show what it remembers; see _Training data_ below.`,
        ]
  })
  return notes.length === 0 ? [] : [notes.join('\n')]
}

/** What is missing from a row, and what its rate would be at worst and at best. */
function gapNotes(rows: readonly Row[], reasons: ReadonlyMap<string, string>): string[] {
  const notes = rows.flatMap((row) => {
    const gaps = describeGaps(row)
    if (gaps === null || row.bounds === null) return []
    const { allFailed, allPassed } = row.bounds.firstSample
    const reason = reasons.get(row.cell)
    const errors = reason === undefined ? '' : ` Reasons of infra errors: ${text(reason, 600)}.`
    const why = row.headline.kind === 'withheld' ? ` Withheld: ${text(row.headline.reason)}.` : ''
    return [
      `- ${text(row.subject)} ${text(row.condition)}: ${text(gaps)}.${errors}${why} The rate is ${percent(allFailed)} if what is missing failed, ${percent(allPassed)} if it passed.`,
    ]
  })
  return notes.length === 0 ? [] : [notes.join('\n')]
}
