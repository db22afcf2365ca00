import { describeOrigin, describePrice, describeSampling, listFacts } from '../facts.ts'
import { UNKNOWN } from '../format.ts'
import type { Report } from '../schema.ts'
import { html, type Markup } from './markup.ts'

/** What was fixed before the first request, and what the run took. */
export function provenanceSection(report: Report): Markup {
  return html`<section id="provenance" aria-labelledby="provenance-title">
<h2 id="provenance-title">What was run</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Subjects"><table>
<thead><tr><th scope="col">Subject</th><th scope="col">Harness</th><th scope="col">Sampling</th><th scope="col">Answers from</th><th scope="col">Knowledge cutoff</th><th scope="col">Price of a million tokens, in and out</th></tr></thead>
<tbody>${report.plan.subjects.map(subjectRow)}</tbody></table></div>
<dl class="facts-list">${listFacts(report).map(
    ([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>
`,
  )}</dl>
</section>`
}

function subjectRow(subject: Report['plan']['subjects'][number]): Markup {
  const { id, harness, cutoff, price } = subject
  return html`<tr><th scope="row" class="subject">${id}</th><td>${harness}</td><td>${describeSampling(subject)}</td>
<td>${describeOrigin(subject)}</td>
<td>${cutoff.date ?? UNKNOWN} <span class="note">${cutoff.source}</span></td>
<td>${describePrice(subject)}${price === null ? null : html` <span class="note">${price.source}</span>`}</td></tr>`
}
