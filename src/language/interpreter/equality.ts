import { MAX_VALUE_NESTING } from './display.ts'
import { refuse } from './ending.ts'
import { compareTexts } from './text.ts'
import type { Value } from './value.ts'
import {
  ConstructorValue,
  FloatValue,
  ListValue,
  ObjectValue,
  OptionValue,
  ResultValue,
  TaggedValue,
  TupleValue,
} from './value.ts'

/**
 * Vox's deep structural equality: ints and floats by number, objects in the order of their fields, `null`
 * equal to an Option's None; functions and leaked control flow equal nothing.
 */
export function isEqual(a: Value, b: Value, nesting = 0): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') {
    if (a === b) return true
    if (a instanceof FloatValue) return isInt(b) && a.value === Number(b)
    return b instanceof FloatValue && isInt(a) && b.value === Number(a)
  }
  if (a === null) return b === null || (b instanceof OptionValue && b.inner === undefined)
  if (b === null) return a instanceof OptionValue && a.inner === undefined
  if (nesting > MAX_VALUE_NESTING) refuse('comparison of values nested too deep')
  return isEqualCompound(a, b, nesting + 1)
}

function isEqualCompound(a: Value & object, b: Value & object, nesting: number): boolean {
  if (a instanceof FloatValue) return b instanceof FloatValue && a.value === b.value
  if (a instanceof ListValue) return b instanceof ListValue && isEqualAll(a.items, b.items, nesting)
  if (a instanceof TupleValue) return b instanceof TupleValue && isEqualAll(a.items, b.items, nesting)
  if (a instanceof ConstructorValue) return b instanceof ConstructorValue && a.name === b.name
  if (a instanceof ResultValue)
    return b instanceof ResultValue && a.isOk === b.isOk && isEqual(a.inner, b.inner, nesting)
  if (a instanceof TaggedValue)
    return b instanceof TaggedValue && a.name === b.name && isEqualAll(a.fields, b.fields, nesting)
  if (a instanceof OptionValue) {
    if (!(b instanceof OptionValue)) return false
    if (a.inner === undefined || b.inner === undefined) return a.inner === b.inner
    return isEqual(a.inner, b.inner, nesting)
  }
  if (!(a instanceof ObjectValue && b instanceof ObjectValue)) return false
  return (
    a.keys.length === b.keys.length &&
    a.keys.every((key, at) => key === b.keys[at]) &&
    isEqualAll(a.values, b.values, nesting)
  )
}

function isEqualAll(a: readonly Value[], b: readonly Value[], nesting: number): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (!isEqual(a[at] as Value, b[at] as Value, nesting)) return false
  return true
}

export function isInt(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Order of `sorted`, `max` and `min`: ints, floats or strings among themselves; anything else compares as equal. */
export function compare(a: Value, b: Value): number {
  if (isInt(a) && isInt(b)) return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (a instanceof FloatValue && b instanceof FloatValue) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
  return 0
}
