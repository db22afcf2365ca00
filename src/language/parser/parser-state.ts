import type { Diagnostic } from '../diagnostic.ts'
import type { Span } from '../span.ts'
import type { Token } from '../token.ts'
import { describeToken } from '../token.ts'

/** Vox's own bound on open grouping parentheses. */
export const MAX_GROUPING = 4096
/** Nesting of any other kind that is followed; past it the answer is `unsupported`, not a stack overflow. */
export const MAX_NESTING = 400
/** Errors after which parsing stops: the verdict is settled and the rest would only fill memory. */
export const MAX_ERRORS = 1000
/** Vox's own cap on messages about unknown characters. */
const MAX_UNKNOWN_ERRORS = 20

/** Everything a parse changes as it goes. */
export interface ParserState {
  /** Without blanks, comments and oversized integers. */
  readonly tokens: readonly Token[]
  /** The `eof` token that stands behind them. */
  readonly end: Token
  position: number
  readonly diagnostics: Diagnostic[]
  errorCount: number
  unknownErrorCount: number
  /** Open grouping parentheses. */
  grouping: number
  /** Open constructs of any kind. */
  nesting: number
  /** First construct seen that lies outside the known slice. */
  unsupported: { readonly reason: string; readonly span: Span } | null
}

/** Thrown after an error was reported; caught where parsing can pick up again. */
export const ABANDONED = new Error('statement abandoned')
/** Thrown when nothing behind this point can be judged. */
export const STOPPED = new Error('parse stopped')

export function peek(state: ParserState): Token {
  return state.tokens[state.position] ?? state.end
}

/** The token `ahead` places on; the `eof` token past the last. */
export function peekAt(state: ParserState, ahead: number): Token {
  return state.tokens[state.position + ahead] ?? state.end
}

/** Whether the next token is the keyword or symbol `text`. */
export function isNext(state: ParserState, text: string): boolean {
  return peek(state).text === text
}

export function advance(state: ParserState): Token {
  const token = peek(state)
  if (token.kind !== 'eof') state.position++
  return token
}

/** Consumes the keyword or symbol `text` when it comes next. */
export function eat(state: ParserState, text: string): boolean {
  if (!isNext(state, text)) return false
  advance(state)
  return true
}

export function expect(state: ParserState, text: string): Token {
  if (isNext(state, text)) return advance(state)
  return fail(state, `Expected ${text}, found ${describeToken(peek(state))}`)
}

export function skipNewlines(state: ParserState): void {
  while (peek(state).kind === 'newline') advance(state)
}

/** Span from `start` to the end of the last consumed token. */
export function spanFrom(state: ParserState, start: number): Span {
  const last = state.tokens[state.position - 1]
  return { start, end: Math.max(start, last?.span.end ?? start) }
}

/** Reports a parse error without giving up the current construct. */
export function report(state: ParserState, message: string, span: Span = peek(state).span, code = 'E0001'): void {
  state.diagnostics.push({ severity: 'error', code, message, span })
  state.errorCount++
  if (state.errorCount >= MAX_ERRORS) throw STOPPED
}

/** Reports a parse error and gives up the current statement or declaration. */
export function fail(state: ParserState, message: string, span?: Span, code?: string): never {
  report(state, message, span, code)
  throw ABANDONED
}

/** Fails on the next token; at the cap on unknown characters the parse ends, as the verdict is settled. */
export function failUnexpected(state: ParserState, message: string): never {
  const token = peek(state)
  if (token.kind !== 'unknown') return fail(state, `${message}: ${describeToken(token)}`)
  state.unknownErrorCount++
  if (state.unknownErrorCount <= MAX_UNKNOWN_ERRORS) return fail(state, `${message}: ${token.text}`)
  report(state, 'Too many unknown characters; further ones are not reported')
  throw STOPPED
}

export function warn(
  state: ParserState,
  tolerated: 'alias' | 'semicolon' | 'arrow',
  message: string,
  span: Span,
): void {
  state.diagnostics.push({ severity: 'warning', code: null, message, span, tolerated })
}

/** Notes a construct outside the slice whose syntax is known, so that parsing can go on. */
export function noteUnsupported(state: ParserState, reason: string, span: Span): void {
  state.unsupported ??= { reason, span }
}

/** Gives up the parse at a construct whose syntax is not known. */
export function stopUnsupported(state: ParserState, reason: string, span: Span = peek(state).span): never {
  noteUnsupported(state, reason, span)
  throw STOPPED
}

/** Runs `parse` one nesting level further in. */
export function nested<Result>(state: ParserState, parse: (state: ParserState) => Result): Result {
  if (state.nesting >= MAX_NESTING) return stopUnsupported(state, 'nesting too deep')
  state.nesting++
  try {
    return parse(state)
  } finally {
    state.nesting--
  }
}
