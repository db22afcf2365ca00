import type { Expr, TemplatePart } from '../ast.ts'
import type { Span } from '../span.ts'
import type { ParserState } from './parser-state.ts'
import { fail, peek } from './parser-state.ts'

const NAME = /^[\p{Alphabetic}\p{N}_]*$/u

/**
 * Splits a template's inner text at its braces; only bare names may stand between them. Called with the
 * literal consumed: Vox locates a hole, good or bad, at the token behind the literal.
 */
export function parseTemplate(state: ParserState, inner: string, span: Span): Expr {
  const parts: TemplatePart[] = []
  for (let at = 0; at < inner.length; ) {
    const open = inner.indexOf('{', at)
    const textEnd = open < 0 ? inner.length : open
    if (textEnd > at) parts.push({ kind: 'text', text: inner.slice(at, textEnd) })
    if (open < 0) break
    const close = inner.indexOf('}', open)
    if (close < 0) return fail(state, 'Unclosed interpolation in template string', span)
    const name = inner.slice(open + 1, close)
    if (!NAME.test(name)) return fail(state, 'Complex expressions in template strings not yet supported')
    parts.push({ kind: 'name', name, span: peek(state).span })
    at = close + 1
  }
  return { kind: 'template', parts, span }
}
