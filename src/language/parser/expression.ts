import type { BinaryOperator, Expr } from '../ast.ts'
import type { Span } from '../span.ts'
import type { ParserState } from './parser-state.ts'
import { advance, nested, peek, skipNewlines, spanFrom, warn } from './parser-state.ts'
import { parsePrimary } from './primary.ts'

/** Infix operators by spelling; a right operand binds one tighter than `power`. */
const INFIX: ReadonlyMap<string, { readonly power: number; readonly operator: BinaryOperator | 'pipe' | 'with' }> =
  new Map(
    (
      [
        ['|>', 1, 'pipe'],
        ['or', 3, 'or'],
        ['and', 5, 'and'],
        ['with', 5, 'with'],
        ['is', 7, 'is'],
        ['==', 7, 'is'],
        ['isnt', 7, 'isnt'],
        ['!=', 7, 'isnt'],
        ['<', 9, 'lt'],
        ['>', 9, 'gt'],
        ['<=', 9, 'le'],
        ['>=', 9, 'ge'],
        ['+', 11, 'add'],
        ['-', 11, 'sub'],
        ['*', 13, 'mul'],
        ['/', 13, 'div'],
        ['%', 13, 'mod'],
      ] as const
    ).map(([text, power, operator]) => [text, { power, operator }]),
  )

/** An expression; line breaks in front of it are skipped, one behind an operand ends it. */
export function parseExpr(state: ParserState): Expr {
  skipNewlines(state)
  return nested(state, parseWhole)
}

function parseWhole(state: ParserState): Expr {
  return parseInfix(state, parsePrimary(state), 0)
}

/** Goes on behind a complete operand with every operator that binds at least as tight as `minimum`. */
export function parseInfix(state: ParserState, first: Expr, minimum: number): Expr {
  let left = first
  for (;;) {
    const { text, span } = peek(state)
    if (text === '?') {
      advance(state)
      left = { kind: 'try', operand: left, span: spanFrom(state, left.span.start) }
      continue
    }
    const entry = INFIX.get(text)
    if (entry === undefined) return left
    // Vox warns before it compares binding powers, hence once for every level that looks at the operator.
    if (text === '==') warn(state, 'alias', "`==` works, but Vox's canonical spelling is `is`", span)
    if (text === '!=') warn(state, 'alias', "`!=` works, but Vox's canonical spelling is `is not`", span)
    if (entry.power < minimum) return left
    advance(state)
    const right = parseInfix(state, parsePrimary(state), entry.power + 1)
    left = combine(entry.operator, left, right, spanFrom(state, left.span.start))
  }
}

function combine(operator: BinaryOperator | 'pipe' | 'with', left: Expr, right: Expr, span: Span): Expr {
  if (operator === 'pipe' || operator === 'with') return { kind: operator, left, right, span }
  return { kind: 'binary', operator, left, right, span }
}
