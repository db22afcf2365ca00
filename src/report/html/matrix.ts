import type { AttemptRecord } from '../../score/record.ts'
import { attemptStatus, describeSamples } from '../attempt-status.ts'
import { groupBy } from '../group-by.ts'
import type { Report } from '../schema.ts'
import type { Anchors } from './anchors.ts'
import { html, type Markup } from './markup.ts'

/** With more cells than this, only the mark is shown and the verdict is left to the label of its link. */
const CELLS_WITH_TEXT = 6

/** What became of every problem in every cell; each mark links to its attempt. */
export function matrixSection({ plan, attempts }: Report, anchors: Anchors): Markup {
  const byPlace = groupBy(attempts, ({ cell, fixture }) => JSON.stringify([cell, fixture]))
  const subjects = groupBy(plan.cells, ({ subject }) => subject)
  const isWordy = plan.cells.length <= CELLS_WITH_TEXT
  return html`<section id="problems" aria-labelledby="problems-title">
<h2 id="problems-title">Problem by problem</h2>
<p class="note"><span class="passed">✓</span> passed, <span class="failed">✕</span> failed, <span class="missing">–</span> no verdict${plan.samples > 1 ? '; with the number of samples that passed, of those with a verdict' : ''}. Each mark links to the program.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="problems-title"><table class="matrix">
<thead><tr><th scope="col" rowspan="2">Problem</th>${[...subjects].map(([subject, cells]) => html`<th scope="colgroup" colspan="${cells.length}">${subject}</th>`)}</tr>
<tr>${[...subjects.values()].flat().map(({ condition }) => html`<th scope="col">${condition}</th>`)}</tr></thead>
<tbody>${plan.fixtures.map(
    ({
      id,
      title,
      difficulty,
    }) => html`<tr><th scope="row"><span class="id">${id}</span> ${title} <span class="note">${difficulty}</span></th>${[
      ...subjects.values(),
    ]
      .flat()
      .map(
        (cell) => html`<td>${placeView(byPlace.get(JSON.stringify([cell.id, id])) ?? [], isWordy, anchors)}</td>`,
      )}</tr>
`,
  )}</tbody></table></div>
</section>`
}

function placeView(attempts: readonly AttemptRecord[], isWordy: boolean, anchors: Anchors): Markup {
  const [first] = attempts
  if (first === undefined) return html`<span class="missing">–<span class="unseen"> no attempt</span></span>`
  const { outcome, glyph, label, brief } = attemptStatus(first)
  const text = attempts.length === 1 ? brief : describeSamples(attempts, '/')
  const isShown = attempts.length > 1 || (isWordy && outcome !== 'passed')
  return html`<a class="${outcome}" href="#${anchors.attempt(first.attempt)}" title="${label}">${glyph}<span class="${isShown ? 'word' : 'unseen'}"> ${text}</span></a>`
}
