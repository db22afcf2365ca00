import { dollars, duration, number, plural } from '../format.ts'
import type { MatchedAmount } from '../help-effects-schema.ts'
import { describeRatio, describeRatioRange, isAnythingMatched } from '../help-words.ts'
import type { Report } from '../schema.ts'
import { table, text, unbroken } from './text.ts'

/** What two cells took on the problems both solve, at most `limit` pairs; null where nothing is known of any. */
export function matchedCostSection({ helpEffects }: Report, limit: number): string | null {
  const known = helpEffects?.matchedCosts.filter(isAnythingMatched) ?? []
  if (known.length === 0) return null
  const body = known
    .slice(0, limit)
    .map((pair) => [
      `${text(pair.first)}<br>→ ${text(pair.second)}`,
      number(pair.fixtures),
      amount(pair.tokens, (value) => number(value)),
      amount(pair.usd, (usd) => text(dollars(usd))),
      amount(pair.latencyMs, duration),
    ])
  const more = known.length > limit ? [`${plural(known.length - limit, 'pair')} more in report.json.`] : []
  return [
    '### Cost on problems that both solve',
    'Means of an answer, the first samples of both having passed, and the second over the first with a 95 % interval for that pair alone.',
    table(['', 'Problems', 'Tokens', 'Cost', 'Latency'], body, 'lrlll'),
    ...more,
  ].join('\n\n')
}

function amount(amount: MatchedAmount, words: (value: number | null) => string): string {
  if (amount.first === null || amount.second === null) return ''
  const range = describeRatioRange(amount)
  const ratio = amount.ratio === null ? text(amount.reason ?? '') : describeRatio(amount)
  return `${unbroken(`${words(amount.first)} → ${words(amount.second)}`)}<br>${unbroken(ratio)}${range === null ? '' : `<br>${unbroken(`(${range})`)}`}`
}
