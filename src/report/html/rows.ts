import type { Plan, Subject } from '../../generate/plan.ts'
import type { Rate } from '../../score/rate.ts'
import type { Row } from '../../score/row.ts'
import { dollars, duration, number, percent, percentRange, UNKNOWN } from '../format.ts'
import { groupBy } from '../group-by.ts'
import { describeFirsts, describeGaps, perPass } from '../row-words.ts'
import type { Report } from '../schema.ts'
import { intervalBar } from './interval-bar.ts'
import { html, type Markup } from './markup.ts'

/** Columns that stand whatever k was asked for. */
const FIXED_COLUMNS = 10

/** The score of each cell, in the order of the plan. */
export function rowsSection({ rows, plan }: Report): Markup {
  // With one sample a problem, pass@1 is the rate that stands there already.
  const ks = plan.samples > 1 ? plan.k : []
  return html`<section id="rows" aria-labelledby="rows-title">
<h2 id="rows-title">Rows</h2>
<p class="note">In the order of the plan; the order says nothing of merit. A problem counts as passed when its first sample passes. Intervals: 95 %, Clopper-Pearson.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="rows-title"><table>
<thead><tr><th scope="col">Help</th><th scope="col">Passed</th><th scope="col">Rate and interval</th><th scope="col"><span class="scale"><span>0</span><span>50</span><span>100 %</span></span></th>${ks.map((k) => html`<th scope="col" class="number">pass@${k}</th>`)}<th scope="col">After the<br>cutoff</th><th scope="col" class="number"><code>check</code><br>accepts</th><th scope="col">Most frequent<br>failure</th><th scope="col" class="number">Tokens<br>a pass</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Latency<br>p50</th></tr></thead>
${[...groupBy(rows, ({ subject }) => subject)].map(([subject, rows]) => subjectRows(subject, rows, ks, plan))}</table></div>
</section>`
}

function subjectRows(id: string, rows: readonly Row[], ks: readonly number[], { subjects }: Plan): Markup {
  const subject = subjects.find((each) => each.id === id)
  return html`<tbody><tr class="group"><th scope="rowgroup" colspan="${FIXED_COLUMNS + ks.length}"><span class="subject">${id}</span> <span class="about">${subject === undefined ? '' : aboutSubject(subject)}</span></th></tr>
${rows.map((row) => rowView(row, ks))}</tbody>`
}

function aboutSubject({ harness, recording, cutoff }: Subject): string {
  return [
    `harness ${harness}`,
    ...(recording === null ? [] : [describeRecording(recording)]),
    `knowledge cutoff ${cutoff.date ?? UNKNOWN}`,
  ].join(' · ')
}

function describeRecording({ date, isBatched }: NonNullable<Subject['recording']>): string {
  if (date === null) return 'answers obtained elsewhere'
  return `recorded ${date}${isBatched === true ? ' in batches' : ''}`
}

function rowView(row: Row, ks: readonly number[]): Markup {
  const { firstSample, headline } = row
  const gaps = describeGaps(row)
  return html`<tr><th scope="row"><span class="condition">${row.condition}</span> <span class="note">${number(row.helpTokens)} tokens</span></th>
<td class="passed-of"><b>${firstSample.passed}</b> of ${describeFirsts(row)}${gaps === null ? null : html` <span class="note">${gaps}</span>`}</td>
${headline.kind === 'ok' ? html`<td>${rateView(firstSample)}</td><td>${intervalBar(firstSample)}</td>` : html`<td colspan="2">${withheldView(row, headline.reason)}</td>`}
${ks.map((k) => passAtK(row, k))}
<td class="passed-of">${afterCutoff(row)}</td>
<td class="number">${headline.kind === 'ok' ? known(percent(row.compile.rate)) : 'withheld'}</td>
<td>${topFailure(row)}</td>
<td class="number">${known(perPass(row, number(row.tokens.perPass)))}</td>
<td class="number">${known(dollars(row.cost.usd.total))}</td>
<td class="number">${known(duration(row.latency.p50Ms))}</td></tr>
`
}

function rateView({ rate, exact, reason }: Rate): Markup {
  const range = exact === null ? (reason ?? '') : percentRange(exact)
  return html`<b>${percent(rate)}</b> <span class="range">${range}</span>`
}

function withheldView({ bounds }: Row, reason: string): Markup {
  const words =
    bounds === null
      ? ''
      : `: ${percent(bounds.firstSample.allFailed)} if they failed, ${percent(bounds.firstSample.allPassed)} if they passed`
  return html`<b>withheld</b> <span class="note">${reason}${words}</span>`
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
    return html`<td class="number"><span class="unknown" title="${found?.reason ?? ''}">${UNKNOWN}</span></td>`
  }
  const range = found.interval === null ? '' : percentRange(found.interval)
  return html`<td class="number" title="${found.method}">${percent(found.value)} <span class="range">${range}</span></td>`
}

function known(text: string): Markup {
  return text === UNKNOWN ? html`<span class="unknown">${text}</span>` : html`${text}`
}
