import type { Token } from '../language/lexer.ts'
import { lex } from '../language/lexer.ts'
import { closingIndex } from './brackets.ts'
import type { Fixture, FixtureType } from './fixture.ts'

export type Entry = Fixture['entry']

export type SignatureResult =
  | { readonly kind: 'parsed'; readonly entry: Entry }
  | { readonly kind: 'malformed'; readonly message: string }

/**
 * Reads a one-line signature such as `fn pick(xs: list[int], k: int) to Option[int]`. Known types are int, float, str,
 * bool, list[T], Option[T], Result[T] and Result[T, str].
 */
export function parseSignature(text: string): SignatureResult {
  const tokens = lex(text.trim())
  if (tokens.some((token) => token.kind === 'newline')) return malformed('must be on one line')
  const header = readHeader(tokens, 0)
  if (header.kind === 'malformed') return header
  const extra = tokens[header.end]
  if (extra !== undefined) return malformed(`has \`${extra.text}\` behind its return type`)
  const params: { name: string; type: FixtureType }[] = []
  for (const param of header.params) {
    if (param.type === null) return malformed(`gives no type for the parameter \`${param.name}\``)
    if (params.some((earlier) => earlier.name === param.name)) return malformed(`has two parameters \`${param.name}\``)
    params.push({ name: param.name, type: param.type })
  }
  if (header.result === null) return malformed('gives no return type (`to T`)')
  return { kind: 'parsed', entry: { name: header.name, params, result: header.result } }
}

/**
 * What is wrong with the declaration of `entry` in `source` (a whole .vox text), in words; null when there is exactly
 * one top-level function of that name with the same types. Parameter names may differ, annotations may be left out.
 */
export function explainEntryMismatch(source: string, entry: Entry): string | null {
  const tokens = lex(source)
  const found = findFunctions(tokens, entry.name)
  const start = found[0]
  if (start === undefined) return `declares no top-level function \`${entry.name}\``
  if (found.length > 1) return `declares \`${entry.name}\` ${found.length} times`
  const header = readHeader(tokens, start)
  if (header.kind === 'malformed') return `its \`${entry.name}\` ${header.message}`
  if (header.params.length !== entry.params.length) {
    return `its \`${entry.name}\` has ${header.params.length} parameters, the signature ${entry.params.length}`
  }
  for (const [index, param] of entry.params.entries()) {
    const declared = header.params[index]?.type
    if (declared && typeText(declared) !== typeText(param.type)) {
      return `its \`${entry.name}\` takes ${typeText(declared)} as parameter ${index + 1}, the signature ${typeText(param.type)}`
    }
  }
  if (header.result !== null && typeText(header.result) !== typeText(entry.result)) {
    return `its \`${entry.name}\` returns ${typeText(header.result)}, the signature ${typeText(entry.result)}`
  }
  return null
}

/** Indices of the `fn` tokens that declare `name` outside all brackets. */
export function findFunctions(tokens: readonly Token[], name: string): readonly number[] {
  const found: number[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind === 'symbol' && (token.text === '(' || token.text === '[' || token.text === '{')) {
      const end = closingIndex(tokens, at)
      if (end < 0) break
      at = end
    } else if (token?.kind === 'keyword' && token.text === 'fn' && tokens[at + 1]?.text === name) found.push(at)
  }
  return found
}

/** A type as it is written in Vox. */
export function typeText(type: FixtureType): string {
  switch (type.kind) {
    case 'list':
      return `list[${typeText(type.item)}]`
    case 'option':
      return `Option[${typeText(type.item)}]`
    case 'result':
      return `Result[${typeText(type.item)}, str]`
    default:
      return type.kind
  }
}

interface Header {
  readonly kind: 'header'
  readonly name: string
  readonly params: readonly { readonly name: string; readonly type: FixtureType | null }[]
  readonly result: FixtureType | null
  readonly end: number
}

/** `fn name(a: T, b: U) to R` from the `fn` at `start`; annotations are optional here. */
function readHeader(tokens: readonly Token[], start: number): Header | { kind: 'malformed'; message: string } {
  if (tokens[start]?.text !== 'fn') return malformed('must start with `fn`')
  const name = tokens[start + 1]
  if (name?.kind !== 'ident')
    return malformed(`needs a lower-case function name behind \`fn\`, not \`${name?.text ?? ''}\``)
  if (tokens[start + 2]?.text !== '(') return malformed('needs `(` behind the function name')
  const close = closingIndex(tokens, start + 2)
  if (close < 0) return malformed('has no matching `)`')
  const params: { name: string; type: FixtureType | null }[] = []
  for (let at = start + 3; at < close; ) {
    const param = tokens[at]
    if (param?.kind !== 'ident') return malformed(`has \`${param?.text}\` where a parameter name must stand`)
    at++
    let type: FixtureType | null = null
    if (tokens[at]?.text === ':') {
      const read = readType(tokens, at + 1)
      if (typeof read === 'string') return malformed(read)
      type = read.type
      at = read.end
    }
    params.push({ name: param.text, type })
    if (at === close) break
    if (tokens[at]?.text !== ',') return malformed(`has \`${tokens[at]?.text}\` behind the parameter \`${param.text}\``)
    at++
    if (at === close) return malformed('has a comma before `)`')
  }
  const arrow = tokens[close + 1]?.text
  if (arrow !== 'to' && arrow !== '->') return { kind: 'header', name: name.text, params, result: null, end: close + 1 }
  const result = readType(tokens, close + 2)
  if (typeof result === 'string') return malformed(result)
  return { kind: 'header', name: name.text, params, result: result.type, end: result.end }
}

/** A type at `at`, or what is wrong with it. */
function readType(tokens: readonly Token[], at: number): { readonly type: FixtureType; readonly end: number } | string {
  const name = tokens[at]?.text ?? ''
  if (name === 'int' || name === 'float' || name === 'str' || name === 'bool')
    return { type: { kind: name }, end: at + 1 }
  const kind = WRAPPERS[name]
  if (kind === undefined) {
    return `uses the type \`${name}\`; a fixture may use int, float, str, bool, list[T], Option[T] and Result[T, str]`
  }
  if (tokens[at + 1]?.text !== '[') return `needs \`[\` behind \`${name}\``
  const item = readType(tokens, at + 2)
  if (typeof item === 'string') return item
  let end = item.end
  if (kind === 'result' && tokens[end]?.text === ',') {
    if (tokens[end + 1]?.text !== 'str') return 'uses a Result whose error type is not str'
    end += 2
  }
  if (tokens[end]?.text !== ']') return `needs \`]\` to close \`${name}[\``
  return { type: { kind, item: item.type }, end: end + 1 }
}

const WRAPPERS: Readonly<Record<string, 'list' | 'option' | 'result'>> = {
  list: 'list',
  List: 'list',
  Option: 'option',
  Result: 'result',
}

function malformed(message: string): { kind: 'malformed'; message: string } {
  return { kind: 'malformed', message }
}
