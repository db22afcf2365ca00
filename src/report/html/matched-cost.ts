import { dollars, duration, number, plural } from '../format.ts'
import type { MatchedAmount, MatchedCost } from '../help-effects-schema.ts'
import { describeRatio, describeRatioRange, isAnythingMatched } from '../help-words.ts'
import type { Report } from '../schema.ts'
import { html, type Markup } from './markup.ts'

/** Pairs grow with the square of the rows. */
const SHOWN = 100

/** What two cells took on the problems both solve; null where nothing is known of any. */
export function matchedCostSection({ helpEffects }: Report): Markup | null {
  const known = helpEffects?.matchedCosts.filter(isAnythingMatched) ?? []
  if (known.length === 0) return null
  const more = known.length - SHOWN
  return html`<section id="matched" aria-labelledby="matched-title">
<h2 id="matched-title">Cost on problems that both solve</h2>
<p class="note">Means of an answer over the problems whose first sample passed on both sides, and the second mean over the first. Intervals: 95 %, each for itself.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="matched-title"><table class="stacked">
<thead><tr><th scope="col">First → second</th><th scope="col" class="number">Problems</th><th scope="col">Tokens</th><th scope="col">Cost</th><th scope="col">Latency</th></tr></thead>
<tbody>${known.slice(0, SHOWN).map(pairRow)}</tbody></table></div>${more > 0 ? html`<p class="note">${plural(more, 'pair')} more in report.json.</p>` : null}
</section>`
}

function pairRow({ first, second, fixtures, tokens, usd, latencyMs }: MatchedCost): Markup {
  return html`<tr><th scope="row"><span class="subject">${first} → ${second}</span></th><td class="number" data-label="Problems">${number(fixtures)}</td>${amountCell('Tokens', tokens, (value) => number(value))}${amountCell('Cost', usd, dollars)}${amountCell('Latency', latencyMs, duration)}</tr>
`
}

function amountCell(label: string, amount: MatchedAmount, words: (value: number | null) => string): Markup {
  if (amount.first === null || amount.second === null)
    return html`<td data-label="${label}"><span class="unknown" title="${amount.reason ?? ''}">unknown</span></td>`
  const ratio = describeRatio(amount)
  const range = describeRatioRange(amount) ?? amount.reason ?? ''
  return html`<td data-label="${label}"><div>${words(amount.first)} → ${words(amount.second)}<br><b>${ratio}</b> <span class="range">${range}</span></div></td>`
}
