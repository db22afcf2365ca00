import { DECORATORS, RESERVED_WORDS } from './keywords.ts'
import type { StringScanner } from './string-literal.ts'
import { scanQuoted, scanRaw } from './string-literal.ts'
import type { Token, TokenKind } from './token.ts'

export type { Token, TokenKind } from './token.ts'

const INT_MAX = 9223372036854775807n
/** Longest digit run that can still be within the 64-bit range once leading zeros are gone. */
const INT_MAX_DIGITS = 19

const NUMBER = /[0-9]+(?:\.[0-9]+)?(?:dec)?/y
const SYMBOL = /<\/>|[=!<>+\-*/]=|->|=>|\|>|<\/|\/>|<>|[+\-*/%<>=?.,:()[\]{}|]/y

/** Removes a leading byte order mark and turns CRLF and lone CR into LF, as Vox does before it lexes. */
export function normalise(text: string): string {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body
}

/** Tokens of `text` (normalised first) without blanks and comments; never fails and takes linear time. */
export function lex(text: string): readonly Token[] {
  return scanAll(text, false)
}

/** Like `lex`, with blanks and comments: the texts, joined, are `normalise(text)`. */
export function lexWithTrivia(text: string): readonly Token[] {
  return scanAll(text, true)
}

function scanAll(text: string, keepsTrivia: boolean): readonly Token[] {
  const source = normalise(text)
  const scanner: StringScanner = { source, deadQuote: { '"': -1, "'": -1 }, deadRaw: new Map() }
  const tokens: Token[] = []
  for (let at = 0; at < source.length; ) {
    const trivia = triviaEnd(source, at)
    if (trivia > at) {
      const isBlank = BLANK_CODES.has(source.charCodeAt(at))
      if (keepsTrivia) tokens.push(plain(isBlank ? 'blank' : 'comment', source, at, trivia))
      at = trivia
    } else {
      const token = scanToken(scanner, at)
      tokens.push(token)
      at = token.span.end
    }
  }
  return tokens
}

const BLANK_CODES: ReadonlySet<number> = new Set([0x20, 0x09])

/** End of the blanks or the comment at `at`; `at` itself when there is neither. */
function triviaEnd(source: string, at: number): number {
  const code = source.charCodeAt(at)
  if (code === 0x20 || code === 0x09) {
    let end = at + 1
    while (BLANK_CODES.has(source.charCodeAt(end))) end++
    return end
  }
  if (code !== 0x23 /* # */ && !source.startsWith('//', at)) return at
  const lineEnd = source.indexOf('\n', at)
  return lineEnd < 0 ? source.length : lineEnd
}

function scanToken(scanner: StringScanner, at: number): Token {
  const { source } = scanner
  const code = source.charCodeAt(at)
  if (code === 0x0a) return plain('newline', source, at, at + 1)
  if (code >= 0x30 && code <= 0x39) return scanNumber(source, at)
  if (code === 0x22 || code === 0x27) return scanQuoted(scanner, at) ?? plain('unknown', source, at, at + 1)
  if (code === 0x72 /* r */) {
    const raw = scanRaw(scanner, at)
    if (raw !== null) return raw
  }
  if (isWordStart(code)) return scanWord(source, at, code)
  if (code === 0x40 /* @ */) return scanDecorator(source, at)
  const symbolEnd = matchEnd(SYMBOL, source, at)
  if (symbolEnd > at) return plain('symbol', source, at, symbolEnd)
  if (code === 0x21) return plain('bang', source, at, at + 1)
  return plain('unknown', source, at, at + ((source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1))
}

function isWordStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
}

function scanWord(source: string, at: number, code: number): Token {
  let end = at + 1
  for (let next = source.charCodeAt(end); isWordStart(next) || (next >= 0x30 && next <= 0x39); ) {
    next = source.charCodeAt(++end)
  }
  const text = source.slice(at, end)
  const span = { start: at, end }
  if (code >= 0x41 && code <= 0x5a) return { kind: 'type-ident', text, span }
  if (text === '_') return { kind: 'symbol', text, span }
  return { kind: RESERVED_WORDS.has(text) ? 'keyword' : 'ident', text, span }
}

function scanNumber(source: string, at: number): Token {
  const end = matchEnd(NUMBER, source, at)
  const text = source.slice(at, end)
  const span = { start: at, end }
  if (text.endsWith('dec')) return { kind: 'decimal', text, span }
  if (text.includes('.')) return { kind: 'float', text, span, value: Number(text) }
  const digits = text.startsWith('0') ? text.replace(/^0+(?=.)/, '') : text
  // BigInt of a huge digit run is not linear, hence the length test first.
  if (digits.length > INT_MAX_DIGITS) return { kind: 'invalid-int', text, span }
  const value = BigInt(digits)
  return value > INT_MAX ? { kind: 'invalid-int', text, span } : { kind: 'int', text, span, value }
}

/** Decorator words match as prefixes: `@tests` is `@test` followed by the name `s`. */
function scanDecorator(source: string, at: number): Token {
  const first = source.charCodeAt(at + 1)
  const isName = first >= 0x61 && first <= 0x7a
  const name = isName ? DECORATORS.find((word) => source.startsWith(word, at + 1)) : undefined
  return name === undefined
    ? plain('unknown', source, at, at + 1)
    : plain('decorator', source, at, at + 1 + name.length)
}

function plain(
  kind: Exclude<TokenKind, 'int' | 'float' | 'string' | 'single' | 'raw' | 'template'>,
  source: string,
  start: number,
  end: number,
): Token {
  return { kind, text: source.slice(start, end), span: { start, end } }
}

function matchEnd(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(source) ? pattern.lastIndex : at
}
