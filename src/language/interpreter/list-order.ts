import type { Int } from './arithmetic.ts'
import { wrapInt } from './arithmetic.ts'
import { refuse } from './ending.ts'
import { compare, isInt } from './equality.ts'
import type { Machine } from './machine.ts'
import { charge } from './machine.ts'
import { ITEM_BYTES } from './memory.ts'
import type { Value } from './value.ts'
import { FloatValue, ListValue } from './value.ts'

/** Up to this length Rust's stable sort inserts one by one, which fixes the result whatever the order is. */
const MAX_INSERTION = 20

export function sortItems(machine: Machine, items: readonly Value[]): ListValue {
  charge(machine, items.length * ITEM_BYTES)
  return new ListValue(sortBy(items, (item) => item))
}

/**
 * Sorted by key, stably. Keys of one comparable kind have one right order. Keys that compare as equal
 * across kinds have none; there the outcome follows Rust's insertion for short lists, and longer ones
 * are refused unless nothing in them compares.
 */
export function sortBy<Item>(items: readonly Item[], keyOf: (item: Item) => Value): Item[] {
  const keys = items.map(keyOf)
  if (isTotal(keys)) {
    const keyed = items.map((item, at) => ({ item, key: keys[at] as Value }))
    return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item)
  }
  if (items.length > MAX_INSERTION) {
    if (keys.some(isComparable)) refuse('sorting a long list of mixed kinds')
    return items.slice()
  }
  return insertOneByOne(items, keyOf)
}

function isComparable(key: Value): boolean {
  return isInt(key) || typeof key === 'string' || key instanceof FloatValue
}

function isTotal(keys: readonly Value[]): boolean {
  return (
    keys.every(isInt) ||
    keys.every((key) => typeof key === 'string') ||
    keys.every((key) => key instanceof FloatValue && !Number.isNaN(key.value))
  )
}

function insertOneByOne<Item>(items: readonly Item[], keyOf: (item: Item) => Value): Item[] {
  const sorted = items.slice()
  for (let end = 1; end < sorted.length; end++) {
    const item = sorted[end] as Item
    let at = end
    while (at > 0 && compare(keyOf(item), keyOf(sorted[at - 1] as Item)) < 0) {
      sorted[at] = sorted[at - 1] as Item
      at--
    }
    sorted[at] = item
  }
  return sorted
}

/** The last of the largest items, as Rust's `max_by` picks. */
export function largest(items: readonly Value[]): Value | undefined {
  let [best] = items
  for (const item of items) if (best !== undefined && compare(best, item) <= 0) best = item
  return best
}

/** The first of the smallest items, as Rust's `min_by` picks. */
export function smallest(items: readonly Value[]): Value | undefined {
  let [best] = items
  for (const item of items) if (best !== undefined && compare(best, item) > 0) best = item
  return best
}

/** Sum of the numbers among the items, a float as soon as one is; ints wrap around at 64 bits. */
export function sumItems(items: readonly Value[]): Value {
  let ints: Int = 0
  let floats = 0
  let isFloat = false
  for (const item of items) {
    if (isInt(item)) {
      const sum: Int =
        typeof ints === 'number' && typeof item === 'number' ? ints + item : wrapInt(BigInt(ints) + BigInt(item))
      ints = typeof sum === 'number' && !Number.isSafeInteger(sum) ? wrapInt(BigInt(ints) + BigInt(item)) : sum
      floats += Number(item)
    } else if (item instanceof FloatValue) {
      isFloat = true
      floats += item.value
    }
  }
  return isFloat ? new FloatValue(floats) : ints
}
