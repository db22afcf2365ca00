import type { Change, Comparison } from '../compare/comparison-schema.ts'
import {
  describeChangeSide,
  describeDecision,
  describeDraws,
  describeOutcome,
  describePower,
  describeSides,
  listNotes,
  listPresetLines,
  listReasons,
  titleOf,
} from '../compare/comparison-words.ts'
import { columns } from '../report/columns.ts'
import { number } from '../report/format.ts'
import { plainText } from '../report/plain-text.ts'

const SHOWN = 30

/** What a terminal shows of a comparison: its outcome, what it can see, the same in words, and what changed. */
export function comparisonText(comparison: Comparison): string {
  const decision = describeDecision(comparison)
  return [
    `${titleOf(comparison)}. ${describeSides(comparison)}`,
    '',
    describePower(comparison),
    '',
    `${titleOf(comparison)}. ${describeOutcome(comparison)}`,
    ...(decision === null ? [] : [decision]),
    ...listed('why:', listReasons(comparison)),
    ...listed('upstream preset:', listPresetLines(comparison)),
    ...changeLines('passed in BASE, failed in HEAD', comparison.regressions),
    ...changeLines('failed in BASE, passed in HEAD', comparison.improvements),
    ...listed('notes:', listNotes(comparison)),
  ]
    .map(plainText)
    .join('\n')
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length > SHOWN ? [`  and ${number(lines.length - SHOWN)} more`] : []
  return ['', title, ...lines.slice(0, SHOWN).map((line) => `  ${line}`), ...more]
}

function changeLines(title: string, changes: readonly Change[]): string[] {
  if (changes.length === 0) return []
  const rows = changes
    .slice(0, SHOWN)
    .map((change) => [
      `  ${change.fixture} ${change.title}`,
      describeChangeSide(change.base),
      `→ ${describeChangeSide(change.head)}`,
      describeDraws(change) ?? '',
    ])
  const more = changes.length > SHOWN ? [`  and ${number(changes.length - SHOWN)} more`] : []
  const isSampled = changes.some(({ base, head }) => base.judged > 1 || head.judged > 1)
  return ['', `${title}${isSampled ? ', or so more often' : ''}: ${number(changes.length)}`, ...columns(rows), ...more]
}
