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
import { html, type Markup } from './markup.ts'

/** Pairs grow with the square of the rows. */
const SHOWN = 100

/** The comparisons of the plan and, where the data can carry them, ranked tables; null without comparisons. */
export function comparisonsSection(report: Report): Markup | null {
  const { comparisons, simultaneous } = report
  const [first] = comparisons
  if (first === undefined) return null
  const more = comparisons.length - SHOWN
  const seen = `${number(first.sight.gap * 100)} points seen`
  return html`<section id="comparisons" aria-labelledby="comparisons-title">
<h2 id="comparisons-title">Comparisons</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="comparisons-title"><table class="stacked">
<thead><tr><th scope="col">First / second</th><th scope="col">First less second</th><th scope="col">Problems</th><th scope="col" class="number">p by Holm</th><th scope="col">Outcome</th><th scope="col" class="number">${seen}</th></tr></thead>
<tbody>${comparisons.slice(0, SHOWN).map((comparison) => comparisonRow(comparison, seen))}</tbody></table></div>${more > 0 ? html`<p class="note">${plural(more, 'comparison')} more in report.json.</p>` : null}
${explainComparisons(comparisons).map((words) => html`<p class="note">${words}</p>`)}
${simultaneous.slice(0, SHOWN).map((each) => html`<p class="note">${describeSimultaneous(each)}</p>`)}
${rankedTables(report)}
</section>`
}

function comparisonRow(comparison: SweepComparison, seen: string): Markup {
  const { cells, difference, interval, adjustedP, fixtures } = comparison
  const own = showTestInterval(comparison)
  const numbers =
    difference === null
      ? html`<td></td><td></td>`
      : html`<td data-label="First less second"><div><b>${points(difference)}</b> <span class="range">${interval === null ? '' : pointsRange(interval)}${own === null ? '' : ` (test: ${pointsRange(own)})`}</span></div></td><td class="passed-of" data-label="Problems"><div>${describeMoreLess(comparison)} <span class="note">of ${number(fixtures)}</span></div></td>`
  return html`<tr><th scope="row"><span class="subject">${cells[0]} / ${cells[1]}</span></th>${numbers}<td class="number" data-label="p by Holm">${adjustedP === null ? '' : pValue(adjustedP)}</td><td data-label="Outcome">${describeOutcome(comparison)}</td><td class="number" data-label="${seen}">${describeSight(comparison)}</td></tr>
`
}

function rankedTables(report: Report): Markup[] {
  return rankRows(report).flatMap(({ condition, outcome }) => {
    if (outcome.kind === 'refused') return []
    const { rows, n, neededN } = outcome.table
    return [
      html`<div class="words"><h3>Ranks under ${condition}</h3></div>
<p class="note">Over ${plural(n, 'independent problem')} of ${number(neededN)} needed.</p>
<table><thead><tr><th scope="col">Row</th><th scope="col" class="number">Rate</th><th scope="col">Ranks left open</th></tr></thead>
<tbody>${rows.map(({ id, rate, ranks }) => html`<tr><th scope="row"><span class="subject">${id}</span></th><td class="number">${percent(rate)}</td><td>${describeRank(ranks, rows.length)}</td></tr>`)}</tbody></table>`,
    ]
  })
}
