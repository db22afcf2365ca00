import type { Condition, Prompt } from '../../generate/plan.ts'
import { number } from '../format.ts'
import { groupBy } from '../group-by.ts'
import type { Report } from '../schema.ts'
import type { Anchors } from './anchors.ts'
import { html, type Markup } from './markup.ts'

/** Exactly what models were sent. What many prompts share, the help text and the system message, is shown once. */
export function promptsSection({ plan }: Report, anchors: Anchors): Markup {
  const titles = new Map(plan.fixtures.map(({ id, title }) => [id, title]))
  const systems = groupBy(plan.prompts, ({ system }) => system)
  const byCondition = groupBy(plan.prompts, ({ condition }) => condition)
  return html`<section id="prompts" aria-labelledby="prompts-title">
<h2 id="prompts-title">Prompts</h2>
${[...systems].map(([system, prompts]) => html`<details><summary><h3>System message</h3> <span class="count">${systemWords(prompts.length, plan.prompts.length)}</span></summary><pre class="text">${system}</pre></details>`)}
${plan.conditions.map(
  (
    condition,
  ) => html`<details><summary><h3>${condition.name}</h3> <span class="count">${number(condition.tokens)} tokens of help</span></summary>
<p class="note">hash ${condition.hash}${condition.sections.length === 0 ? '' : ` · sections: ${condition.sections.join(', ')}`}</p>
${condition.text === '' ? null : html`<details><summary>Help text</summary><pre class="text">${condition.text}</pre></details>`}
${(byCondition.get(condition.name) ?? []).map((prompt) => promptView(prompt, condition, titles.get(prompt.fixture) ?? '', anchors))}
</details>`,
)}
</section>`
}

function systemWords(count: number, all: number): string {
  if (all === 1) return '(of the one prompt)'
  return count === all ? `(the same in all ${number(all)} prompts)` : `(of ${number(count)} of ${number(all)} prompts)`
}

function promptView(prompt: Prompt, condition: Condition, title: string, anchors: Anchors): Markup {
  return html`<details><summary>${prompt.fixture} ${title}</summary><div id="${anchors.prompt(prompt.fixture, prompt.condition)}"><pre class="text">${withoutHelp(prompt.user, condition)}</pre><p class="note">hash ${prompt.hash}</p></div></details>
`
}

function withoutHelp(user: string, { text, name }: Condition): Markup {
  const at = text === '' ? -1 : user.indexOf(text)
  if (at < 0) return html`${user}`
  return html`${user.slice(0, at)}<em>(the help text of ${name}, shown above)</em>${user.slice(at + text.length)}`
}
