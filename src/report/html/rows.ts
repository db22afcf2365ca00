import type { Plan, Subject } from '../../generate/plan.ts'
import type { Rate } from '../../score/rate.ts'
import type { Row } from '../../score/row.ts'
import { explainFixRows } from '../fix-words.ts'
import { dollars, duration, number, percent, percentRange, percentTenths, plural, UNKNOWN } from '../format.ts'
import { groupBy } from '../group-by.ts'
import { infraReasons } from '../infra-reasons.ts'
import { describeUnknownColumns, type KnownColumns, splitColumns } from '../known-columns.ts'
import { SCRIPT_RECORDING, wasPromptSent } from '../known-prompts.ts'
import { describeFirsts, describeGaps, describeHelp, perPass } from '../row-words.ts'
import type { Report } from '../schema.ts'
import { describeTouched } from '../training-words.ts'
import { intervalBar } from './interval-bar.ts'
import { html, type Markup } from './markup.ts'

/** Columns that stand whatever is known. */
const FIXED_COLUMNS = 6

/** The score of each cell, in the order of the plan. */
export function rowsSection(report: Report): Markup {
  const { rows, plan } = report
  // With one sample a problem, pass@1 is the rate that stands there already.
  const ks = plan.samples > 1 ? plan.k : []
  const known = splitColumns(rows)
  const view: View = { ks, known, reasons: infraReasons(report) }
  return html`<section id="rows" aria-labelledby="rows-title">
<h2 id="rows-title">Rows</h2>
<p class="note">In the order of the plan; the order says nothing of merit. A problem counts as passed when its first sample passes. Intervals: 95 %, Clopper-Pearson.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="rows-title"><table class="stacked">
<thead><tr><th scope="col">Help</th><th scope="col">Passed</th><th scope="col">Rate and interval</th><th scope="col"><span class="scale"><span>0</span><span>50</span><span>100 %</span></span></th>${ks.map((k) => html`<th scope="col" class="number">pass@${k}</th>`)}${known.cutoff ? html`<th scope="col">After the<br>cutoff</th>` : null}<th scope="col" class="number"><code>check</code><br>accepts</th><th scope="col">Most frequent<br>failure</th>${known.tokens ? html`<th scope="col" class="number">Tokens<br>a pass</th>` : null}${known.cost ? html`<th scope="col" class="number">Cost</th>` : null}${known.latency ? html`<th scope="col" class="number">Latency<br>p50</th>` : null}</tr></thead>
${[...groupBy(rows, ({ subject }) => subject)].map(([subject, rows]) => subjectRows(subject, rows, view, plan))}</table></div>
${missingNote(rows)}
${fixNote(rows)}
</section>`
}

interface View {
  readonly ks: readonly number[]
  readonly known: KnownColumns
  /** By cell. */
  readonly reasons: ReadonlyMap<string, string>
}

function missingNote(rows: readonly Row[]): Markup | null {
  const words = describeUnknownColumns(rows)
  return words === null ? null : html`<p class="note">${words}</p>`
}

function fixNote(rows: readonly Row[]): Markup | null {
  const words = explainFixRows(rows)
  return words === null ? null : html`<p class="note">${words}</p>`
}

function subjectRows(id: string, rows: readonly Row[], view: View, { subjects }: Plan): Markup {
  const subject = subjects.find((each) => each.id === id)
  return html`<tbody><tr class="group"><th scope="rowgroup" colspan="${FIXED_COLUMNS + view.ks.length + Object.values(view.known).filter(Boolean).length}"><span class="subject">${id}</span> <span class="about">${subject === undefined ? '' : aboutSubject(subject)}</span>${subject === undefined ? null : touchedNote(subject)}</th></tr>
${rows.map((row) => rowView(row, view, subject === undefined || wasPromptSent(subject)))}</tbody>`
}

function aboutSubject({ harness, recording, cutoff, sampling }: Subject): string {
  return [
    `harness ${harness}`,
    ...(recording === null ? [] : [describeRecording(recording)]),
    ...(sampling.maxTokens === null ? [] : [`answers of at most ${plural(sampling.maxTokens, 'token')}`]),
    `knowledge cutoff ${cutoff.date ?? UNKNOWN}`,
  ].join(' · ')
}

