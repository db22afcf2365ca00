import type { Frame, Value } from './value.ts'
import {
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

/** Sizes in bytes, near what the values cost in Vox; only their order of magnitude matters. */
export const ITEM_BYTES = 16
export const ENTRY_BYTES = 48
export const BOX_BYTES = 48
export const SLOT_BYTES = 8

/**
 * Strings under this length are counted wherever they are held. Whether two longer ones are one string
 * cannot be told without reading them, so of one length only so many are counted.
 */
const LONG_TEXT = 256
const MAX_OF_ONE_LENGTH = 64

/** Bytes reachable from the first `depth + 1` frames; stops early once past `enoughBytes`. */
export function measureFrames(frames: readonly Frame[], depth: number, enoughBytes: number): number {
  const pending: (Value | undefined)[] = []
  const seen = new Set<Value>()
  const longTexts = new Map<number, number>()
  let bytes = 0
  for (let at = 0; at <= depth; at++) bytes += addAll(frames[at] ?? [], pending) * SLOT_BYTES
  while (pending.length > 0 && bytes <= enoughBytes) {
    const value = pending.pop()
    if (typeof value === 'string') {
      const known = value.length < LONG_TEXT ? 0 : (longTexts.get(value.length) ?? 0)
      if (value.length >= LONG_TEXT) longTexts.set(value.length, known + 1)
      if (known < MAX_OF_ONE_LENGTH) bytes += value.length
    }
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    bytes += BOX_BYTES + addParts(value, pending)
  }
  return bytes
}

/** Puts what `value` holds on the list; gives the bytes of the holding itself. */
function addParts(
  value: Exclude<Value, number | bigint | string | boolean | null>,
  pending: (Value | undefined)[],
): number {
  if (value instanceof ListValue || value instanceof TupleValue) return addAll(value.items, pending) * ITEM_BYTES
  if (value instanceof TaggedValue) return addAll(value.fields, pending) * ITEM_BYTES
  if (value instanceof FnValue) return addAll(value.captured, pending) * ITEM_BYTES
  if (value instanceof ObjectValue) {
    let bytes = addAll(value.values, pending) * ENTRY_BYTES
    for (const key of value.keys) bytes += key.length
    return bytes
  }
  if (value instanceof OptionValue || value instanceof ResultValue || value instanceof Signal) pending.push(value.inner)
  return value instanceof FloatValue ? 0 : ITEM_BYTES
}

function addAll(items: readonly (Value | undefined)[], pending: (Value | undefined)[]): number {
  for (const item of items) if (typeof item === 'object' || typeof item === 'string') pending.push(item)
  return items.length
}
