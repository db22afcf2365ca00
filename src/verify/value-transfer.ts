import type { FixtureType } from '../corpus/fixture.ts'
import type { Value } from '../corpus/literal.ts'
import { typeText } from '../corpus/signature.ts'

/** Vox functions that turn a value of one type into one line of text which `readTransferred` reads back. */
export interface ValueWriter {
  readonly source: string
  /** The expression that writes the value of `expression`. */
  write(expression: string): string
}

/**
 * The display form of Vox is ambiguous (`[a, b]` may hold one string or two), so values cross the process boundary in a form of their
 * own: numbers and bools as displayed, a str as `s` and its code points, `[x,y]`, `N`, `S(x)`, `O(x)`, `E(x)`. `nonce` keeps the
 * functions apart from the program's.
 */
export function createValueWriter(type: FixtureType, nonce: string): ValueWriter {
  const functions: string[] = []
  const name = writeFunctions(type, `w${nonce.replaceAll('-', '_')}`, functions)
  return { source: functions.join('\n'), write: (expression) => `${name}(${expression})` }
}

/** Adds the functions for `type` and those it needs; returns the name of its own. */
function writeFunctions(type: FixtureType, prefix: string, functions: string[]): string {
  const name = `${prefix}_${functions.length}`
  const place = functions.push('') - 1
  const isWrapper = type.kind === 'list' || type.kind === 'option' || type.kind === 'result'
  const inner = isWrapper ? writeFunctions(type.item, prefix, functions) : ''
  const textWriter = type.kind === 'result' ? writeFunctions({ kind: 'str' }, prefix, functions) : ''
  functions[place] = `fn ${name}(v: ${typeText(type)}) to str {\n${bodyLines(type, inner, textWriter).join('\n')}\n}`
  return name
}

function bodyLines(type: FixtureType, inner: string, textWriter: string): string[] {
  switch (type.kind) {
    case 'int':
    case 'float':
    case 'bool':
      return ['    return str(v)']
    case 'str':
      return [
        '    let mut parts: list[str] = []',
        '    for c in v.chars() {',
        '        parts.push(str(c.ord()))',
        '    }',
        '    return "s" + parts.join(".")',
      ]
    case 'list':
      return [
        '    let mut parts: list[str] = []',
        '    for item in v {',
        `        parts.push(${inner}(item))`,
        '    }',
        '    return "[" + parts.join(",") + "]"',
      ]
    case 'option':
      return [
        '    match v {',
        `        Some(item) => return "S(" + ${inner}(item) + ")"`,
        '        None => return "N"',
        '    }',
        '    return "?"',
      ]
    case 'result':
      return [
        '    match v {',
        `        Ok(item) => return "O(" + ${inner}(item) + ")"`,
        `        Error(text) => return "E(" + ${textWriter}(text) + ")"`,
        '    }',
        '    return "?"',
      ]
  }
}

/** The value of a line a `ValueWriter` of that type wrote; null when the line is none. */
export function readTransferred(line: string, type: FixtureType): Value | null {
  const reader = { line, at: 0 }
  const value = readValue(reader, type)
  return reader.at === line.length ? value : null
}

interface Reader {
  readonly line: string
  at: number
}

function readValue(reader: Reader, type: FixtureType): Value | null {
  switch (type.kind) {
    case 'int': {
      const digits = take(reader, /-?\d+/y)
      return digits === null ? null : BigInt(digits)
    }
    case 'float': {
      const digits = take(reader, /NaN|-?(?:inf|\d+(?:\.\d+)?)/y)
      return digits === null ? null : Number(digits.replace('inf', 'Infinity'))
    }
    case 'bool': {
      const word = take(reader, /true|false/y)
      return word === null ? null : word === 'true'
    }
    case 'str': {
      const codes = take(reader, /s(?:\d+(?:\.\d+)*)?/y)
      return codes === null ? null : textOf(codes.slice(1))
    }
    case 'list':
      return readItems(reader, type.item)
    case 'option':
      if (take(reader, /N/y) !== null) return { kind: 'none' }
      return readWrapped(reader, 'S', 'some', type.item)
    case 'result':
      return readWrapped(reader, 'O', 'ok', type.item) ?? readWrapped(reader, 'E', 'error', { kind: 'str' })
  }
}

function textOf(codes: string): string | null {
  if (codes === '') return ''
  const points = codes.split('.').map(Number)
  return points.every((point) => point <= 0x10ffff) ? points.map((point) => String.fromCodePoint(point)).join('') : null
}

function readItems(reader: Reader, type: FixtureType): Value | null {
  if (take(reader, /\[/y) === null) return null
  const items: Value[] = []
  if (take(reader, /\]/y) !== null) return items
  for (;;) {
    const item = readValue(reader, type)
    if (item === null) return null
    items.push(item)
    if (take(reader, /\]/y) !== null) return items
    if (take(reader, /,/y) === null) return null
  }
}

function readWrapped(
  reader: Reader,
  mark: 'S' | 'O' | 'E',
  kind: 'some' | 'ok' | 'error',
  type: FixtureType,
): Value | null {
  if (!reader.line.startsWith(`${mark}(`, reader.at)) return null
  reader.at += 2
  const value = readValue(reader, type)
  return value === null || take(reader, /\)/y) === null ? null : { kind, value }
}

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at
  const match = pattern.exec(reader.line)
  if (match === null) return null
  reader.at += match[0].length
  return match[0]
}
