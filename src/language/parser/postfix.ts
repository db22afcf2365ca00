import type { Argument, Expr, Stmt } from '../ast.ts'
import { parseExpr } from './expression.ts'
import { parseName } from './name.ts'
import type { ParserState } from './parser-state.ts'
import { advance, eat, expect, isNext, peek, peekAt, skipNewlines, spanFrom } from './parser-state.ts'
import { isViewTag } from './view-tags.ts'

/** Calls, fields, methods and indexes that follow `operand` on the same line. */
export function parsePostfix(state: ParserState, operand: Expr): Expr {
  const { start } = operand.span
  let value = operand
  for (;;) {
    if (eat(state, '(')) {
      const args = parseArguments(state)
      value = finishCall(state, value, args, start)
    } else if (eat(state, '.')) {
      const name = parseName(state)
      if (eat(state, '(')) {
        const args = parseArguments(state)
        value = { kind: 'method', receiver: value, name, args, span: spanFrom(state, start) }
      } else value = { kind: 'field', receiver: value, name, span: spanFrom(state, start) }
    } else if (eat(state, '[')) {
      const index = parseExpr(state)
      expect(state, ']')
      value = { kind: 'index', receiver: value, index, span: spanFrom(state, start) }
    } else return value
  }
}

/** Arguments up to and including the closing parenthesis. */
function parseArguments(state: ParserState): readonly Argument[] {
  const args: Argument[] = []
  skipNewlines(state)
  while (!isNext(state, ')') && peek(state).kind !== 'eof') {
    const isNamed = peek(state).kind === 'ident' && peekAt(state, 1).text === '='
    const name = isNamed ? advance(state).text : null
    if (isNamed) advance(state)
    args.push({ name, value: parseExpr(state) })
    skipNewlines(state)
    if (!eat(state, ',')) break
    skipNewlines(state)
  }
  expect(state, ')')
  return args
}

/** A call of a bare view tag without positional arguments is an element, and takes a block behind it as its children. */
function finishCall(state: ParserState, callee: Expr, args: readonly Argument[], start: number): Expr {
  const isElement = callee.kind === 'name' && isViewTag(callee.name) && args.every((argument) => argument.name !== null)
  if (!isElement) return { kind: 'call', callee, args, span: spanFrom(state, start) }
  let ahead = 0
  while (peekAt(state, ahead).kind === 'newline') ahead++
  const children = peekAt(state, ahead).text === '{' ? parseChildren(state) : null
  return { kind: 'element', name: callee.name, args, children, span: spanFrom(state, start) }
}

function parseChildren(state: ParserState): Extract<Expr, { kind: 'block' }> {
  skipNewlines(state)
  const { start } = advance(state).span
  const body: Stmt[] = []
  skipNewlines(state)
  while (!isNext(state, '}') && peek(state).kind !== 'eof') {
    const value = parseExpr(state)
    body.push({ kind: 'expr', value, span: value.span })
    skipNewlines(state)
    eat(state, ',')
    skipNewlines(state)
  }
  expect(state, '}')
  return { kind: 'block', body, span: spanFrom(state, start) }
}
