import { listFixes } from '../fix-words.ts'
import type { Report } from '../schema.ts'
import { html, type Markup } from './markup.ts'

/** What second turns mended; null where no row has any. */
export function fixesSection({ rows }: Report): Markup | null {
  const views = listFixes(rows)
  if (views.length === 0) return null
  return html`<section id="fixes" aria-labelledby="fixes-title">
<h2 id="fixes-title">What diagnostics mend</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="fixes-title"><table class="stacked">
<thead><tr><th scope="col">Row</th><th scope="col">Passed at once</th><th scope="col">Given back</th><th scope="col">Mended, 95 % interval</th><th scope="col">Passed in the end</th><th scope="col">By first failure</th></tr></thead>
<tbody>${views.map(
    (view) => html`<tr><th scope="row">${view.cell}</th>
<td data-label="Passed at once">${view.passedAtOnce}</td>
<td class="number" data-label="Given back">${view.given}</td>
<td data-label="Mended">${view.mended}</td>
<td data-label="Passed in the end">${view.after}</td>
<td data-label="By first failure">${view.failures.map((failure) => html`<div>${failure}</div>`)}</td></tr>`,
  )}</tbody></table></div>
</section>`
}
