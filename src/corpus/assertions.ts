import type { Token } from '../language/lexer.ts'
import { lex, normalise } from '../language/lexer.ts'
import type { Span } from '../language/span.ts'
import { positionAt } from '../language/span.ts'
import { isForeign } from '../language/token.ts'
import { closingIndex } from './brackets.ts'
import { findFunctions } from './signature.ts'

/** One `assert(call == expected)`; spans are UTF-16 offsets into `TestsParts.source`. */
export interface Assertion {
  /** From `assert` to its closing bracket. */
  readonly span: Span
  readonly call: string
  readonly callSpan: Span
  /** Name of the function that is called. */
  readonly callee: string
  readonly expected: string
  readonly expectedSpan: Span
}

/** The parts of a tests.vox. */
export interface TestsParts {
  /** The normalised text that all spans refer to. */
  readonly source: string
  /** Everything before `fn main`: the reference with its helpers. */
  readonly prelude: string
  readonly main: {
    /** From `fn` to the closing brace. */
    readonly span: Span
    readonly text: string
    /** The literal behind `return`. */
    readonly returnedSpan: Span
  }
  readonly assertions: readonly Assertion[]
}

export type TestsResult =
  | { readonly kind: 'parsed'; readonly tests: TestsParts }
  /** Each problem in words, with its line. */
  | { readonly kind: 'malformed'; readonly problems: readonly string[] }

/** The parts of the tests of a loaded fixture, which are known to be well formed. Throws an Error when they are not. */
export function splitTests(tests: string): TestsParts {
  const result = parseTests(tests)
  if (result.kind === 'malformed') throw new Error(`tests that were never checked: ${result.problems.join('; ')}`)
  return result.tests
}

/**
 * Takes a tests.vox apart on tokens: a prelude, then one final `fn main() to str` that holds nothing but
 * `assert(call == expected)` statements and a last `return "ok"`.
 */
export function parseTests(text: string): TestsResult {
  const source = normalise(text)
  const tokens = lex(source)
  const problems: string[] = []
  const report = (token: Token | undefined, message: string) => {
    const { line } = positionAt(source, token?.span.start ?? source.length)
    problems.push(`line ${line}: ${message}`)
  }
  for (const token of tokens) {
    if (isForeign(token)) report(token, `\`${token.text}\` is no Vox token`)
  }
  const mains = findFunctions(tokens, 'main')
  const start = mains[0]
  if (start === undefined)
    return {
      kind: 'malformed',
      problems: [...problems, 'no `fn main` at top level, or brackets before it do not pair up'],
    }
  if (mains.length > 1) report(tokens[mains[1] ?? start], `\`fn main\` is declared ${mains.length} times`)

  const open = findMainBody(tokens, start)
  const close = open === null ? -1 : closingIndex(tokens, open)
  if (open === null) report(tokens[start], 'main must be declared `fn main() to str {`')
  else if (close < 0) report(tokens[open], 'the brackets of main do not pair up')
  if (open === null || close < 0) return { kind: 'malformed', problems }
  const previous = tokens[start - 1]
  if (previous !== undefined && previous.kind !== 'newline') report(previous, '`fn main` must begin its line')
  const behind = tokens.slice(close + 1).find((token) => token.kind !== 'newline')
  if (behind !== undefined && mains.length === 1) report(behind, 'main must be the last declaration')

  const body = readBody(source, tokens.slice(open + 1, close), tokens[close], report)
  if (problems.length > 0 || body.returned === null) return { kind: 'malformed', problems }
  const span = { start: spanAt(tokens, start).start, end: spanAt(tokens, close).end }
  const main = { span, text: source.slice(span.start, span.end), returnedSpan: body.returned }
  return { kind: 'parsed', tests: { source, prelude: source.slice(0, span.start), main, assertions: body.assertions } }
}

/** Index of the `{` of `fn main() to str {`, or null when the header reads otherwise. */
function findMainBody(tokens: readonly Token[], start: number): number | null {
  const header = tokens.slice(start, start + 7).map((token) => token.text)
  const arrow = header[4]
  if (arrow !== 'to' && arrow !== '->') return null
  return header.join(' ') === `fn main ( ) ${arrow} str {` ? start + 6 : null
}

type Report = (token: Token | undefined, message: string) => void

/** Reads the statements of main, reporting each that is no assertion. */
function readBody(source: string, body: readonly Token[], closing: Token | undefined, report: Report) {
  const assertions: Assertion[] = []
  let returned: Span | null = null
  for (let at = 0; at < body.length; ) {
    const token = body[at]
    if (token?.kind === 'newline') {
      at++
      continue
    }
    if (returned !== null) {
      report(token, 'nothing may follow the `return` of main')
      break
    }
    if (token?.text === 'return') {
      const value = body[at + 1]
      if (value?.text !== '"ok"') report(token, 'main must return "ok"')
      returned = value?.span ?? { start: 0, end: 0 }
      at += 2
      continue
    }
    const close = token?.text === 'assert' && body[at + 1]?.text === '(' ? closingIndex(body, at + 1) : -1
    const end = close < 0 ? endOfLine(body, at) : close + 1
    const assertion = close < 0 ? null : readAssertion(source, body.slice(at, close + 1))
    if (assertion === null) report(token, 'main may only hold `assert(call == literal)` statements and `return "ok"`')
    else assertions.push(assertion)
    at = end
  }
  if (assertions.length === 0) report(closing, 'main has no assertions')
  if (returned === null) report(closing, 'main must end with `return "ok"`')
  return { assertions, returned }
}

function endOfLine(body: readonly Token[], from: number): number {
  const index = body.findIndex((token, at) => at >= from && token.kind === 'newline')
  return index < 0 ? body.length : index
}

/** `assert ( name ( … ) == … )`, or null. */
function readAssertion(source: string, tokens: readonly Token[]): Assertion | null {
  const inner = tokens.slice(2, -1).filter((token) => token.kind !== 'newline')
  const callee = inner[0]
  if (callee?.kind !== 'ident' || inner[1]?.text !== '(') return null
  const close = closingIndex(inner, 1)
  if (close < 0 || inner[close + 1]?.text !== '==' || inner[close + 2] === undefined) return null
  const callSpan = { start: callee.span.start, end: spanAt(inner, close).end }
  const expectedSpan = { start: spanAt(inner, close + 2).start, end: spanAt(inner, inner.length - 1).end }
  return {
    span: { start: spanAt(tokens, 0).start, end: spanAt(tokens, tokens.length - 1).end },
    call: source.slice(callSpan.start, callSpan.end),
    callSpan,
    callee: callee.text,
    expected: source.slice(expectedSpan.start, expectedSpan.end),
    expectedSpan,
  }
}

function spanAt(tokens: readonly Token[], index: number): Span {
  const token = tokens[index]
  if (token === undefined) throw new Error(`no token ${index}`)
  return token.span
}
