import type { AttemptRecord } from '../score/record.ts'
import { clip } from './escape.ts'
import { number } from './format.ts'
import { groupBy } from './group-by.ts'
import type { Report } from './schema.ts'

const REASONS_SHOWN = 3
const REASON_CHARACTERS = 160

/** By cell, the most frequent reasons of its infra errors in one line of foreign text: `2 × request: 404 no model`. */
export function infraReasons({ attempts }: Report): ReadonlyMap<string, string> {
  const cells = groupBy(attempts, ({ cell }) => cell)
  return new Map(
    [...cells].flatMap(([cell, records]) => {
      const line = describeReasons(records)
      return line === null ? [] : [[cell, line] as const]
    }),
  )
}

function describeReasons(records: readonly AttemptRecord[]): string | null {
  const reasons = records.flatMap(({ completion }) =>
    completion.kind === 'infra-error' ? [`${completion.class}: ${completion.message.replace(/\s+/g, ' ').trim()}`] : [],
  )
  const ranked = [...groupBy(reasons, (reason) => reason)].sort(([, a], [, b]) => b.length - a.length)
  if (ranked.length === 0) return null
  const shown = ranked
    .slice(0, REASONS_SHOWN)
    .map(([reason, all]) => `${number(all.length)} × ${clip(reason, REASON_CHARACTERS)}`)
  const more = ranked.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${number(more)} more ${more === 1 ? 'reason' : 'reasons'} in report.json` : ''}`
}
