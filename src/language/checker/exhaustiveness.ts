import type { MatchArm } from '../ast.ts'
import type { Span } from '../span.ts'
import type { Context } from './context.ts'
import type { Type } from './type.ts'

/** The cases a match on `subject` has to cover; null where none are known (numbers, strings, lists and the like). */
function casesOf(context: Context, subject: Type): { readonly what: string; readonly cases: readonly string[] } | null {
  if (subject.kind === 'bool') return { what: 'bool. Missing:', cases: ['true', 'false'] }
  if (subject.kind === 'option') return { what: "type 'Option'. Missing variant(s):", cases: ['Some', 'None'] }
  if (subject.kind === 'result') return { what: "type 'Result'. Missing variant(s):", cases: ['Ok', 'Err'] }
  const declared = subject.kind === 'named' ? context.environment.types.get(subject.name) : undefined
  if (declared === undefined) return null
  return { what: `type '${declared.name}'. Missing variant(s):`, cases: [...declared.variants.keys()] }
}

/** Reports the cases a match leaves out; only outermost constructors count. Literals `true` and `false` are no patterns. */
export function checkExhaustive(context: Context, subject: Type, arms: readonly MatchArm[], span: Span): void {
  const known = casesOf(context, subject)
  if (known === null) return
  const covered = new Set(arms.map(({ pattern }) => (pattern.kind === 'constructor' ? pattern.name : '')))
  if (subject.kind === 'result' && covered.has('Error')) covered.add('Err')
  const missingCases = known.cases.filter((each) => !covered.has(each))
  const catchAll = arms.find(({ pattern }) => pattern.kind === 'wildcard' || pattern.kind === 'bind')
  if (catchAll === undefined && missingCases.length > 0) {
    const message = `Non-exhaustive match on ${known.what} ${missingCases.join(', ')}`
    context.diagnostics.push({ severity: 'error', code: 'E0301', message, span, missingCases })
  }
  if (catchAll !== undefined && missingCases.length === 0 && subject.kind === 'named') {
    const message = `Divergent wildcard: all variants of '${subject.name}' are already covered`
    context.diagnostics.push({ severity: 'warning', code: null, message, span: catchAll.pattern.span })
  }
}
