import type { AttemptRecord } from '../score/record.ts'
import type { Verdict } from '../verify/verdict.ts'
import { describeKind } from '../verify/verdict-text.ts'

export interface AttemptStatus {
  readonly outcome: 'passed' | 'failed' | 'missing'
  /** Stands beside a text wherever it is shown. */
  readonly glyph: string
  /** The verdict with its class, or why there is none. */
  readonly label: string
  /** The label in two or three words, where there is no room for more. */
  readonly brief: string
  /** What more is known; null when the label says it all. */
  readonly detail: string | null
}

/** What became of an attempt, for people. */
export function attemptStatus({ completion, verification }: AttemptRecord): AttemptStatus {
  if (completion.kind === 'infra-error') {
    return missing(`infra error: ${completion.class}`, 'infra error', completion.message)
  }
  if (completion.kind === 'not-attempted')
    return missing(`not attempted: ${completion.why}`, 'not attempted', completion.message)
  if (verification === null)
    return missing('not verified', 'not verified', 'The run ended before this answer was verified.')
  const { verdict } = verification
  if (verdict.kind === 'passed')
    return { outcome: 'passed', glyph: '✓', label: 'passed', brief: 'passed', detail: null }
  return {
    outcome: 'failed',
    glyph: '✕',
    label: describeKind(verdict),
    brief: briefOf(verdict),
    detail: detailOf(verdict),
  }
}

/** How many samples of one problem passed, of those with a verdict: `2 of 3, 2 missing` for the word ` of `. */
export function describeSamples(attempts: readonly AttemptRecord[], word: ' of ' | '/'): string {
  const outcomes = attempts.map((attempt) => attemptStatus(attempt).outcome)
  const passed = outcomes.filter((outcome) => outcome === 'passed').length
  const missing = outcomes.filter((outcome) => outcome === 'missing').length
  return `${passed}${word}${outcomes.length - missing}${missing === 0 ? '' : `, ${missing} missing`}`
}

function missing(label: string, brief: string, detail: string): AttemptStatus {
  return { outcome: 'missing', glyph: '–', label, brief, detail }
}

/** The class alone where it tells the kind as well. */
function briefOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'check-failed':
    case 'runtime-error':
      return verdict.class
    case 'wrong-answer':
      return verdict.where === 'assertion' ? 'wrong answer' : 'fresh inputs'
    case 'policy':
      return `policy: ${verdict.rule}`
    case 'no-code':
      return verdict.why === 'none' ? 'no code' : verdict.why
    case 'budget':
      return `budget: ${verdict.resource}`
    default:
      return verdict.kind
  }
}

function detailOf(verdict: Verdict): string | null {
  switch (verdict.kind) {
    case 'cheated':
      return verdict.how
    case 'crashed':
      return verdict.signal
    case 'unsupported':
      return verdict.reason
    default:
      return 'detail' in verdict ? verdict.detail : null
  }
}
