import { refuse } from './ending.ts'
import { encodeJson } from './json.ts'
import type { Machine } from './machine.ts'
import { charge } from './machine.ts'
import { BOX_BYTES, ENTRY_BYTES, ITEM_BYTES } from './memory.ts'
import type { Value } from './value.ts'
import { ListValue, NAMESPACE_MARKER, NONE, ObjectValue, optional, share, some } from './value.ts'

type ObjectMethod = (machine: Machine, object: ObjectValue, args: readonly Value[]) => Value

/** Methods of maps and records; all give new objects. A key of a wrong kind is never there. */
export const OBJECT_METHODS: ReadonlyMap<string, ObjectMethod> = new Map<string, ObjectMethod>([
  ['get', (_machine, object, [key]) => (typeof key === 'string' ? optional(object.get(key)) : NONE)],
  ['get_or', getOr],
  ['contains_key', hasKey],
  ['has_key', hasKey],
  ['has', hasKey],
  ['len', (_machine, object) => entriesOf(object).length],
  ['is_empty', (_machine, object) => entriesOf(object).length === 0],
  ['keys', (machine, object) => listOf(machine, object, ITEM_BYTES, (key) => key)],
  ['values', (machine, object) => listOf(machine, object, ITEM_BYTES, (_key, value) => value)],
  ['items', listEntries],
  ['entries', listEntries],
  ['insert', insert],
  ['set', insert],
  ['remove', remove],
  ['delete', remove],
  ['update', update],
  // Accessors of JSON objects, which every object answers.
  ['at', () => NONE],
  ['pointer', () => refuse('`pointer` of a JSON value')],
  ['as_object', (machine, object) => some(copyOf(machine, object))],
  ['as_array', () => NONE],
  ['is_null', () => false],
  ['length', (_machine, object) => some(object.keys.length)],
  ['to_string', (machine, object) => encodeJson(machine, object)],
])

function getOr(_machine: Machine, object: ObjectValue, [key, fallback = null]: readonly Value[]): Value {
  if (typeof key !== 'string') return NONE
  const found = object.get(key)
  return share(found === undefined ? fallback : found)
}

function hasKey(_machine: Machine, object: ObjectValue, [key]: readonly Value[]): Value {
  return typeof key === 'string' && object.find(key) >= 0
}

/** Fields but for the mark of a namespace. */
function entriesOf(object: ObjectValue): readonly (readonly [string, Value])[] {
  return object.keys
    .map((key, at) => [key, object.values[at] as Value] as const)
    .filter(([key]) => key !== NAMESPACE_MARKER)
}

function listOf(
  machine: Machine,
  object: ObjectValue,
  itemBytes: number,
  itemOf: (key: string, value: Value) => Value,
): ListValue {
  charge(machine, BOX_BYTES + object.keys.length * itemBytes)
  return new ListValue(entriesOf(object).map(([key, value]) => itemOf(key, value)))
}

function listEntries(machine: Machine, object: ObjectValue): Value {
  return listOf(machine, object, BOX_BYTES + ITEM_BYTES * 3, (key, value) => new ListValue([key, value]))
}

function copyOf(machine: Machine, object: ObjectValue): ObjectValue {
  charge(machine, BOX_BYTES + object.keys.length * ENTRY_BYTES)
  return object.copy()
}

function insert(machine: Machine, object: ObjectValue, [key, value = null]: readonly Value[]): Value {
  const copy = copyOf(machine, object)
  if (typeof key === 'string') copy.set(key, value)
  return copy
}

function remove(machine: Machine, object: ObjectValue, [removed]: readonly Value[]): Value {
  charge(machine, BOX_BYTES + object.keys.length * ENTRY_BYTES)
  const kept = object.keys
    .map((_key, at) => at)
    .filter((at) => typeof removed !== 'string' || object.keys[at] !== removed)
  return new ObjectValue(
    kept.map((at) => object.keys[at] as string),
    kept.map((at) => object.values[at] as Value),
  )
}

function update(machine: Machine, object: ObjectValue, [other]: readonly Value[]): Value {
  const copy = copyOf(machine, object)
  if (!(other instanceof ObjectValue)) return copy
  charge(machine, other.keys.length * ENTRY_BYTES)
  for (const [at, key] of other.keys.entries()) copy.set(key, other.values[at] as Value)
  return copy
}
