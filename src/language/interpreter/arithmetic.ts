import { display } from './display.ts'
import { failAssertion } from './ending.ts'
import { isInt } from './equality.ts'
import type { Machine } from './machine.ts'
import { chargeText } from './machine.ts'
import type { Value } from './value.ts'
import { FloatValue, kindOf } from './value.ts'

export type Int = number | bigint

/** The one form of an int: a number while safe, else a bigint. */
export function toInt(value: bigint): Int {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

/** `value` cut to 64 bits, as Rust's wrapping arithmetic does. */
export function wrapInt(value: bigint): Int {
  return toInt(BigInt.asIntN(64, value))
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** Rust's `as i64`: towards zero, NaN to 0, saturating. */
export function truncateToInt(value: number): Int {
  if (Number.isNaN(value)) return 0
  if (value >= 2 ** 63) return 9223372036854775807n
  if (value <= -(2 ** 63)) return -9223372036854775808n
  return toInt(BigInt(Math.trunc(value)))
}

/** `add` of operands that are not both small ints. */
export function addSlow(machine: Machine, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) {
    const sum = BigInt(a) + BigInt(b)
    return isInt64(sum) ? toInt(sum) : failAssertion(`integer overflow: ${a} + ${b}`)
  }
  if (typeof a === 'string') return concatenate(machine, a, display(machine, b))
  if (typeof b === 'string') return concatenate(machine, display(machine, a), b)
  const operands = asFloats(a, b)
  return operands === null ? failBinary('Add', a, b) : new FloatValue(operands[0] + operands[1])
}

export function concatenate(machine: Machine, a: string, b: string): string {
  chargeText(machine, a.length + b.length)
  return a + b
}

export function subtractSlow(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) {
    const difference = BigInt(a) - BigInt(b)
    return isInt64(difference) ? toInt(difference) : failAssertion(`integer underflow: ${a} - ${b}`)
  }
  const operands = asFloats(a, b)
  return operands === null ? failBinary('Sub', a, b) : new FloatValue(operands[0] - operands[1])
}

export function multiplySlow(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) {
    const product = BigInt(a) * BigInt(b)
    return isInt64(product) ? toInt(product) : failAssertion(`integer overflow: ${a} * ${b}`)
  }
  const operands = asFloats(a, b)
  return operands === null ? failBinary('Mul', a, b) : new FloatValue(operands[0] * operands[1])
}

export function divide(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) {
    if (b === 0) return failAssertion('integer division by zero')
    // The remainder is exact in floating point, and so is the quotient of what is left; `+ 0` drops a minus sign.
    if (typeof a === 'number' && typeof b === 'number') return (a - (a % b)) / b + 0
    const quotient = BigInt(a) / BigInt(b)
    return isInt64(quotient) ? toInt(quotient) : failAssertion(`integer division overflow: ${a} / ${b}`)
  }
  const operands = asFloats(a, b)
  return operands === null ? failBinary('Div', a, b) : new FloatValue(operands[0] / operands[1])
}

export function remainder(a: Value, b: Value): Value {
  if (!isInt(a) || !isInt(b)) return failBinary('Mod', a, b)
  if (b === 0) return failAssertion('integer modulo by zero')
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0
  if (b === -1 && a === -9223372036854775808n) return failAssertion(`integer modulo overflow: ${a} % ${b}`)
  return toInt(BigInt(a) % BigInt(b))
}

export type Comparison = 'lt' | 'gt' | 'le' | 'ge'

export function compareNumbers(operator: Comparison, a: Value, b: Value): boolean {
  if (isInt(a) && isInt(b)) return holds(operator, a, b)
  const operands = asFloats(a, b)
  if (operands !== null) return holds(operator, operands[0], operands[1])
  return failBinary({ lt: 'Lt', gt: 'Gt', le: 'Lte', ge: 'Gte' }[operator], a, b)
}

function holds(operator: Comparison, a: Int, b: Int): boolean {
  switch (operator) {
    case 'lt':
      return a < b
    case 'gt':
      return a > b
    case 'le':
      return a <= b
    case 'ge':
      return a >= b
  }
}

export function negate(value: Value): Value {
  if (typeof value === 'number') return 0 - value
  // The smallest int has no negative; Vox's release build wraps around to itself.
  if (typeof value === 'bigint') return wrapInt(-value)
  return value instanceof FloatValue ? new FloatValue(-value.value) : failUnary('Neg', value)
}

export function invert(value: Value): Value {
  return typeof value === 'boolean' ? !value : failUnary('Not', value)
}

/** Both operands as floats when at least one is a float and the other a number; null otherwise. */
function asFloats(a: Value, b: Value): readonly [number, number] | null {
  if (a instanceof FloatValue) {
    if (b instanceof FloatValue) return [a.value, b.value]
    return isInt(b) ? [a.value, Number(b)] : null
  }
  return b instanceof FloatValue && isInt(a) ? [Number(a), b.value] : null
}

function failBinary(operator: string, a: Value, b: Value): never {
  return failAssertion(`unsupported binary op \`${operator}\` for operands ${kindOf(a)} and ${kindOf(b)}`)
}

function failUnary(operator: string, operand: Value): never {
  return failAssertion(`unsupported unary op \`${operator}\` for operand ${kindOf(operand)}`)
}
