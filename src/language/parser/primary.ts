import type { Expr } from '../ast.ts'
import { KEY_WORDS, READABLE_WORDS } from '../keywords.ts'
import { parseFor, parseIf, parseMatch, parseSideEffect, parseSpawn, parseWhen } from './control.ts'
import { parseExpr } from './expression.ts'
import { parseGrouping } from './grouping.ts'
import type { ParserState } from './parser-state.ts'
import {
  advance,
  eat,
  expect,
  fail,
  failUnexpected,
  isNext,
  nested,
  noteUnsupported,
  peek,
  peekAt,
  skipNewlines,
  spanFrom,
  stopUnsupported,
} from './parser-state.ts'
import { parsePostfix } from './postfix.ts'
import { parseBlock } from './statement.ts'
import { parseTemplate } from './template.ts'
import { parseParams, parseResultType } from './type.ts'

/** One operand: prefix operators, the value itself and its calls, fields and indexes. */
export function parsePrimary(state: ParserState): Expr {
  const prefixes: { operator: 'neg' | 'not'; start: number }[] = []
  for (;;) {
    const { text, span } = peek(state)
    if (text !== '-' && text !== 'not') break
    prefixes.push({ operator: text === '-' ? 'neg' : 'not', start: span.start })
    advance(state)
  }
  let operand = parseOperand(state)
  for (const { operator, start } of prefixes.reverse())
    operand = { kind: 'unary', operator, operand, span: spanFrom(state, start) }
  return operand
}

function parseOperand(state: ParserState): Expr {
  if (isNext(state, '(')) return nested(state, parseGrouping)
  return parsePostfix(state, parseAtom(state))
}

function parseAtom(state: ParserState): Expr {
  const token = peek(state)
  const { span } = token
  switch (token.kind) {
    case 'int':
      advance(state)
      return { kind: 'int', value: token.value, span }
    case 'float':
      advance(state)
      return { kind: 'float', value: token.value, text: token.text, span }
    case 'string':
    case 'single':
    case 'raw':
      advance(state)
      return { kind: 'str', value: token.value, span }
    case 'template':
      advance(state)
      return parseTemplate(state, token.value, span)
    case 'decimal':
      noteUnsupported(state, 'decimal literal', span)
      advance(state)
      return { kind: 'name', name: token.text, span }
    case 'ident':
    case 'type-ident':
      return parseNameOrLambda(state)
    case 'bang':
      return fail(
        state,
        '`!` is not a valid operator in Vox; use `not` instead. (Vox uses phonetic operators: `not`, `and`, `or`, `is`, `isnt`.)',
        span,
        'vox/lexer/bang-invalid',
      )
    case 'keyword':
      return parseKeyword(state)
    default:
      if (token.text === '[') return parseList(state)
      if (token.text === '{') return parseBraces(state)
      if (token.text === '@cancellable') return stopUnsupported(state, 'cancellable lambda')
      return failUnexpected(state, 'Unexpected token in expression')
  }
}

function parseNameOrLambda(state: ParserState): Expr {
  const { text: name, span } = advance(state)
  if (!eat(state, '=>')) return { kind: 'name', name, span }
  const body = parseExpr(state)
  return {
    kind: 'lambda',
    params: [{ name, type: null, fallback: null, span }],
    result: null,
    body,
    span: spanFrom(state, span.start),
  }
}

function parseKeyword(state: ParserState): Expr {
  const { text, span } = peek(state)
  switch (text) {
    case 'true':
    case 'false':
      advance(state)
      return { kind: 'bool', value: text === 'true', span }
    case 'if':
      return parseIf(state)
    case 'match':
      return parseMatch(state)
    case 'for':
      return parseFor(state)
    case 'fn':
      return parseLambda(state)
    case 'when':
      return parseWhen(state)
    case 'spawn':
      return parseSpawn(state)
    case 'side_effect':
      return parseSideEffect(state)
    case 'workflow':
      if (peekAt(state, 1).text === '.') return stopUnsupported(state, 'workflow version call')
      advance(state)
      expect(state, '.')
      break
  }
  if (!READABLE_WORDS.has(text)) return failUnexpected(state, 'Unexpected token in expression')
  advance(state)
  return { kind: 'name', name: text, span }
}

function parseLambda(state: ParserState): Expr {
  const { start } = advance(state).span
  expect(state, '(')
  const params = parseParams(state)
  expect(state, ')')
  const result = parseResultType(state)
  const body = parseExpr(state)
  return { kind: 'lambda', params, result, body, span: spanFrom(state, start) }
}

function parseList(state: ParserState): Expr {
  const { start } = advance(state).span
  const items: Expr[] = []
  for (;;) {
    skipNewlines(state)
    if (isNext(state, ']') || peek(state).kind === 'eof') break
    items.push(parseExpr(state))
    skipNewlines(state)
    if (!eat(state, ',')) break
  }
  expect(state, ']')
  return { kind: 'list', items, span: spanFrom(state, start) }
}

/** `{}` and `{ key: …` are objects, any other brace opens a block. */
function parseBraces(state: ParserState): Expr {
  let ahead = 1
  while (peekAt(state, ahead).kind === 'newline') ahead++
  const first = peekAt(state, ahead)
  if (first.text === '}') {
    const { start } = advance(state).span
    skipNewlines(state)
    advance(state)
    return { kind: 'object', fields: [], span: spanFrom(state, start) }
  }
  if (!['ident', 'type-ident', 'string', 'single'].includes(first.kind) && !KEY_WORDS.has(first.text))
    return parseBlock(state)
  do ahead++
  while (peekAt(state, ahead).kind === 'newline')
  return peekAt(state, ahead).text === ':' ? parseObject(state) : parseBlock(state)
}

function parseObject(state: ParserState): Expr {
  const { start } = advance(state).span
  const fields: { key: string; value: Expr }[] = []
  for (;;) {
    skipNewlines(state)
    if (isNext(state, '}') || peek(state).kind === 'eof') break
    const key = parseKey(state)
    expect(state, ':')
    fields.push({ key, value: parseExpr(state) })
    if (!eat(state, ',')) break
  }
  skipNewlines(state)
  expect(state, '}')
  return { kind: 'object', fields, span: spanFrom(state, start) }
}

function parseKey(state: ParserState): string {
  const token = peek(state)
  if (token.kind === 'string' || token.kind === 'single') {
    advance(state)
    return token.value
  }
  if (token.kind === 'ident' || token.kind === 'type-ident' || KEY_WORDS.has(token.text)) return advance(state).text
  return fail(state, 'Expected identifier or string as object key')
}
