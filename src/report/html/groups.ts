import type { Row } from '../../score/row.ts'
import { plural } from '../format.ts'
import type { Report } from '../schema.ts'
import { html, type Markup } from './markup.ts'

/** Passes among the problems of each difficulty and of each tag. */
export function groupsSection({ rows }: Report): Markup {
  return html`<section id="groups" aria-labelledby="groups-title">
<h2 id="groups-title">By difficulty and tag</h2>
<p class="note">Problems whose first sample passed, of those it has a verdict for. Groups are small: read them as a hint of where to look.</p>
${groupTable('Difficulty', rows, ({ byDifficulty }) => byDifficulty)}
<details><summary>By tag</summary>${groupTable('Tag', rows, ({ byTag }) => byTag)}</details>
</section>`
}

/** Every row has the same groups: they are those of the plan's fixtures. */
function groupTable(name: string, rows: readonly Row[], groupsOf: (row: Row) => Row['byTag']): Markup {
  const [first] = rows
  const names = first === undefined ? [] : groupsOf(first)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="By ${name.toLowerCase()}"><table>
<thead><tr><th scope="col">${name}</th>${rows.map(({ subject, condition }) => html`<th scope="col">${subject}<br>${condition}</th>`)}</tr></thead>
<tbody>${names.map(
    (
      { name, fixtures },
      index,
    ) => html`<tr><th scope="row">${name} <span class="note">${plural(fixtures, 'problem')}</span></th>${rows.map((row) => groupCell(groupsOf(row)[index]))}</tr>
`,
  )}</tbody></table></div>`
}

function groupCell(group: Row['byTag'][number] | undefined): Markup {
  return group === undefined ? html`<td></td>` : html`<td>${group.passed} of ${group.judged}</td>`
}
