import type { Expr, IfExpr, MatchArm } from '../ast.ts'
import { describeToken } from '../token.ts'
import { parseExpr } from './expression.ts'
import { parseName } from './name.ts'
import type { ParserState } from './parser-state.ts'
import {
  advance,
  eat,
  expect,
  fail,
  isNext,
  nested,
  noteUnsupported,
  peek,
  report,
  skipNewlines,
  spanFrom,
} from './parser-state.ts'
import { parsePattern } from './pattern.ts'
import { parseBlock, parseReturn } from './statement.ts'

export function parseIf(state: ParserState): IfExpr {
  return nested(state, parseIfHere)
}

function parseIfHere(state: ParserState): IfExpr {
  const { start } = advance(state).span
  const condition = parseExpr(state)
  const then = parseBlock(state)
  const { end } = then.span
  // The line breaks stay consumed when no `else` follows: whatever comes next is glued to the `if`.
  skipNewlines(state)
  if (!eat(state, 'else')) return { kind: 'if', condition, then, otherwise: null, span: { start, end } }
  skipNewlines(state)
  const otherwise = isNext(state, 'if') ? parseIf(state) : parseBlock(state)
  return { kind: 'if', condition, then, otherwise, span: { start, end: otherwise.span.end } }
}

export function parseMatch(state: ParserState): Expr {
  const { start } = advance(state).span
  const subject = parseExpr(state)
  expect(state, '{')
  const arms: MatchArm[] = []
  for (;;) {
    skipNewlines(state)
    if (isNext(state, '}') || peek(state).kind === 'eof') break
    arms.push(parseArm(state))
    skipNewlines(state)
    eat(state, ',')
  }
  // Vox takes a match that the end of the file cuts off; the enclosing block then misses its brace.
  eat(state, '}')
  return { kind: 'match', subject, arms, span: spanFrom(state, start) }
}

function parseArm(state: ParserState): MatchArm {
  const { start } = peek(state).span
  const pattern = parsePattern(state)
  if (eat(state, '->')) report(state, "The '->' syntax is deprecated for match arms. Use '=>'.")
  else expect(state, '=>')
  const body = parseArmBody(state)
  return { pattern, body, span: spanFrom(state, start) }
}

function parseArmBody(state: ParserState): MatchArm['body'] {
  const { text, span } = peek(state)
  if (text === 'return') return parseReturn(state, span.start)
  if (text !== 'break' && text !== 'continue') return parseExpr(state)
  advance(state)
  return { kind: text, span }
}

export function parseFor(state: ParserState): Expr {
  const { start } = advance(state).span
  const name = parseLoopName(state)
  const indexName = eat(state, ',') ? parseLoopName(state) : null
  expect(state, 'in')
  const iterable = parseExpr(state)
  const key = parseLoopKey(state)
  const body = parseExpr(state)
  return { kind: 'for', name, indexName, iterable, key, body, span: spanFrom(state, start) }
}

function parseLoopName(state: ParserState): string {
  return eat(state, '_') ? '_' : parseName(state)
}

function parseLoopKey(state: ParserState): Expr | null {
  if (!eat(state, 'key')) return null
  expect(state, '=')
  return parseExpr(state)
}

/** The asynchronous view block; its syntax is checked, its meaning lies outside the slice. */
export function parseWhen(state: ParserState): Expr {
  const { start } = advance(state).span
  const subject = parseExpr(state)
  skipNewlines(state)
  expect(state, '{')
  for (;;) {
    skipNewlines(state)
    if (isNext(state, '}') || peek(state).kind === 'eof') break
    const { text } = peek(state)
    if (!['fetching', 'empty', 'error', 'ok'].includes(text)) {
      const found = describeToken(peek(state))
      return fail(
        state,
        `Unexpected token in \`when\` view block: \`${found}\`. Expected \`fetching\`, \`empty\`, \`error <binding>\`, or \`ok <binding>\`.`,
      )
    }
    advance(state)
    if (text === 'error' || text === 'ok') parseName(state)
    expect(state, '=>')
    parseExpr(state)
    skipNewlines(state)
    eat(state, ',')
  }
  expect(state, '}')
  noteUnsupported(state, '`when` view block', spanFrom(state, start))
  return subject
}

export function parseSpawn(state: ParserState): Expr {
  const { start } = advance(state).span
  expect(state, '(')
  const target = parseExpr(state)
  expect(state, ')')
  noteUnsupported(state, '`spawn`', spanFrom(state, start))
  return target
}

export function parseSideEffect(state: ParserState): Expr {
  const { start } = advance(state).span
  const body = parseBlock(state)
  noteUnsupported(state, '`side_effect` block', spanFrom(state, start))
  return body
}
