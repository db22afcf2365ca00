import { compareText } from '../compare-text.ts'
import type { Verification } from '../verify/verdict.ts'
import { classOf } from '../verify/verdict-text.ts'
import { estimateRate } from './rate.ts'
import type { AttemptRecord } from './record.ts'
import type { Fixes } from './row.ts'

/** Counts what second turns mended. Attempts without a final verdict are left out. */
export function countFixes(attempts: readonly AttemptRecord[], dependence: string | null): Fixes {
  const judged = attempts.filter(
    ({ completion, verification }) => completion.kind === 'answered' && verification !== null,
  )
  const given = judged.filter(({ first }) => first !== null)
  const failures = new Map<string, Fixes['byFailure'][number]>()
  for (const { first, verification } of given) {
    if (first === null) continue
    const { kind } = first.verification.verdict
    const name = classOf(first.verification.verdict)
    const key = `${kind} ${name}`
    const { given: count, mended } = failures.get(key) ?? { given: 0, mended: 0 }
    failures.set(key, { kind, class: name, given: count + 1, mended: mended + (isPassed(verification) ? 1 : 0) })
  }
  return {
    judged: judged.length,
    passedAtOnce: judged.filter(({ first, verification }) => first === null && isPassed(verification)).length,
    mended: estimateRate(given.filter(({ verification }) => isPassed(verification)).length, given.length, dependence),
    byFailure: [...failures.values()].sort((a, b) => b.given - a.given || compareText(a.kind, b.kind)),
  }
}

function isPassed(verification: Verification | null): boolean {
  return verification?.verdict.kind === 'passed'
}
