import type { Comparison, Confidence, Outcome, Part } from './comparison.ts'
import { TABLES } from './comparison.ts'

export { compareTables } from './comparison.ts'

/** Why we differ from what was observed, by the id of the program. */
export type Reasons = Readonly<Record<string, string>>

const PARTS: Readonly<Record<Part, string>> = {
  check: 'check: accepted or rejected',
  classes: 'check: classes of errors',
  run: 'run: exit code and stdout',
  error: 'run: error text',
}
const CONFIDENCES: readonly Confidence[] = ['high', 'medium', 'low']
const KINDS = ['agree', 'unsupported', 'disagree'] as const
const SHOWN_CHARACTERS = 120

/** The Markdown of docs/engine-conformance.md; `notes` is the part kept by hand. */
export function renderDocument(comparisons: readonly Comparison[], reasons: Reasons, notes: string): string {
  return `# How far the embedded engine agrees with Vox

<!-- Written by \`npm run conformance\`; the last section comes from engine-conformance.notes.md. -->

> **No vox binary of September 2026 has been observed.** The tables say what a *reconstruction* of September's front end
> and interpreter did: the published 0.5.0 sources with September's behaviour ported by hand. It passes the 40 upstream
> references it was tried with, and fails all 40 with an assertion negated. Where it errs, this engine errs with it.

## What was compared

${TABLES.map((table) => `- \`${table}\`: ${count(programsOf(comparisons, table))} ${ABOUT[table]}`).join('\n')}

They lie in \`test/conformance/\`, with what was observed of each. High confidence: the rule was read in the newest source
and observed. Medium: its source is of June or July 2026, or is 0.5.0's. Low: made up, or known from a plan only.
\`run\` does not depend on \`check\`, so both were observed for every program.

Classes of errors are compared where both sides reject. Error texts are compared where a run fails and the table has the
whole text.

## Totals

${rows(['table', 'what', 'confidence', 'programs', 'agree', 'unsupported', 'disagree'], totals(comparisons))}

## Unsupported

Real Vox may take these; they lie outside [the slice](vox.md#the-slice), or their outcome is not known for sure.

${rows(['table', 'program', 'what', 'confidence', 'reason'], unsupportedRows(comparisons))}

## Disagreements

${disagreements(comparisons, reasons)}

${notes.trim()}
`
}

const ABOUT = {
  programs: 'small programs written for the purpose, by topic, from arithmetic to cheats.',
  random: 'random well-typed programs: expressions, lists, strings, Options, maps, loops, closures.',
  mutants: 'of such programs with one or two tokens deleted, doubled, swapped or replaced.',
}

/** Disagreements nobody has explained yet, and explanations of what is no disagreement any more. */
export function unexplained(comparisons: readonly Comparison[], reasons: Reasons): readonly string[] {
  const differing = new Set(comparisons.filter(({ outcome }) => outcome.kind === 'disagree').map(({ id }) => id))
  return [
    ...[...differing].filter((id) => !Object.hasOwn(reasons, id)),
    ...Object.keys(reasons).filter((id) => !differing.has(id)),
  ]
}

function programsOf(comparisons: readonly Comparison[], table: string): number {
  return comparisons.filter((each) => each.table === table && each.part === 'run').length
}

function totals(comparisons: readonly Comparison[]): string[][] {
  const groups = TABLES.flatMap((table) =>
    (Object.keys(PARTS) as Part[]).flatMap((part) => CONFIDENCES.map((confidence) => ({ table, part, confidence }))),
  )
  return groups.flatMap(({ table, part, confidence }) => {
    const group = comparisons.filter(
      (each) => each.table === table && each.part === part && each.confidence === confidence,
    )
    if (group.length === 0) return []
    const counts = KINDS.map((kind) => count(group.filter(({ outcome }) => outcome.kind === kind).length))
    return [[table, PARTS[part], confidence, count(group.length), ...counts]]
  })
}

function unsupportedRows(comparisons: readonly Comparison[]): string[][] {
  return comparisons.flatMap(({ table, id, part, confidence, outcome }) =>
    outcome.kind === 'unsupported' ? [[table, id, part, confidence, outcome.reason]] : [],
  )
}

function disagreements(comparisons: readonly Comparison[], reasons: Reasons): string {
  const differing = comparisons.flatMap(({ table, id, part, confidence, outcome }) =>
    outcome.kind === 'disagree'
      ? [[table, id, part, confidence, ...shown(outcome), reasons[id] ?? '**no reason given**']]
      : [],
  )
  if (differing.length === 0) return 'None.'
  return rows(['table', 'program', 'what', 'confidence', 'observed', 'ours', 'reason'], differing)
}

function shown({ observed, ours }: Extract<Outcome, { kind: 'disagree' }>): string[] {
  return [observed, ours].map((text) => {
    const cut = text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS - 1)}…`
    return escapeText(cut)
  })
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...body.map(line)].join('\n')
}

/** What programs print stays text, also where it holds what Markdown or HTML would take for markup. */
function escapeText(text: string): string {
  return text.replace(/[^\p{L}\p{N} ,.()"-]/gu, (character) => `&#${character.codePointAt(0)};`)
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
