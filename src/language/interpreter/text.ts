/**
 * Strings by code point. JS strings are UTF-16: as long as a text has no surrogates its units are its
 * characters, and the slow paths below are not taken.
 */
interface Shape {
  readonly text: string
  readonly hasSurrogates: boolean
  /** UTF-8 length; -1 until asked for. */
  utf8Bytes: number
  /** Characters of a text with surrogates; null until asked for. */
  characters: readonly string[] | null
}

const SURROGATE = /[\uD800-\uDFFF]/
const NON_ASCII = /[^\0-\x7F]/

/** Shapes of the texts last looked at: programs walk one or two long texts by index, asking anew every time. */
const recent: Shape[] = []
const KEPT_SHAPES = 4

function shapeOf(text: string): Shape {
  for (const shape of recent) if (shape.text === text) return shape
  const shape: Shape = { text, hasSurrogates: SURROGATE.test(text), utf8Bytes: -1, characters: null }
  recent.unshift(shape)
  recent.length = Math.min(recent.length, KEPT_SHAPES)
  return shape
}

/** Lets go of the texts of a run. */
export function forgetTexts(): void {
  recent.length = 0
}

/** Texts this short are looked at anew rather than remembered. */
const SHORT = 16

function hasSurrogates(text: string): boolean {
  return text.length <= SHORT ? SURROGATE.test(text) : shapeOf(text).hasSurrogates
}

/** The characters of a text that has surrogates. */
function charactersOf(text: string): readonly string[] {
  if (text.length <= SHORT) return [...text]
  const shape = shapeOf(text)
  shape.characters ??= [...text]
  return shape.characters
}

/** Number of UTF-8 bytes; a lone surrogate counts as the replacement character. */
export function utf8Length(text: string): number {
  if (text.length <= SHORT) return countBytes(text)
  const shape = shapeOf(text)
  if (shape.utf8Bytes < 0) shape.utf8Bytes = countBytes(text)
  return shape.utf8Bytes
}

function countBytes(text: string): number {
  if (!NON_ASCII.test(text)) return text.length
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code < 0xd800 || code > 0xdbff || !isLowSurrogate(text.charCodeAt(at + 1))) bytes += 3
    else {
      bytes += 4
      at++
    }
  }
  return bytes
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

export function characterCount(text: string): number {
  return hasSurrogates(text) ? charactersOf(text).length : text.length
}

/** Character `index` of the text, undefined outside. */
export function characterAt(text: string, index: number): string | undefined {
  if (hasSurrogates(text)) return charactersOf(text)[index]
  return index >= 0 && index < text.length ? text.charAt(index) : undefined
}

export function splitCharacters(text: string): string[] {
  return hasSurrogates(text) ? [...charactersOf(text)] : text.split('')
}

/** Characters from `start` up to `end`; both within the text, in order. */
export function sliceCharacters(text: string, start: number, end: number): string {
  return hasSurrogates(text) ? charactersOf(text).slice(start, end).join('') : text.slice(start, end)
}

/** Character index of UTF-16 offset `offset`. */
export function characterIndex(text: string, offset: number): number {
  return hasSurrogates(text) ? characterCount(text.slice(0, offset)) : offset
}

/** Order by code point, as of UTF-8 bytes: UTF-16 order differs only where a surrogate meets a higher unit. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left === right) continue
    return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Lifts surrogates over the rest of the basic plane. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** Unicode White_Space, which unlike JS has U+0085 and lacks U+FEFF. */
const LEADING_SPACE = /^\p{White_Space}+/u
const SPACE = /\p{White_Space}/u

export function trimStart(text: string): string {
  return text.replace(LEADING_SPACE, '')
}

export function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && SPACE.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

export function trim(text: string): string {
  return trimEnd(trimStart(text))
}

/** Rust's reading of an i64, blanks around it allowed; null when it is none or out of range. */
export function parseInt64(text: string): bigint | null {
  const body = trim(text)
  if (!/^[+-]?[0-9]+$/.test(body)) return null
  const digits = body.replace(/^[+-]?0*/, '')
  if (digits.length > 19) return null
  const value = BigInt(`0${digits}`) * (body.startsWith('-') ? -1n : 1n)
  return BigInt.asIntN(64, value) === value ? value : null
}

/** Rust's reading of an f64, blanks around it allowed; null when it is none. */
export function parseFloat64(text: string): number | null {
  const body = trim(text)
  if (/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(body)) return Number(body)
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(body)
  if (special === null) return null
  if (special[2]?.toLowerCase() === 'nan') return Number.NaN
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}
