import { caveatTitles } from '../caveat-titles.ts'
import type { Report } from '../schema.ts'
import { html, type Markup } from './markup.ts'

/** What the reader must know first; the rest of the caveat stands below the rows. */
export function caveatLead({ caveat }: Report): Markup {
  const [power, ...others] = caveat
  const claims = others.find(({ id }) => id === 'claims')
  return html`<aside class="caveat" aria-label="What these numbers can show">
<p><strong>What these numbers can show.</strong> ${power?.text ?? ''}</p>
${claims === undefined ? null : html`<p>${claims.text}</p>`}
<p><a href="#caveat">Everything to know before quoting a number</a></p>
</aside>`
}

export function caveatSection({ caveat }: Report): Markup {
  return html`<section id="caveat" aria-labelledby="caveat-title">
<h2 id="caveat-title">Before you quote a number</h2>
<dl class="caveats">${caveat.map(({ id, text }) => html`<div><dt>${caveatTitles[id] ?? id}</dt><dd>${text}</dd></div>`)}</dl>
</section>`
}
