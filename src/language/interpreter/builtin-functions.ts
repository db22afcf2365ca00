import type { Int } from './arithmetic.ts'
import { toInt, truncateToInt } from './arithmetic.ts'
import { display } from './display.ts'
import { isInt } from './equality.ts'
import { largest, smallest, sortItems, sumItems } from './list-order.ts'
import type { Machine } from './machine.ts'
import { charge, print, printError } from './machine.ts'
import { ITEM_BYTES } from './memory.ts'
import { roundHalfAway } from './number-methods.ts'
import { parseFloat64, parseInt64, utf8Length } from './text.ts'
import type { Value } from './value.ts'
import { FloatValue, FnValue, ListValue, ObjectValue, OptionValue, ResultValue, share, TupleValue } from './value.ts'

/** Undefined declines the arguments: the file's own function of the name is tried instead. */
export type BuiltinFunction = (machine: Machine, args: readonly Value[]) => Value | undefined

export const BUILTIN_FUNCTIONS: ReadonlyMap<string, BuiltinFunction> = new Map<string, BuiltinFunction>([
  ['print', printAll],
  ['assert', assertTrue],
  ['len', (_machine, [value]) => (value === undefined ? undefined : measure(value))],
  ['str', (machine, [value]) => display(machine, value ?? null)],
  ['int', (_machine, [value]) => readInt(value ?? null)],
  ['float', (_machine, [value]) => new FloatValue(readFloat(value ?? null))],
  ['bool', (_machine, [value]) => isTruthy(value ?? null)],
  ['range', range],
  ['type_of', (_machine, [value]) => typeOf(value ?? null)],
  ['abs', (_machine, [value]) => absolute(value)],
  ['floor', onFloat(Math.floor)],
  ['ceil', onFloat(Math.ceil)],
  ['round', onFloat(roundHalfAway)],
  ['sqrt', onFloat(Math.sqrt)],
  ['max', (_machine, args) => choose(args, largerInt, Math.max, largest)],
  ['min', (_machine, args) => choose(args, smallerInt, Math.min, smallest)],
  ['sorted', (machine, [list]) => (list instanceof ListValue ? sortItems(machine, list.items) : undefined)],
  ['sum', (_machine, [list]) => (list instanceof ListValue ? sumItems(list.items) : undefined)],
  ['chr', (_machine, [code]) => (code !== undefined && isInt(code) ? characterOf(code) : undefined)],
])

function printAll(machine: Machine, args: readonly Value[]): Value {
  const texts = args.map((value) => display(machine, value))
  print(machine, `${texts.join(' ')}\n`)
  return null
}

/** Declining is how a failed assertion is told apart: the call that gets it ends the run. */
function assertTrue(machine: Machine, args: readonly Value[]): Value | undefined {
  const [condition, message] = args
  if (condition === true) return null
  printError(machine, `assertion failed: ${message === undefined ? 'Assertion failed' : display(machine, message)}\n`)
  return undefined
}

/** Looks through Option and Result; Null for what has no length. */
function measure(value: Value): Value {
  if (value instanceof OptionValue) return value.inner === undefined ? 0 : measureBare(value.inner)
  if (value instanceof ResultValue) return value.isOk ? measureBare(value.inner) : 0
  return measureBare(value)
}

function measureBare(value: Value): Value {
  if (value instanceof ListValue) return value.items.length
  if (typeof value === 'string') return utf8Length(value)
  return value instanceof ObjectValue ? value.keys.length : null
}

function readInt(value: Value): Int {
  if (isInt(value)) return value
  if (value instanceof FloatValue) return truncateToInt(value.value)
  if (typeof value === 'string') return toInt(parseInt64(value) ?? 0n)
  return value === true ? 1 : 0
}

function readFloat(value: Value): number {
  if (value instanceof FloatValue) return value.value
  if (isInt(value)) return Number(value)
  return typeof value === 'string' ? (parseFloat64(value) ?? 0) : 0
}

function isTruthy(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (isInt(value)) return value !== 0
  if (typeof value === 'string') return value !== ''
  if (value instanceof FloatValue) return value.value !== 0
  if (value instanceof ListValue) return value.items.length > 0
  return value !== null
}

/** `range(end)` or `range(start, end)`; anything else is the empty list. */
function range(machine: Machine, args: readonly Value[]): Value {
  const [first, second] = args
  if (first === undefined || !isInt(first)) return new ListValue([])
  if (second === undefined) return fillRange(machine, 0, first)
  return isInt(second) ? fillRange(machine, first, second) : new ListValue([])
}

function fillRange(machine: Machine, start: Int, end: Int): ListValue {
  if (start >= end) return new ListValue([])
  const count = Number(BigInt(end) - BigInt(start))
  charge(machine, count * ITEM_BYTES)
  const items: Value[] = []
  if (typeof start === 'number' && typeof end === 'number')
    for (let value = start; value < end; value++) items.push(value)
  else for (let value = BigInt(start); value < end; value++) items.push(toInt(value))
  return new ListValue(items)
}

function typeOf(value: Value): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 'int'
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
  }
  if (value === null) return 'null'
  if (value instanceof FloatValue) return 'float'
  if (value instanceof ListValue) return 'List'
  if (value instanceof ObjectValue) return 'Object'
  if (value instanceof TupleValue) return 'Tuple'
  if (value instanceof FnValue) return 'fn'
  if (value instanceof OptionValue) return 'Option'
  return value instanceof ResultValue ? 'Result' : 'unknown'
}

function absolute(value: Value | undefined): Value | undefined {
  if (typeof value === 'number') return Math.abs(value)
  if (typeof value === 'bigint') return toInt(BigInt.asIntN(64, value < 0n ? -value : value))
  return value instanceof FloatValue ? new FloatValue(Math.abs(value.value)) : undefined
}

function onFloat(operation: (value: number) => number): BuiltinFunction {
  return (_machine, [value]) => (value instanceof FloatValue ? new FloatValue(operation(value.value)) : undefined)
}

function largerInt(a: Int, b: Int): Int {
  if (a > b) return a
  return b
}

function smallerInt(a: Int, b: Int): Int {
  if (a < b) return a
  return b
}

/** `max` and `min`: two ints, two floats (NaN loses) or one list. */
function choose(
  args: readonly Value[],
  ofInts: (a: Int, b: Int) => Int,
  ofFloats: (a: number, b: number) => number,
  ofItems: (items: readonly Value[]) => Value | undefined,
): Value | undefined {
  const [first, second] = args
  if (first === undefined) return undefined
  if (second === undefined) {
    const chosen = first instanceof ListValue ? ofItems(first.items) : undefined
    return chosen === undefined ? undefined : share(chosen)
  }
  if (isInt(first) && isInt(second)) return ofInts(first, second)
  if (!(first instanceof FloatValue && second instanceof FloatValue)) return undefined
  if (Number.isNaN(first.value)) return second
  return Number.isNaN(second.value) ? first : new FloatValue(ofFloats(first.value, second.value))
}

/** The character of a code point cut to 32 bits; U+FFFD where there is none. */
function characterOf(code: Int): string {
  const point = Number(BigInt.asUintN(32, BigInt(code)))
  return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(point)
}
