import type { FixtureType } from './fixture.ts'

/** A Vox value of a fixture's type: an int is a bigint or a safe number, a float a number, a list an array. */
export type Value = bigint | number | boolean | string | readonly Value[] | Wrapped

/** An Option or a Result. */
export type Wrapped = { readonly kind: 'some' | 'ok' | 'error'; readonly value: Value } | { readonly kind: 'none' }

const INT_MAX = 9223372036854775807n
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The Vox literal of `value`, one expression that checks and runs as `type`.
 * Throws a TypeError when the value is not of that type and a RangeError when Vox has no literal for it: an int
 * outside ±(2^63 - 1), a float that is not finite, text with a lone surrogate.
 */
export function toLiteral(value: Value, type: FixtureType): string {
  switch (type.kind) {
    case 'int':
      return intLiteral(value)
    case 'float':
      return floatLiteral(value)
    case 'bool':
      if (typeof value === 'boolean') return String(value)
      break
    case 'str':
      if (typeof value === 'string') return textLiteral(value)
      break
    case 'list':
      if (isList(value)) return `[${value.map((item) => toLiteral(item, type.item)).join(', ')}]`
      break
    case 'option':
    case 'result': {
      const literal = isWrapped(value) ? wrappedLiteral(value, type) : null
      if (literal !== null) return literal
    }
  }
  throw mismatch(value, type.kind)
}

/** As `toLiteral`, but null where Vox has no literal for the value. */
export function literalOrNull(value: Value, type: FixtureType): string | null {
  try {
    return toLiteral(value, type)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function intLiteral(value: Value): string {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw mismatch(value, 'int')
  const int = BigInt(value as bigint | number)
  if (int > INT_MAX || int < -INT_MAX) throw new RangeError(`Vox cannot write the integer ${int} as a literal`)
  return String(int)
}

/** Always with a point and without an exponent, since Vox lexes `2` as an int and `1e5` as two tokens. */
function floatLiteral(value: Value): string {
  if (typeof value !== 'number') throw mismatch(value, 'float')
  if (!Number.isFinite(value)) throw new RangeError(`Vox cannot write the float ${value} as a literal`)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0').padEnd(Math.max(point, 0), '0')
  const at = Math.max(point, 1)
  return `${sign}${padded.slice(0, at)}.${padded.slice(at) || '0'}`
}

/** Single quotes where a `{` stands in the text: in double quotes it could begin an interpolation. */
function textLiteral(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new RangeError('Vox source is UTF-8 and cannot hold a lone surrogate')
  const quote = text.includes('{') ? "'" : '"'
  const body = text.replace(/[\\\n\r\t\0"']/g, (char) => (isQuote(char) && char !== quote ? char : ESCAPES[char]!))
  return quote + body + quote
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
  '"': '\\"',
  "'": "\\'",
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'"
}

function wrappedLiteral(
  value: Wrapped,
  type: Extract<FixtureType, { kind: 'list' | 'option' | 'result' }>,
): string | null {
  if (type.kind === 'option') {
    if (value.kind === 'none') return 'None'
    return value.kind === 'some' ? `Some(${toLiteral(value.value, type.item)})` : null
  }
  if (value.kind === 'ok') return `Ok(${toLiteral(value.value, type.item)})`
  return value.kind === 'error' ? `Error(${toLiteral(value.value, { kind: 'str' })})` : null
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

export function isWrapped(value: Value): value is Wrapped {
  return typeof value === 'object' && !isList(value)
}

function mismatch(value: Value, kind: string): TypeError {
  return new TypeError(`not a value of type ${kind}: ${typeof value}`)
}
