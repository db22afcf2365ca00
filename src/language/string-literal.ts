import type { Token } from './token.ts'

/** What a scan of one source remembers so that unterminated quotes cost linear time altogether. */
export interface StringScanner {
  readonly source: string
  /** No literal of this quote that starts before the given offset can end. */
  readonly deadQuote: { '"': number; "'": number }
  /** The same for raw strings, by number of `#`. */
  readonly deadRaw: Map<number, number>
}

const RAW_OPENING = /r(#{0,3})"/y
const NAME_START = /[A-Za-z_]/
const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/**
 * The string literal at `at` (a quote), or null when it never ends: no closing quote follows, or a
 * backslash stands directly before a line break.
 */
export function scanQuoted(scanner: StringScanner, at: number): Token | null {
  const { source, deadQuote } = scanner
  const quote = source[at] === '"' ? '"' : "'"
  if (at < deadQuote[quote]) return null
  const quoteCode = quote.charCodeAt(0)
  let hole: 'none' | 'opened' | 'named' | 'closed' = 'none'
  for (let index = at + 1; index < source.length; index++) {
    const code = source.charCodeAt(index)
    if (code === quoteCode) return finishQuoted(source, at, index + 1, hole === 'closed' && quote === '"')
    if (code === 0x5c /* backslash */) {
      index++
      if (index >= source.length || source.charCodeAt(index) === 0x0a) {
        // Every later quote up to here was escaped, so a literal opened there would fail at this point too.
        deadQuote[quote] = index
        return null
      }
      if (hole === 'opened') hole = 'none'
    } else if (hole === 'named' && code === 0x7d /* } */) hole = 'closed'
    else if (hole === 'none' && code === 0x7b /* { */) hole = 'opened'
    else if (hole === 'opened' && code !== 0x7b) {
      const char = source[index] ?? ''
      if (NAME_START.test(char)) hole = 'named'
      else if (!SPACE.test(char)) hole = 'none'
    }
  }
  deadQuote[quote] = source.length
  return null
}

function finishQuoted(source: string, start: number, end: number, isTemplate: boolean): Token {
  const text = source.slice(start, end)
  const inner = text.slice(1, -1)
  const span = { start, end }
  if (isTemplate) return { kind: 'template', text, span, value: inner }
  return { kind: text[0] === '"' ? 'string' : 'single', text, span, value: resolveEscapes(inner) }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '0': '\0',
}

/** Resolves the known escapes; an unknown one keeps its backslash. */
function resolveEscapes(inner: string): string {
  return inner.includes('\\') ? inner.replace(/\\(.)/gsu, (whole, char: string) => ESCAPES[char] ?? whole) : inner
}

/** The raw string at `at` (`r"…"`, or with up to three `#`), or null when there is none or it never ends. */
export function scanRaw(scanner: StringScanner, at: number): Token | null {
  const { source, deadRaw } = scanner
  RAW_OPENING.lastIndex = at
  const opening = RAW_OPENING.exec(source)
  if (opening === null) return null
  const hashes = opening[1]?.length ?? 0
  const bodyStart = at + opening[0].length
  if (bodyStart <= (deadRaw.get(hashes) ?? 0)) return null
  for (let index = source.indexOf('"', bodyStart); index >= 0; index = source.indexOf('"', index)) {
    const bodyEnd = index
    index++
    let found = 0
    while (found < hashes && source.charCodeAt(index) === 0x23) {
      found++
      index++
    }
    if (found === hashes) {
      return {
        kind: 'raw',
        text: source.slice(at, index),
        span: { start: at, end: index },
        value: source.slice(bodyStart, bodyEnd),
      }
    }
    // A quote, too few `#` and another quote fit neither the body nor the end of the literal.
    if (found > 0 && source.charCodeAt(index) === 0x22) {
      deadRaw.set(hashes, bodyEnd)
      return null
    }
  }
  deadRaw.set(hashes, source.length)
  return null
}
