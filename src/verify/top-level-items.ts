import { closingIndex } from '../corpus/brackets.ts'
import type { Token } from '../language/lexer.ts'
import type { Span } from '../language/span.ts'

export type TopLevelItem =
  | { readonly kind: 'fn'; readonly name: string; readonly arity: number; readonly span: Span }
  | { readonly kind: 'type'; readonly name: string; readonly variants: readonly string[]; readonly span: Span }

export type TopLevel =
  | { readonly kind: 'items'; readonly items: readonly TopLevelItem[] }
  /** A token outside all brackets that belongs to no function and no type. */
  | { readonly kind: 'stray'; readonly token: Token; readonly isBehindType: boolean }

type Read<Item> = { readonly item: Item; readonly end: number } | null

/**
 * Splits tokens whose brackets pair up into functions and types, each read to its end, so that nothing is left over: a token left over
 * is a statement to Vox, and statements replace `main`. `pub` and `async` may stand in front.
 */
export function readTopLevel(tokens: readonly Token[]): TopLevel {
  const items: TopLevelItem[] = []
  let isBehindType = false
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'newline' || token.text === ';') {
      // A type without variants goes on reading on the next line.
      const last = items.at(-1)
      if (last?.kind !== 'type' || last.variants.length > 0) isBehindType = false
      at++
      continue
    }
    const read = readFunction(tokens, at) ?? readType(tokens, at)
    if (read === null) return { kind: 'stray', token, isBehindType }
    items.push(read.item)
    isBehindType = read.item.kind === 'type'
    at = read.end
  }
  return { kind: 'items', items }
}

function readFunction(tokens: readonly Token[], start: number): Read<TopLevelItem> {
  let at = start
  while (tokens[at]?.text === 'pub' || tokens[at]?.text === 'async') at++
  const name = tokens[at + 1]
  if (tokens[at]?.text !== 'fn' || name === undefined) return null
  at += 2
  if (tokens[at]?.text === '<') at = skipGenerics(tokens, at)
  if (tokens[at]?.text !== '(') return null
  const paramsEnd = closingIndex(tokens, at)
  const arity = countItems(tokens, at, paramsEnd)
  for (at = paramsEnd + 1; tokens[at]?.text !== '{'; at++) {
    const token = tokens[at]
    if (token === undefined || token.kind === 'newline') return null
    if (token.text === '(' || token.text === '[') at = closingIndex(tokens, at)
  }
  const close = closingIndex(tokens, at)
  return { item: { kind: 'fn', name: name.text, arity, span: spanOf(tokens, start, close) }, end: close + 1 }
}

function skipGenerics(tokens: readonly Token[], open: number): number {
  const close = tokens.findIndex((token, at) => at > open && token.text === '>')
  return close < 0 ? tokens.length : close + 1
}

/** Items between the brackets at `open` and `close`, which are separated by commas. */
function countItems(tokens: readonly Token[], open: number, close: number): number {
  let count = 0
  for (let at = open + 1; at < close; at++) {
    const text = tokens[at]?.text
    if (count === 0 && tokens[at]?.kind !== 'newline') count = 1
    if (text === ',') count++
    else if (text === '(' || text === '[' || text === '{') at = closingIndex(tokens, at)
  }
  return count
}

function readType(tokens: readonly Token[], start: number): Read<TopLevelItem> {
  let at = start
  if (tokens[at]?.text === 'pub') at++
  const name = tokens[at + 1]
  if (tokens[at]?.text !== 'type' || name === undefined) return null
  at += 2
  if (tokens[at]?.text === '{') {
    const close = closingIndex(tokens, at)
    return { item: { kind: 'type', name: name.text, variants: [], span: spanOf(tokens, start, close) }, end: close + 1 }
  }
  if (tokens[at]?.text !== '=') return null
  const variants: string[] = []
  let end = at + 1
  for (at = skipNewlines(tokens, end); tokens[at]?.text === '|'; at = skipNewlines(tokens, end)) {
    const variant = tokens[at + 1]
    if (variant === undefined) return null
    variants.push(variant.text)
    end = at + 2
    if (tokens[end]?.text === '(') end = closingIndex(tokens, end) + 1
  }
  return { item: { kind: 'type', name: name.text, variants, span: spanOf(tokens, start, end - 1) }, end }
}

function skipNewlines(tokens: readonly Token[], from: number): number {
  let at = from
  while (tokens[at]?.kind === 'newline') at++
  return at
}

function spanOf(tokens: readonly Token[], first: number, last: number): Span {
  return { start: tokens[first]?.span.start ?? 0, end: tokens[last]?.span.end ?? 0 }
}
