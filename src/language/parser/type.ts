import type { Param, TypeExpr } from '../ast.ts'
import { parseExpr } from './expression.ts'
import { parseName } from './name.ts'
import type { ParserState } from './parser-state.ts'
import { advance, eat, expect, isNext, nested, peek, spanFrom, warn } from './parser-state.ts'

export function parseType(state: ParserState): TypeExpr {
  return nested(state, parseTypeHere)
}

function parseTypeHere(state: ParserState): TypeExpr {
  const token = peek(state)
  const { start } = token.span
  if (token.kind === 'int') {
    // Vox takes a number for the name of a type.
    advance(state)
    return { kind: 'named', name: String(token.value), args: [], span: token.span }
  }
  if (isNext(state, 'fn')) return parseFunctionType(state, start)
  if (isNext(state, '_') || isNext(state, 'dec')) {
    return { kind: 'named', name: advance(state).text, args: [], span: spanFrom(state, start) }
  }
  const name = parseName(state)
  const args: TypeExpr[] = []
  if (eat(state, '[')) {
    do args.push(parseType(state))
    while (eat(state, ','))
    expect(state, ']')
  }
  return { kind: 'named', name, args, span: spanFrom(state, start) }
}

function parseFunctionType(state: ParserState, start: number): TypeExpr {
  expect(state, 'fn')
  expect(state, '(')
  const params: TypeExpr[] = []
  if (!isNext(state, ')')) {
    do params.push(parseType(state))
    while (eat(state, ','))
  }
  expect(state, ')')
  const result = parseResultType(state)
  return { kind: 'fn', params, result, span: spanFrom(state, start) }
}

/** An optional `to T`; `-> T` is tolerated with a warning. */
export function parseResultType(state: ParserState): TypeExpr | null {
  if (eat(state, '->')) {
    warn(state, 'arrow', "The '->' syntax is deprecated for return types. Use 'to'.", peek(state).span)
    return parseType(state)
  }
  return eat(state, 'to') ? parseType(state) : null
}

/** Parameters up to, not including, the closing parenthesis; all on one line. */
export function parseParams(state: ParserState): readonly Param[] {
  const params: Param[] = []
  if (isNext(state, ')')) return params
  do {
    const { start } = peek(state).span
    const name = parseName(state)
    const type = eat(state, ':') ? parseType(state) : null
    const fallback = eat(state, '=') ? parseExpr(state) : null
    params.push({ name, type, fallback, span: spanFrom(state, start) })
  } while (eat(state, ','))
  return params
}