function touchedNote(subject: Subject): Markup | null {
  const found = describeTouched(subject)
  return found === null
    ? null
    : html` <b class="failed">its training data holds ${found}, so these rows may show what it remembers</b>`
}

function describeRecording({ obtained, date, isBatched }: NonNullable<Subject['recording']>): string {
  if (obtained === SCRIPT_RECORDING) return 'answers from a script'
  if (date === null) return 'answers obtained elsewhere'
  return `recorded ${date}${isBatched === true ? ' in batches' : ''}`
}

function rowView(row: Row, { ks, known: has, reasons }: View, isHelpKnown: boolean): Markup {
  const { firstSample, headline } = row
  const gaps = describeGaps(row)
  const reason = reasons.get(row.cell) ?? null
  return html`<tr><th scope="row"><span class="condition">${row.condition}</span> <span class="note">${describeHelp(row, isHelpKnown)}</span></th>
<td class="passed-of" data-label="Passed"><div><b>${firstSample.passed}</b> of ${describeFirsts(row)}${gaps === null ? null : html` <span class="note">${gaps}</span>`}${reason === null ? null : html` <span class="note">${reason}</span>`}</div></td>
${headline.kind === 'ok' ? html`<td data-label="Rate and interval">${rateView(firstSample)}</td><td data-label="0 to 100 %">${intervalBar(firstSample)}</td>` : html`<td colspan="2" data-label="Rate and interval">${withheldView(row, headline.reason)}</td>`}
${ks.map((k) => passAtK(row, k))}
${has.cutoff ? html`<td class="passed-of" data-label="After the cutoff">${afterCutoff(row)}</td>` : null}
<td class="number" data-label="check accepts">${headline.kind === 'ok' ? known(percent(row.compile.rate)) : 'withheld'}</td>
<td data-label="Most frequent failure"><div>${topFailure(row)}</div></td>
${has.tokens ? html`<td class="number" data-label="Tokens a pass">${known(perPass(row, number(row.tokens.perPass)))}</td>` : null}
${has.cost ? html`<td class="number" data-label="Cost">${known(dollars(row.cost.usd.total))}</td>` : null}
${has.latency ? html`<td class="number" data-label="Latency p50">${known(duration(row.latency.p50Ms))}</td>` : null}</tr>
`
}

function rateView({ rate, exact, reason }: Rate): Markup {
  const range = exact === null ? (reason ?? '') : percentRange(exact)
  return html`<div><b>${exact === null ? percent(rate) : percentTenths(rate)}</b> <span class="range">${range}</span></div>`
}

function withheldView({ bounds }: Row, reason: string): Markup {
  const words =
    bounds === null
      ? ''
      : `: ${percent(bounds.firstSample.allFailed)} if they failed, ${percent(bounds.firstSample.allPassed)} if they passed`
  return html`<div><b>withheld</b> <span class="note">${reason}${words}</span></div>`
}

function afterCutoff({ uncontaminated }: Row): Markup {
  if (uncontaminated.kind === 'unknown')
    return html`<span class="unknown" title="${uncontaminated.reason}">${UNKNOWN}</span>`
  const { passed, of } = uncontaminated.firstSample
  return of === 0 ? html`<span class="unknown">no problems</span>` : html`${passed} of ${of}`
}

function topFailure({ failures: [failure], attempts, cheated }: Row): Markup {
  const name = failure?.class === null ? '' : ` ${failure?.class}`
  const most =
    failure === undefined
      ? html`none`
      : html`${failure.kind}${name} <span class="note">${failure.count} of ${attempts.judged}</span>`
  return cheated === 0 ? most : html`${most} <b class="failed">${cheated} cheated</b>`
}

function passAtK({ passAtK }: Row, k: number): Markup {
  const found = passAtK.find((each) => each.k === k)
  if (found === undefined || found.value === null) {
    return html`<td class="number" data-label="pass@${k}"><span class="unknown" title="${found?.reason ?? ''}">${UNKNOWN}</span></td>`
  }
  const range = found.interval === null ? '' : percentRange(found.interval)
  return html`<td class="number" data-label="pass@${k}" title="${found.method}"><div>${found.interval === null ? percent(found.value) : percentTenths(found.value)} <span class="range">${range}</span></div></td>`
}

function known(text: string): Markup {
  return text === UNKNOWN ? html`<span class="unknown">${text}</span>` : html`${text}`
}
