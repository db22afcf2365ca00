import { quoteDebug } from './debug-text.ts'
import { exceedMemory, refuse } from './ending.ts'
import { debugFloat, displayFloat } from './float-text.ts'
import type { Machine } from './machine.ts'
import { chargeText } from './machine.ts'
import type { Value } from './value.ts'
import {
  ConstructorValue,
  FloatValue,
  FnValue,
  ListValue,
  ObjectValue,
  OptionValue,
  ResultValue,
  Signal,
  TaggedValue,
  TupleValue,
} from './value.ts'

/** Values nested deeper than this are refused instead of overflowing the stack. */
export const MAX_VALUE_NESTING = 1000

/** Text of a value as `print`, `str`, `join` and `+` write it. */
export function display(machine: Machine, value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  const writer: Writer = { chunks: [], pieces: [], budget: machine.memoryBytes, nesting: 0 }
  write(writer, value)
  const text = writer.chunks.concat(writer.pieces).join('')
  chargeText(machine, text.length)
  return text
}

interface Writer {
  /** Finished stretches of text, so that no array grows with the text. */
  readonly chunks: string[]
  pieces: string[]
  /** Bytes left: lists that hold each other can spell a text far larger than themselves. */
  budget: number
  nesting: number
}

/** Pieces that are joined to a chunk at a time. */
const CHUNK_PIECES = 4096
/** What a piece costs beside its text, in Vox as here. */
const PIECE_BYTES = 16

function put(writer: Writer, text: string): void {
  writer.budget -= text.length + PIECE_BYTES
  if (writer.budget < 0) exceedMemory()
  writer.pieces.push(text)
  if (writer.pieces.length < CHUNK_PIECES) return
  writer.chunks.push(writer.pieces.join(''))
  writer.pieces = []
}

function write(writer: Writer, value: Value): void {
  if (typeof value === 'string') put(writer, value)
  else if (value === null || typeof value !== 'object') put(writer, String(value))
  else if (value instanceof FloatValue) put(writer, displayFloat(value.value))
  else {
    if (++writer.nesting > MAX_VALUE_NESTING) refuse('text of a value nested too deep')
    writeCompound(writer, value)
    writer.nesting--
  }
}

function writeCompound(writer: Writer, value: Value & object): void {
  if (value instanceof ListValue) writeAll(writer, '[', value.items, ']')
  else if (value instanceof TupleValue) writeAll(writer, '(', value.items, ')')
  else if (value instanceof ObjectValue) writeObject(writer, value)
  else if (value instanceof OptionValue && value.inner === undefined) put(writer, 'None')
  else if (value instanceof OptionValue && value.inner !== undefined) writeAll(writer, 'Some(', [value.inner], ')')
  else if (value instanceof ResultValue) writeAll(writer, value.isOk ? 'Ok(' : 'Err(', [value.inner], ')')
  else if (value instanceof TaggedValue && value.fields.length === 0) put(writer, value.name)
  else if (value instanceof TaggedValue) writeAll(writer, `${value.name}(`, value.fields, ')')
  else writeDebug(writer, value)
}

function writeObject(writer: Writer, { keys, values }: ObjectValue): void {
  put(writer, '{')
  for (const [at, key] of keys.entries()) {
    put(writer, at === 0 ? `${key}: ` : `, ${key}: `)
    write(writer, values[at] as Value)
  }
  put(writer, '}')
}

function writeAll(writer: Writer, open: string, items: readonly Value[], close: string): void {
  put(writer, open)
  for (let at = 0; at < items.length; at++) {
    if (at > 0) put(writer, ', ')
    write(writer, items[at] as Value)
  }
  put(writer, close)
}

/** Rust's debug form, which Vox falls back to for bare constructors and leaked control flow. */
function writeDebug(writer: Writer, value: Value): void {
  if (++writer.nesting > MAX_VALUE_NESTING) refuse('text of a value nested too deep')
  if (typeof value === 'string') put(writer, `Str(${quoteDebug(value)})`)
  else if (typeof value === 'number' || typeof value === 'bigint') put(writer, `Int(${value})`)
  else if (typeof value === 'boolean') put(writer, `Bool(${value})`)
  else if (value === null) put(writer, 'Null')
  else if (value instanceof FloatValue)
    put(writer, `Float(${Number.isFinite(value.value) ? debugFloat(value.value) : displayFloat(value.value)})`)
  else if (value instanceof ConstructorValue) put(writer, `Constructor(${quoteDebug(value.name)})`)
  else if (value instanceof ListValue) writeDebugAll(writer, 'List([', value.items, '])')
  else if (value instanceof TupleValue) writeDebugAll(writer, 'Tuple([', value.items, '])')
  else if (value instanceof TaggedValue)
    writeDebugAll(writer, `Tagged { name: ${quoteDebug(value.name)}, fields: [`, value.fields, '] }')
  else if (value instanceof ObjectValue) writeDebugObject(writer, value)
  else if (value instanceof OptionValue) {
    if (value.inner === undefined) put(writer, 'Option(None)')
    else writeDebugAll(writer, 'Option(Some(', [value.inner], '))')
  } else if (value instanceof ResultValue)
    writeDebugAll(writer, value.isOk ? 'Result(Ok(' : 'Result(Err(', [value.inner], '))')
  else if (value instanceof Signal) {
    if (value.kind === 'return') writeDebugAll(writer, '_Return(', [value.inner], ')')
    else put(writer, value.kind === 'break' ? '_Break' : '_Continue')
  } else if (value instanceof FnValue) refuse('text of a function value')
  writer.nesting--
}

function writeDebugAll(writer: Writer, open: string, items: readonly Value[], close: string): void {
  put(writer, open)
  for (let at = 0; at < items.length; at++) {
    if (at > 0) put(writer, ', ')
    writeDebug(writer, items[at] as Value)
  }
  put(writer, close)
}

function writeDebugObject(writer: Writer, value: ObjectValue): void {
  put(writer, 'Object([')
  for (const [at, key] of value.keys.entries()) {
    put(writer, `${at === 0 ? '' : ', '}(${quoteDebug(key)}, `)
    writeDebug(writer, value.values[at] as Value)
    put(writer, ')')
  }
  put(writer, '])')
}
