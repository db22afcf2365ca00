import type { Token } from '../language/lexer.ts'
import { lex } from '../language/lexer.ts'
import type { FixtureType } from './fixture.ts'
import type { Value } from './literal.ts'

/**
 * The value of `text` if that is one literal of `type`, else null. A whole float may be written without a point, as
 * Vox compares it equal; `Err` is read like `Error`. Ints come back as bigints.
 */
export function fromLiteral(text: string, type: FixtureType): Value | null {
  const tokens = lex(text).filter((token) => token.kind !== 'newline')
  const read = readValue(tokens, 0, type)
  return read !== null && read.end === tokens.length ? read.value : null
}

interface Read {
  readonly value: Value
  /** Index behind the last token read. */
  readonly end: number
}

function readValue(tokens: readonly Token[], at: number, type: FixtureType): Read | null {
  const token = tokens[at]
  if (token === undefined) return null
  switch (type.kind) {
    case 'int':
    case 'float':
      return readNumber(tokens, at, type.kind)
    case 'bool':
      return token.text === 'true' || token.text === 'false' ? { value: token.text === 'true', end: at + 1 } : null
    case 'str':
      return token.kind === 'string' || token.kind === 'single' || token.kind === 'raw'
        ? { value: token.value, end: at + 1 }
        : null
    case 'list':
      return token.text === '[' ? readItems(tokens, at + 1, type.item) : null
    case 'option':
      if (token.text === 'None') return { value: { kind: 'none' }, end: at + 1 }
      return token.text === 'Some' ? readWrapped(tokens, at + 1, 'some', type.item) : null
    case 'result':
      if (token.text === 'Ok') return readWrapped(tokens, at + 1, 'ok', type.item)
      return token.text === 'Error' || token.text === 'Err'
        ? readWrapped(tokens, at + 1, 'error', { kind: 'str' })
        : null
  }
}

function readNumber(tokens: readonly Token[], at: number, kind: 'int' | 'float'): Read | null {
  const isNegative = tokens[at]?.text === '-'
  const token = tokens[isNegative ? at + 1 : at]
  const end = isNegative ? at + 2 : at + 1
  if (token?.kind === 'int' && kind === 'int') return { value: isNegative ? -token.value : token.value, end }
  if (token?.kind !== 'float' && token?.kind !== 'int') return null
  if (kind === 'int') return null
  return { value: isNegative ? -Number(token.value) : Number(token.value), end }
}

function readItems(tokens: readonly Token[], start: number, type: FixtureType): Read | null {
  const items: Value[] = []
  for (let at = start; ; ) {
    if (tokens[at]?.text === ']') return { value: items, end: at + 1 }
    const item = readValue(tokens, at, type)
    if (item === null) return null
    items.push(item.value)
    at = item.end
    if (tokens[at]?.text === ',') at++
    else if (tokens[at]?.text !== ']') return null
  }
}

function readWrapped(
  tokens: readonly Token[],
  at: number,
  kind: 'some' | 'ok' | 'error',
  type: FixtureType,
): Read | null {
  if (tokens[at]?.text !== '(') return null
  const inner = readValue(tokens, at + 1, type)
  return inner !== null && tokens[inner.end]?.text === ')'
    ? { value: { kind, value: inner.value }, end: inner.end + 1 }
    : null
}
