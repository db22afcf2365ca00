import type { Expr } from '../ast.ts'
import type { Comparison } from './arithmetic.ts'
import {
  addSlow,
  compareNumbers,
  concatenate,
  divide,
  invert,
  multiplySlow,
  negate,
  remainder,
  subtractSlow,
} from './arithmetic.ts'
import type { Compiler } from './compiler.ts'
import { isEqual } from './equality.ts'
import { step } from './machine.ts'
import { isQuiet } from './quiet.ts'
import type { Code, Value } from './value.ts'
import { normalizeNone } from './value.ts'

const MAX_SAFE = Number.MAX_SAFE_INTEGER

export function compileUnary(compiler: Compiler, { operator, operand }: Extract<Expr, { kind: 'unary' }>): Code {
  const { machine } = compiler
  const code = compiler.parts.expression(compiler, operand, 'read')
  const apply = operator === 'neg' ? negate : invert
  return (frame) => {
    step(machine)
    return apply(code(frame))
  }
}

export function compileBinary(compiler: Compiler, { operator, left, right }: Extract<Expr, { kind: 'binary' }>): Code {
  const a = compiler.parts.expression(compiler, left, isQuiet(right) ? 'read' : 'kept')
  const b = compiler.parts.expression(compiler, right, operator === 'and' || operator === 'or' ? 'kept' : 'read')
  switch (operator) {
    case 'and':
      return compileLogic(compiler, a, b, false)
    case 'or':
      return compileLogic(compiler, a, b, true)
    case 'is':
      return compileEquality(compiler, a, b, true)
    case 'isnt':
      return compileEquality(compiler, a, b, false)
    case 'lt':
    case 'gt':
    case 'le':
    case 'ge':
      return compileComparison(compiler, operator, a, b)
    case 'add':
      return compileAdd(compiler, a, b)
    case 'sub':
      return compileSubtract(compiler, a, b)
    case 'mul':
      return compileMultiply(compiler, a, b)
    case 'div':
      return compileOperation(compiler, divide, a, b)
    case 'mod':
      return compileOperation(compiler, remainder, a, b)
  }
}

/** `and` and `or`: the left value decides only when it is exactly `decider`; otherwise the right one is the result. */
function compileLogic({ machine }: Compiler, a: Code, b: Code, decider: boolean): Code {
  return (frame) => {
    step(machine)
    return a(frame) === decider ? decider : b(frame)
  }
}

function compileEquality({ machine }: Compiler, a: Code, b: Code, isWanted: boolean): Code {
  return (frame) => {
    step(machine)
    const left = a(frame)
    const right = b(frame)
    if (typeof left === 'number' && typeof right === 'number') return (left === right) === isWanted
    return isEqual(normalizeNone(left), normalizeNone(right)) === isWanted
  }
}

function compileComparison({ machine }: Compiler, operator: Comparison, a: Code, b: Code): Code {
  switch (operator) {
    case 'lt':
      return (frame) => {
        step(machine)
        const left = a(frame)
        const right = b(frame)
        return typeof left === 'number' && typeof right === 'number' ? left < right : compareNumbers('lt', left, right)
      }
    case 'gt':
      return (frame) => {
        step(machine)
        const left = a(frame)
        const right = b(frame)
        return typeof left === 'number' && typeof right === 'number' ? left > right : compareNumbers('gt', left, right)
      }
    default:
      return compileOperation({ machine }, (left, right) => compareNumbers(operator, left, right), a, b)
  }
}

function compileAdd({ machine }: Compiler, a: Code, b: Code): Code {
  return (frame) => {
    step(machine)
    const left = a(frame)
    const right = b(frame)
    if (typeof left === 'number' && typeof right === 'number') {
      const sum = left + right
      if (sum <= MAX_SAFE && sum >= -MAX_SAFE) return sum
    } else if (typeof left === 'string' && typeof right === 'string') return concatenate(machine, left, right)
    return addSlow(machine, left, right)
  }
}

function compileSubtract({ machine }: Compiler, a: Code, b: Code): Code {
  return (frame) => {
    step(machine)
    const left = a(frame)
    const right = b(frame)
    if (typeof left === 'number' && typeof right === 'number') {
      const difference = left - right
      if (difference <= MAX_SAFE && difference >= -MAX_SAFE) return difference
    }
    return subtractSlow(left, right)
  }
}

/** A product outside the safe range rounds to one outside it, so the test finds every inexact one; `+ 0` drops a minus sign. */
function compileMultiply({ machine }: Compiler, a: Code, b: Code): Code {
  return (frame) => {
    step(machine)
    const left = a(frame)
    const right = b(frame)
    if (typeof left === 'number' && typeof right === 'number') {
      const product = left * right + 0
      if (product <= MAX_SAFE && product >= -MAX_SAFE) return product
    }
    return multiplySlow(left, right)
  }
}

function compileOperation(
  { machine }: Pick<Compiler, 'machine'>,
  operation: (left: Value, right: Value) => Value,
  a: Code,
  b: Code,
): Code {
  return (frame) => {
    step(machine)
    const left = a(frame)
    return operation(left, b(frame))
  }
}
