import type { Verdict } from './verdict.ts'

/** The rule, class or place within a verdict's kind; null where the kind has none. */
export function classOf(verdict: Verdict): string | null {
  switch (verdict.kind) {
    case 'policy':
      return verdict.rule
    case 'check-failed':
    case 'runtime-error':
      return verdict.class
    case 'wrong-answer':
      return verdict.where
    case 'no-code':
      return verdict.why
    case 'budget':
      return verdict.resource
    default:
      return null
  }
}

/** A verdict's kind with its class, as in `policy import`. */
export function describeKind(verdict: Verdict): string {
  const name = classOf(verdict)
  return name === null ? verdict.kind : `${verdict.kind} ${name}`
}

/** A verdict's kind and, where it has one, its detail. */
export function describeVerdict(verdict: Verdict): string {
  const kind = verdict.kind === 'crashed' ? `crashed (${verdict.signal})` : describeKind(verdict)
  return 'detail' in verdict ? `${kind}: ${verdict.detail}` : kind
}
