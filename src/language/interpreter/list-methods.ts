import { display } from './display.ts'
import { refuse } from './ending.ts'
import { isEqual, isInt } from './equality.ts'
import { encodeJson } from './json.ts'
import { largest, smallest, sortItems, sumItems } from './list-order.ts'
import type { Machine } from './machine.ts'
import { charge, chargeText } from './machine.ts'
import { BOX_BYTES, ITEM_BYTES } from './memory.ts'
import type { Value } from './value.ts'
import { ListValue, NONE, optional, share, some } from './value.ts'

/** Undefined: there is no such method for these arguments. */
type ListMethod = (machine: Machine, list: ListValue, args: readonly Value[]) => Value | undefined

/** Methods of list without a function argument; all give new lists, `pop` and `push` too. */
export const LIST_METHODS: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['len', (_machine, { items }) => items.length],
  ['is_empty', (_machine, { items }) => items.length === 0],
  ['push', (machine, { items }, [value]) => changed(machine, items, (copy) => value !== undefined && copy.push(value))],
  ['pop', (_machine, { items }) => share(items.at(-1) ?? null)],
  ['get', (_machine, { items }, [index]) => (index === undefined ? undefined : itemAt(items, index))],
  ['at', (_machine, { items }, [index]) => itemAt(items, index)],
  ['first', (_machine, { items }) => optional(items[0])],
  ['last', (_machine, { items }) => optional(items.at(-1))],
  ['contains', (_machine, { items }, [wanted = null]) => items.some((item) => isEqual(item, wanted))],
  ['index', (_machine, { items }, [wanted = null]) => items.findIndex((item) => isEqual(item, wanted))],
  ['find_index', (_machine, { items }, [wanted = null]) => items.findIndex((item) => isEqual(item, wanted))],
  ['count', (_machine, { items }, [wanted = null]) => items.filter((item) => isEqual(item, wanted)).length],
  ['extend', extend],
  [
    'remove',
    (machine, { items }, [wanted = null]) =>
      without(
        machine,
        items,
        items.findIndex((item) => isEqual(item, wanted)),
      ),
  ],
  ['remove_at', (machine, { items }, [index]) => without(machine, items, typeof index === 'number' ? index : -1)],
  ['zip', zip],
  ['enumerate', (machine, { items }) => pairs(machine, items.length, (at) => [at, items[at] as Value])],
  ['slice_list', sliceList],
  ['join', join],
  ['reverse', (machine, { items }) => changed(machine, items, (copy) => copy.reverse())],
  ['reversed', (machine, { items }) => changed(machine, items, (copy) => copy.reverse())],
  ['sorted', (machine, { items }) => sortItems(machine, items)],
  ['sum', (_machine, { items }) => sumItems(items)],
  ['max', (_machine, { items }, args) => (args.length === 0 ? optional(largest(items)) : undefined)],
  ['min', (_machine, { items }, args) => (args.length === 0 ? optional(smallest(items)) : undefined)],
  ['flatten', flatten],
  // Accessors of JSON arrays, which every list answers.
  ['length', (_machine, { items }) => some(items.length)],
  ['pointer', () => refuse('`pointer` of a JSON value')],
  ['as_array', (_machine, list) => some(share(list))],
  ['as_object', () => NONE],
  ['is_null', () => false],
  ['has', () => false],
  ['keys', () => NONE],
  ['to_string', (machine, list) => encodeJson(machine, list)],
])

/** A copy of `items` after `change`. */
function changed(machine: Machine, items: readonly Value[], change: (copy: Value[]) => unknown): ListValue {
  charge(machine, BOX_BYTES + items.length * ITEM_BYTES)
  const copy = items.slice()
  change(copy)
  return new ListValue(copy)
}

function itemAt(items: readonly Value[], index: Value | undefined): Value {
  return typeof index === 'number' && index >= 0 ? optional(items[index]) : NONE
}

function without(machine: Machine, items: readonly Value[], index: number): ListValue {
  return changed(machine, items, (copy) => index >= 0 && index < copy.length && copy.splice(index, 1))
}

function extend(machine: Machine, { items }: ListValue, [other]: readonly Value[]): ListValue {
  const added = other instanceof ListValue ? other.items : []
  charge(machine, BOX_BYTES + (items.length + added.length) * ITEM_BYTES)
  return new ListValue(items.concat(added))
}

/** Pairs as two-element lists, up to the shorter of the two lists. */
function zip(machine: Machine, { items }: ListValue, [other]: readonly Value[]): ListValue {
  if (!(other instanceof ListValue)) return new ListValue([])
  return pairs(machine, Math.min(items.length, other.items.length), (at) => [
    items[at] as Value,
    other.items[at] as Value,
  ])
}

function pairs(machine: Machine, length: number, pairAt: (at: number) => Value[]): ListValue {
  charge(machine, length * (BOX_BYTES + ITEM_BYTES * 3))
  return new ListValue(Array.from({ length }, (_none, at) => new ListValue(pairAt(at))))
}

/** A negative start is 0, a negative end the list's own; nothing when the start lies behind the end. */
function sliceList(machine: Machine, { items }: ListValue, [from, to]: readonly Value[]): ListValue {
  const { length } = items
  const start = from !== undefined && isInt(from) ? (from < 0 ? 0 : from > length ? length : Number(from)) : 0
  const end = to !== undefined && isInt(to) && to >= 0 && to < length ? Number(to) : length
  charge(machine, BOX_BYTES + Math.max(0, end - start) * ITEM_BYTES)
  return new ListValue(items.slice(start, end))
}

function join(machine: Machine, { items }: ListValue, [given]: readonly Value[]): string {
  const separator = typeof given === 'string' ? given : ''
  const texts = items.map((item) => display(machine, item))
  let length = separator.length * Math.max(0, items.length - 1)
  for (const text of texts) length += text.length
  chargeText(machine, length)
  return texts.join(separator)
}

function flatten(machine: Machine, { items }: ListValue): ListValue {
  const flat: Value[] = []
  for (const item of items) {
    charge(machine, (item instanceof ListValue ? item.items.length : 1) * ITEM_BYTES)
    if (item instanceof ListValue) for (const inner of item.items) flat.push(inner)
    else flat.push(item)
  }
  return new ListValue(flat)
}
