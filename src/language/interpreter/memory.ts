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

export interface Measurement {
  readonly bytes: number
  /** How many values were looked at, which is what measuring costs. */
  readonly visits: number
}

/**
 * What is reachable from the first `depth + 1` frames; stops early once past `enoughBytes`. A string has no identity to know it by
 * again, and comparing long ones would cost more than they do, so each counts wherever it is held: at most too much, never too little.
 */
export function measureFrames(frames: readonly Frame[], depth: number, enoughBytes: number): Measurement {
  const pending: (Value | undefined)[] = []
  const seen = new Set<Value>()
  let bytes = 0
  let visits = 0
  for (let at = 0; at <= depth; at++) bytes += addAll(frames[at] ?? [], pending) * SLOT_BYTES
  while (pending.length > 0 && bytes <= enoughBytes) {
    const value = pending.pop()
    visits++
    if (typeof value === 'string') bytes += value.length
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    bytes += BOX_BYTES + addParts(value, pending)
  }
  return { bytes, visits }
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
