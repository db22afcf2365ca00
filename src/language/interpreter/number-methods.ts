import type { Int } from './arithmetic.ts'
import { toInt } from './arithmetic.ts'
import { isInt } from './equality.ts'
import { displayFloat } from './float-text.ts'
import type { Machine } from './machine.ts'
import type { Value } from './value.ts'
import { FloatValue } from './value.ts'

type NumberMethod<Receiver> = (machine: Machine, receiver: Receiver, args: readonly Value[]) => Value

export const INT_METHODS: ReadonlyMap<string, NumberMethod<Int>> = new Map<string, NumberMethod<Int>>([
  ['to_str', (_machine, value) => String(value)],
  ['to_string', (_machine, value) => String(value)],
  [
    'abs',
    (_machine, value) =>
      typeof value === 'number' ? Math.abs(value) : toInt(BigInt.asIntN(64, value < 0n ? -value : value)),
  ],
  ['min', (_machine, value, [other]) => (other !== undefined && isInt(other) && other < value ? other : value)],
  ['max', (_machine, value, [other]) => (other !== undefined && isInt(other) && other > value ? other : value)],
])

export const FLOAT_METHODS: ReadonlyMap<string, NumberMethod<FloatValue>> = new Map<string, NumberMethod<FloatValue>>([
  ['to_str', (_machine, { value }) => displayFloat(value)],
  ['to_string', (_machine, { value }) => displayFloat(value)],
  ['abs', onFloat(Math.abs)],
  ['floor', onFloat(Math.floor)],
  ['ceil', onFloat(Math.ceil)],
  ['round', onFloat(roundHalfAway)],
  ['sqrt', onFloat(Math.sqrt)],
])

export const BOOL_METHODS: ReadonlyMap<string, NumberMethod<boolean>> = new Map<string, NumberMethod<boolean>>([
  ['to_str', (_machine, value) => String(value)],
  ['to_string', (_machine, value) => String(value)],
])

function onFloat(operation: (value: number) => number): NumberMethod<FloatValue> {
  return (_machine, { value }) => new FloatValue(operation(value))
}

/** Half away from zero, unlike `Math.round`; keeps the sign of zero. */
export function roundHalfAway(value: number): number {
  const whole = Math.trunc(value)
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole
}
