import { clip, showControls } from '../report/escape.ts'
import { dollars, duration, number, plural } from '../report/format.ts'
import { describeRatio, describeRatioRange, isAnythingMatched } from '../report/help-words.ts'
import { folded, table, text } from '../report/summary/text.ts'
import type { Change, Comparison } from './comparison-schema.ts'
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
} from './comparison-words.ts'

/** A comment on a pull request holds 65,536 characters. */
export const COMPARISON_BYTES = 60 * 1024

/** How much is shown: all as a rule, less where programs are long or problems many. */
const LEVELS = [
  { listed: 200, programs: 50, reasons: 50 },
  { listed: 100, programs: 10, reasons: 20 },
  { listed: 30, programs: 0, reasons: 10 },
  { listed: 5, programs: 0, reasons: 5 },
] as const
type Level = (typeof LEVELS)[number]

const PROGRAM_CHARACTERS = 4000
const SENTENCE = 1000

/** The address of one of HEAD's attempts in its page; null where there is none. Of a URL only what needs no escape in Markdown. */
export type LinkAttempt = (attempt: string) => string | null

/**
 * `comparison.md`: GitHub-flavoured Markdown of at most `limitBytes` (at least 32 KiB); the power statement comes first. HEAD's verdicts are
 * links where `linkAttempt` has one.
 */
export function renderComparison(
  comparison: Comparison,
  limitBytes = COMPARISON_BYTES,
  linkAttempt: LinkAttempt = () => null,
): string {
  for (const level of LEVELS) {
    const markdown = `${listSections(comparison, level, linkAttempt).join('\n\n')}\n`
    if (Buffer.byteLength(markdown) <= limitBytes) return markdown
  }
  throw new Error(`no comparison of ${limitBytes} bytes can be made`)
}

function listSections(comparison: Comparison, level: Level, linkAttempt: LinkAttempt): string[] {
  const decision = describeDecision(comparison)
  const { regressions, improvements } = comparison
  return [
    `## ${titleOf(comparison)}${comparison.base === null ? '' : ': HEAD against BASE'}`,
    text(describeSides(comparison), SENTENCE),
    `> **What this comparison can show.** ${text(describePower(comparison), SENTENCE)}`,
    `**${text(describeOutcome(comparison), SENTENCE)}**`,
    ...(decision === null ? [] : [text(decision, SENTENCE)]),
    ...bullets('### Why it is blocked', listReasons(comparison), level.reasons),
    ...bullets('### Rules of the upstream preset', listPresetLines(comparison), level.reasons),
    ...changesSection('Passed in BASE, failed in HEAD', regressions, level, linkAttempt),
    ...changesSection('Failed in BASE, passed in HEAD', improvements, level, linkAttempt),
    ...costSection(comparison.cost),
    ...bullets('### Notes', listNotes(comparison), level.reasons),
    'Every number: `comparison.json`.',
  ]
}

function bullets(title: string, lines: readonly string[], limit: number): string[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, limit).map((line) => `- ${text(line, SENTENCE)}`)
  const more = lines.length > limit ? [`- ${plural(lines.length - limit, 'line')} more in comparison.json.`] : []
  return [`${title}\n\n${[...shown, ...more].join('\n')}`]
}

/** Of several samples "passed" reads "passed more often". */
function changesSection(
  title: string,
  changes: readonly Change[],
  { listed, programs }: Level,
  linkAttempt: LinkAttempt,
): string[] {
  if (changes.length === 0) return []
  const hasDraws = changes.some((change) => describeDraws(change) !== null)
  const body = changes
    .slice(0, listed)
    .map((change) => [
      `${text(change.fixture)} ${text(change.title)}`,
      text(describeChangeSide(change.base)),
      linked(text(describeChangeSide(change.head)), change.head.attempt && linkAttempt(change.head.attempt)),
      ...(hasDraws ? [text(describeDraws(change) ?? '')] : []),
    ])
  const isSampled = changes.some(({ base, head }) => base.judged > 1 || head.judged > 1)
  const head = ['Problem', 'BASE', 'HEAD', ...(hasDraws ? ['HEAD again'] : [])]
  return [
    `### ${title}${isSampled ? ', or so more often' : ''}: ${number(changes.length)}`,
    table(head, body, 'l'.repeat(head.length)),
    ...(changes.length > listed ? [`${plural(changes.length - listed, 'problem')} more in comparison.json.`] : []),
    ...(programs === 0 ? [] : [folded('Programs', changes.slice(0, programs).map(programsOf).join('\n\n'))]),
  ]
}

function linked(words: string, address: string | null): string {
  return address === null ? words : `[${words}](${address})`
}

function programsOf({ fixture, title, base, head }: Change): string {
  return [`**${text(fixture)} ${text(title)}**`, 'BASE', fenced(base.program), 'HEAD', fenced(head.program)].join(
    '\n\n',
  )
}

/** A program as a block of code that none of its own lines can end. */
function fenced(program: string | null): string {
  if (program === null) return 'No program was found.'
  const shown = showControls(clip(program, PROGRAM_CHARACTERS)).replace(/\n+$/, '')
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  // A line that begins with two colons would command the runner of a workflow that prints this file.
  const quiet = shown.replace(/^([^\S\n]*):(?=:)/gm, '$1:\u200b').replaceAll('##[', '##\u200b[')
  return `${fence}vox\n${quiet}\n${fence}`
}

function costSection(cost: Comparison['cost']): string[] {
  if (cost === null || !isAnythingMatched(cost)) return []
  const amounts = [
    ['Tokens', cost.tokens, (value: number | null) => number(value)],
    ['Cost', cost.usd, dollars],
    ['Latency', cost.latencyMs, duration],
  ] as const
  const body = amounts.flatMap(([name, amount, words]) =>
    amount.first === null || amount.second === null
      ? []
      : [[name, words(amount.first), words(amount.second), describeRatio(amount), describeRatioRange(amount) ?? '']],
  )
  return [
    '### Cost on problems that both solve',
    `Means of an answer over ${plural(cost.fixtures, 'problem')} whose first sample passed in both.`,
    table(['', 'BASE', 'HEAD', 'HEAD over BASE', '95 % interval'], body, 'lrrrr'),
  ]
}
