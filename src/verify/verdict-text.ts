import type { Verdict } from './verdict.ts'

/** A verdict's kind with its rule or class, as in `policy import`. */
export function describeKind(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'policy':
      return `policy ${verdict.rule}`
    case 'check-failed':
    case 'runtime-error':
      return `${verdict.kind} ${verdict.class}`
    case 'wrong-answer':
      return `wrong-answer ${verdict.where}`
    case 'no-code':
      return `no-code ${verdict.why}`
    case 'budget':
      return `budget ${verdict.resource}`
    default:
      return verdict.kind
  }
}

/** A verdict's kind and, where it has one, its detail. */
export function describeVerdict(verdict: Verdict): string {
  const kind = describeKind(verdict)
  return 'detail' in verdict ? `${kind}: ${verdict.detail}` : kind
}
