import type { Expr, Param } from '../ast.ts'
import { parseExpr, parseInfix } from './expression.ts'
import type { ParserState } from './parser-state.ts'
import { advance, eat, expect, fail, isNext, MAX_GROUPING, peekAt, skipNewlines, spanFrom } from './parser-state.ts'
import { parsePostfix } from './postfix.ts'

/**
 * A run of `(`: grouping, tuples and arrow lambdas, with what follows the outermost `)`.
 * The run is taken in one go so that thousands of plain parentheses need no recursion.
 */
export function parseGrouping(state: ParserState): Expr {
  const starts: number[] = []
  while (peekAt(state, starts.length).text === '(') {
    starts.push(peekAt(state, starts.length).span.start)
    if (state.grouping + starts.length > MAX_GROUPING) return fail(state, 'expression nesting exceeds the parser limit')
  }
  for (const _ of starts) advance(state)
  state.grouping += starts.length
  let value = parseExpr(state)
  for (let level = starts.length - 1; level >= 0; level--) {
    state.grouping--
    value = parsePostfix(state, closeGroup(state, starts[level] ?? 0, value))
    if (level > 0) value = parseInfix(state, value, 0)
  }
  return value
}

function closeGroup(state: ParserState, start: number, first: Expr): Expr {
  const group = eat(state, ',') ? parseTupleRest(state, start, first) : first
  if (group === first) {
    skipNewlines(state)
    expect(state, ')')
  }
  if (!eat(state, '=>')) return group
  const params = toParams(state, group)
  const body = parseExpr(state)
  return { kind: 'lambda', params, result: null, body, span: spanFrom(state, start) }
}

function parseTupleRest(state: ParserState, start: number, first: Expr): Expr {
  const items = [first]
  for (;;) {
    skipNewlines(state)
    if (isNext(state, ')')) break
    items.push(parseExpr(state))
    if (!eat(state, ',')) break
  }
  skipNewlines(state)
  expect(state, ')')
  return { kind: 'tuple', items, span: spanFrom(state, start) }
}

/** Reads what was parsed as a name or a tuple of names as lambda parameters. */
function toParams(state: ParserState, group: Expr): readonly Param[] {
  const names = group.kind === 'tuple' ? group.items : [group]
  return names.map((item) => {
    if (item.kind === 'name') return { name: item.name, type: null, fallback: null, span: item.span }
    const wanted = group.kind === 'tuple' ? 'identifier' : 'identifier or tuple'
    return fail(state, `Expected ${wanted} in lambda parameters`, item.span)
  })
}
