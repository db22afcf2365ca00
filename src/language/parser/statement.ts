import type { Block, Stmt } from '../ast.ts'
import { parseExpr } from './expression.ts'
import type { ParserState } from './parser-state.ts'
import { ABANDONED, advance, eat, expect, isNext, nested, peek, skipNewlines, spanFrom, warn } from './parser-state.ts'
import { parsePattern } from './pattern.ts'
import { parseType } from './type.ts'

const COMPOUND = { '+=': 'add', '-=': 'sub', '*=': 'mul', '/=': 'div' } as const

/** `{ … }` with statements in it; a broken statement is skipped up to the next line or closing brace. */
export function parseBlock(state: ParserState): Block {
  return nested(state, parseBlockHere)
}

function parseBlockHere(state: ParserState): Block {
  const { start } = peek(state).span
  expect(state, '{')
  const body: Stmt[] = []
  for (;;) {
    skipNewlines(state)
    if (isNext(state, '}') || peek(state).kind === 'eof') break
    const statement = attemptStatement(state)
    if (statement !== null) body.push(statement)
  }
  expect(state, '}')
  return { kind: 'block', body, span: spanFrom(state, start) }
}

function attemptStatement(state: ParserState): Stmt | null {
  const { grouping } = state
  try {
    const statement = parseStatement(state)
    skipTolerableSemicolon(state)
    return statement
  } catch (error) {
    if (error !== ABANDONED) throw error
    state.grouping = grouping
    while (peek(state).kind !== 'newline' && !isNext(state, '}') && peek(state).kind !== 'eof') advance(state)
    return null
  }
}

/** One `;` behind a statement or declaration is let through with a warning; a second is left to fail. */
export function skipTolerableSemicolon(state: ParserState): void {
  if (!isNext(state, ';')) return
  warn(state, 'semicolon', 'Vox statements end at end of line; no semicolon needed', peek(state).span)
  advance(state)
}

export function parseStatement(state: ParserState): Stmt {
  const { start } = peek(state).span
  switch (peek(state).text) {
    case 'let':
      return parseLet(state, start)
    case 'return':
      return parseReturn(state, start)
    case 'while': {
      advance(state)
      const condition = parseExpr(state)
      const body = parseBlock(state)
      return { kind: 'while', condition, body, span: spanFrom(state, start) }
    }
    case 'loop': {
      advance(state)
      const body = parseBlock(state)
      return { kind: 'loop', body, span: spanFrom(state, start) }
    }
    case 'break':
    case 'continue':
      return { kind: advance(state).text === 'break' ? 'break' : 'continue', span: spanFrom(state, start) }
    default:
      return parseAssignment(state, start)
  }
}

function parseLet(state: ParserState, start: number): Stmt {
  advance(state)
  const isMutable = eat(state, 'mut')
  const pattern = parsePattern(state)
  const type = eat(state, ':') ? parseType(state) : null
  expect(state, '=')
  const value = parseExpr(state)
  return { kind: 'let', isMutable, pattern, type, value, span: spanFrom(state, start) }
}

/** `return` takes no value when the line, the block or a tolerated `;` ends right behind it. */
export function parseReturn(state: ParserState, start: number): Extract<Stmt, { kind: 'return' }> {
  advance(state)
  const isBare = ['newline', 'eof'].includes(peek(state).kind) || isNext(state, '}') || isNext(state, ';')
  const value = isBare ? null : parseExpr(state)
  return { kind: 'return', value, span: spanFrom(state, start) }
}

function parseAssignment(state: ParserState, start: number): Stmt {
  const target = parseExpr(state)
  const { text } = peek(state)
  if (text === '=') {
    advance(state)
    const value = parseExpr(state)
    return { kind: 'assign', target, operator: null, value, span: spanFrom(state, start) }
  }
  if (text === '+=' || text === '-=' || text === '*=' || text === '/=') {
    advance(state)
    const value = parseExpr(state)
    return { kind: 'assign', target, operator: COMPOUND[text], value, span: spanFrom(state, start) }
  }
  return { kind: 'expr', value: target, span: spanFrom(state, start) }
}
