import type { Failure, Row } from '../../score/row.ts'
import { explainFailure } from '../failure-words.ts'
import { number, percent, plural } from '../format.ts'
import { groupBy } from '../group-by.ts'
import { stageWords } from '../row-words.ts'
import type { Report } from '../schema.ts'
import { shareBar } from './interval-bar.ts'
import { html, type Markup } from './markup.ts'

const KINDS_SHOWN = 6
const PROBLEMS_SHOWN = 12

/** How far attempts came, and what stopped those that did not pass. */
export function failuresSection({ rows }: Report): Markup {
  const heads = Object.values(stageWords)
  return html`<section id="failures" aria-labelledby="failures-title">
<h2 id="failures-title">Where attempts end</h2>
<p class="note">Of all attempts with a verdict, how many came so far.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="failures-title"><table class="stacked funnel">
<thead><tr><th scope="col">Help</th>${heads.map((word) => html`<th scope="col">${word}</th>`)}</tr></thead>
${[...groupBy(rows, ({ subject }) => subject)].map(
  ([
    subject,
    rows,
  ]) => html`<tbody><tr class="group"><th scope="rowgroup" colspan="${heads.length + 1}"><span class="subject">${subject}</span></th></tr>
${rows.map(funnelRow)}</tbody>`,
)}</table></div>
<div class="cards">${rows.filter(({ failures }) => failures.length > 0).map(failureCard)}</div>
${legend(rows)}
</section>`
}

/** What the kinds that occur mean. */
function legend(rows: readonly Row[]): Markup | null {
  const names = new Map(rows.flatMap(({ failures }) => failures).map((failure) => [nameOf(failure), failure] as const))
  const lines = [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, failure]) => {
      const words = explainFailure(failure.kind, failure.class)
      return words === null ? [] : [html`<div><dt>${name}</dt><dd>${withCode(words)}</dd></div>`]
    })
  return lines.length === 0
    ? null
    : html`<details class="words"><summary>What these failures mean</summary><dl class="facts-list">${lines}</dl></details>`
}

/** Words between backticks as code. */
function withCode(words: string): Markup[] {
  return words.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function nameOf({ kind, class: name }: Failure): string {
  return name === null ? kind : `${kind} ${name}`
}

function funnelRow({ condition, funnel, attempts }: Row): Markup {
  const shareOf = (count: number) => (attempts.judged === 0 ? 0 : count / attempts.judged)
  return html`<tr><th scope="row"><span class="condition">${condition}</span></th>${funnel.map(
    ({ stage, count }) =>
      html`<td data-label="${stageWords[stage]}">${number(count)}${shareBar(shareOf(count), stage === 'passed' ? 'pass' : 'plain')}</td>`,
  )}</tr>
`
}

function failureCard({ subject, condition, failures }: Row): Markup {
  const more = failures.length - KINDS_SHOWN
  return html`<article class="card"><h3>${subject} <span class="condition">${condition}</span></h3>
<ol>${failures.slice(0, KINDS_SHOWN).map(failureItem)}</ol>${more > 0 ? html`<p class="note">and ${plural(more, 'more kind')}, in report.json</p>` : null}</article>`
}

function failureItem({ kind, class: name, count, share, fixtures }: Failure): Markup {
  const problems = fixtures.slice(0, PROBLEMS_SHOWN).join(' ')
  return html`<li><span class="what" title="${(explainFailure(kind, name) ?? '').replaceAll('`', '')}">${kind}${name === null ? null : html` <b>${name}</b>`}</span> <span class="how-many">${count} <span class="note">${percent(share)}</span></span>${shareBar(share, 'fail')}<span class="note">${problems}${fixtures.length > PROBLEMS_SHOWN ? ' …' : ''}</span></li>
`
}
