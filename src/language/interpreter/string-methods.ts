import { toInt } from './arithmetic.ts'
import { exceedMemory, panic } from './ending.ts'
import { isInt } from './equality.ts'
import type { Machine } from './machine.ts'
import { charge, chargeText } from './machine.ts'
import { ITEM_BYTES } from './memory.ts'
import {
  characterAt,
  characterCount,
  characterIndex,
  parseFloat64,
  parseInt64,
  sliceCharacters,
  splitCharacters,
  trim,
  trimEnd,
  trimStart,
  utf8Length,
} from './text.ts'
import type { Value } from './value.ts'
import { FloatValue, ListValue, NONE, optional, some } from './value.ts'

type StringMethod = (machine: Machine, text: string, args: readonly Value[]) => Value

/** Methods of str; an argument of a wrong kind is no error but has a meaning of its own. */
export const STRING_METHODS: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['len', (_machine, text) => utf8Length(text)],
  ['chars_count', (_machine, text) => characterCount(text)],
  ['is_empty', (_machine, text) => text === ''],
  ['to_upper', mapText((text) => text.toUpperCase())],
  ['to_uppercase', mapText((text) => text.toUpperCase())],
  ['to_lower', mapText((text) => text.toLowerCase())],
  ['to_lowercase', mapText((text) => text.toLowerCase())],
  ['trim', mapText(trim)],
  ['trim_start', mapText(trimStart)],
  ['trim_end', mapText(trimEnd)],
  ['contains', (_machine, text, [part]) => typeof part === 'string' && text.includes(part)],
  ['starts_with', (_machine, text, [part]) => typeof part === 'string' && text.startsWith(part)],
  ['ends_with', (_machine, text, [part]) => typeof part === 'string' && text.endsWith(part)],
  ['split', split],
  ['replace', replace],
  ['repeat', repeat],
  ['count', (_machine, text, [part]) => (typeof part === 'string' ? count(text, part) : 0)],
  ['is_alpha', matchText(/^\p{Alphabetic}+$/u)],
  ['is_digit', matchText(/^[0-9]+$/)],
  ['is_alnum', matchText(/^[\p{Alphabetic}\p{N}]+$/u)],
  ['is_upper', (_machine, text) => hasCase(text, /\p{Uppercase}/u)],
  ['is_lower', (_machine, text) => hasCase(text, /\p{Lowercase}/u)],
  ['ord', (_machine, text) => text.codePointAt(0) ?? 0],
  ['chars', listCharacters],
  ['to_str', (_machine, text) => text],
  ['to_string', (_machine, text) => text],
  ['slice', slice],
  ['char_at', (_machine, text, [index]) => (typeof index === 'number' ? optional(characterAt(text, index)) : NONE)],
  ['index_of', indexOf],
  [
    'to_int',
    (_machine, text) => {
      const value = parseInt64(text)
      return value === null ? NONE : some(toInt(value))
    },
  ],
  [
    'to_float',
    (_machine, text) => {
      const value = parseFloat64(text)
      return value === null ? NONE : some(new FloatValue(value))
    },
  ],
])

function mapText(operation: (text: string) => string): StringMethod {
  return (machine, text) => {
    chargeText(machine, text.length)
    return operation(text)
  }
}

function matchText(pattern: RegExp): StringMethod {
  return (_machine, text) => pattern.test(text)
}

/** At least one letter, and every letter of the wanted case. */
function hasCase(text: string, wanted: RegExp): boolean {
  let hasLetter = false
  for (const character of text) {
    if (!/\p{Alphabetic}/u.test(character)) continue
    if (!wanted.test(character)) return false
    hasLetter = true
  }
  return hasLetter
}

function listCharacters(machine: Machine, text: string): Value {
  charge(machine, text.length * ITEM_BYTES)
  return new ListValue(splitCharacters(text))
}

/** Empty parts are kept; an empty separator parts at every character and at both ends. */
function split(machine: Machine, text: string, [given]: readonly Value[]): Value {
  const separator = typeof given === 'string' ? given : ' '
  charge(machine, text.length + (count(text, separator) + 1) * ITEM_BYTES)
  return new ListValue(splitText(text, separator))
}

function splitText(text: string, separator: string): string[] {
  if (separator !== '') return text.split(separator)
  const parts = splitCharacters(text)
  parts.unshift('')
  parts.push('')
  return parts
}

function replace(machine: Machine, text: string, [from, to]: readonly Value[]): Value {
  if (typeof from !== 'string') return text
  const replacement = typeof to === 'string' ? to : ''
  const places = count(text, from)
  chargeText(machine, text.length + places * replacement.length)
  charge(machine, places * ITEM_BYTES)
  // Faster on many places than `replaceAll`, and without its patterns in the replacement.
  return places === 0 ? text : splitText(text, from).join(replacement)
}

/** Non-overlapping occurrences; the empty text is at every character's start and at the end. */
function count(text: string, part: string): number {
  if (part === '') return characterCount(text) + 1
  let found = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++
  return found
}

/** A negative count is a huge one to Vox, and a size past 63 bits makes it panic. */
function repeat(machine: Machine, text: string, [given]: readonly Value[]): Value {
  if (given === undefined || !isInt(given)) return text
  const times = BigInt.asUintN(64, BigInt(given))
  if (text === '' || times === 0n) return ''
  if (times * BigInt(utf8Length(text)) > 9223372036854775807n) return panic('capacity overflow')
  const length = Number(times) * text.length
  chargeText(machine, length)
  if (!Number.isSafeInteger(length)) return exceedMemory()
  return text.repeat(Number(times))
}

/** Positions are clamped to the text; a missing end is the text's. */
function slice(machine: Machine, text: string, [from, to]: readonly Value[]): Value {
  const length = characterCount(text)
  const end = clamp(to, length, length)
  const start = Math.min(clamp(from, 0, length), end)
  const part = sliceCharacters(text, start, end)
  charge(machine, part.length)
  return part
}

function clamp(position: Value | undefined, missing: number, length: number): number {
  if (position === undefined || !isInt(position)) return missing
  return position < 0 ? 0 : position > length ? length : Number(position)
}

function indexOf(_machine: Machine, text: string, [part]: readonly Value[]): Value {
  const offset = typeof part === 'string' ? text.indexOf(part) : -1
  return offset < 0 ? NONE : some(characterIndex(text, offset))
}
