import { toInt } from './arithmetic.ts'
import { MAX_VALUE_NESTING } from './display.ts'
import { exceedMemory, refuse } from './ending.ts'
import { debugFloat } from './float-text.ts'
import type { Machine } from './machine.ts'
import { charge, chargeText } from './machine.ts'
import { BOX_BYTES, ENTRY_BYTES, ITEM_BYTES } from './memory.ts'
import type { Value } from './value.ts'
import { FloatValue, ListValue, NAMESPACE_MARKER, ObjectValue, ResultValue, TupleValue } from './value.ts'

/**
 * A value as JSON text. Whether Vox keeps the order of an object's keys or sorts them is not known, so
 * an object whose keys are in no order is refused.
 */
export function encodeJson(machine: Machine, value: Value): string {
  const pieces: string[] = []
  let budget = machine.memoryBytes
  const put = (text: string): void => {
    budget -= text.length + ITEM_BYTES
    if (budget < 0) exceedMemory()
    pieces.push(text)
  }
  const writeAll = (items: readonly Value[], nesting: number): void => {
    put('[')
    for (const [at, item] of items.entries()) {
      if (at > 0) put(',')
      write(item, nesting)
    }
    put(']')
  }
  const write = (item: Value, nesting: number): void => {
    if (nesting > MAX_VALUE_NESTING) refuse('JSON of a value nested too deep')
    if (typeof item === 'string') put(quoteJson(item))
    else if (typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean') put(String(item))
    else if (item instanceof FloatValue) put(Number.isFinite(item.value) ? debugFloat(item.value) : 'null')
    else if (item instanceof ListValue || item instanceof TupleValue) writeAll(item.items, nesting + 1)
    else if (item instanceof ObjectValue) writeObject(item, nesting + 1)
    else put('null')
  }
  const writeObject = (object: ObjectValue, nesting: number): void => {
    const entries = object.keys
      .map((key, at) => ({ key, value: object.values[at] as Value }))
      .filter(({ key }) => key !== NAMESPACE_MARKER)
    requireOrder(entries.map(({ key }) => key))
    put('{')
    for (const [at, entry] of entries.entries()) {
      put(`${at === 0 ? '' : ','}${quoteJson(entry.key)}:`)
      write(entry.value, nesting)
    }
    put('}')
  }
  write(value, 0)
  const text = pieces.join('')
  chargeText(machine, text.length)
  return text
}

function requireOrder(keys: readonly string[]): void {
  for (let at = 1; at < keys.length; at++)
    if ((keys[at - 1] as string) >= (keys[at] as string)) refuse('JSON of an object whose keys are not in order')
}

export function quoteJson(text: string): string {
  return JSON.stringify(text)
}

/** Reads JSON text to `Ok` of a value; text that is none is refused, since the words of the error are not known. */
export function parseJson(machine: Machine, text: string): Value {
  const reader = { text, at: 0, machine }
  const value = readValue(reader, 0)
  skipBlanks(reader)
  if (reader.at < text.length) refuse('`json.parse` of malformed text')
  return new ResultValue(true, value)
}

interface Reader {
  readonly text: string
  readonly machine: Machine
  at: number
}

function skipBlanks(reader: Reader): void {
  while (' \t\n\r'.includes(reader.text.charAt(reader.at)) && reader.at < reader.text.length) reader.at++
}

function eat(reader: Reader, text: string): boolean {
  skipBlanks(reader)
  if (!reader.text.startsWith(text, reader.at)) return false
  reader.at += text.length
  return true
}

function expect(reader: Reader, text: string): void {
  if (!eat(reader, text)) refuse('`json.parse` of malformed text')
}

function readValue(reader: Reader, nesting: number): Value {
  if (nesting > 120) refuse('`json.parse` of deeply nested text')
  charge(reader.machine, BOX_BYTES)
  if (eat(reader, '{')) return readObject(reader, nesting + 1)
  if (eat(reader, '[')) return readList(reader, nesting + 1)
  if (eat(reader, 'null')) return null
  if (eat(reader, 'true')) return true
  if (eat(reader, 'false')) return false
  skipBlanks(reader)
  return reader.text.charAt(reader.at) === '"' ? readString(reader) : readNumber(reader)
}

function readList(reader: Reader, nesting: number): ListValue {
  const items: Value[] = []
  if (eat(reader, ']')) return new ListValue(items)
  do items.push(readValue(reader, nesting))
  while (eat(reader, ','))
  expect(reader, ']')
  return new ListValue(items)
}

function readObject(reader: Reader, nesting: number): ObjectValue {
  const keys: string[] = []
  const values: Value[] = []
  if (eat(reader, '}')) return new ObjectValue(keys, values)
  do {
    skipBlanks(reader)
    keys.push(readString(reader))
    expect(reader, ':')
    charge(reader.machine, ENTRY_BYTES)
    values.push(readValue(reader, nesting))
  } while (eat(reader, ','))
  expect(reader, '}')
  requireOrder(keys)
  return new ObjectValue(keys, values)
}

function readString(reader: Reader): string {
  const literal = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
  literal.lastIndex = reader.at
  const match = literal.exec(reader.text)
  if (match === null) return refuse('`json.parse` of malformed text')
  reader.at = literal.lastIndex
  const text: unknown = JSON.parse(match[0])
  return typeof text === 'string' && !/[\uD800-\uDFFF]/.test(text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, ''))
    ? text
    : refuse('`json.parse` of a lone surrogate')
}

function readNumber(reader: Reader): Value {
  const literal = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y
  literal.lastIndex = reader.at
  const match = literal.exec(reader.text)
  if (match === null) return refuse('`json.parse` of malformed text')
  reader.at = literal.lastIndex
  if (match[1] === undefined && match[2] === undefined) {
    const value = BigInt(match[0])
    // Serde reads a minus zero as a float.
    if (BigInt.asIntN(64, value) === value && match[0] !== '-0') return toInt(value)
  }
  const value = Number(match[0])
  return Number.isFinite(value) ? new FloatValue(value) : refuse('`json.parse` of a number out of range')
}
