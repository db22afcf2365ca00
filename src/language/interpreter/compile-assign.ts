import type { Expr, Stmt } from '../ast.ts'
import { compileMethod } from './compile-method.ts'
import type { Compiler } from './compiler.ts'
import { charge, step } from './machine.ts'
import { ENTRY_BYTES } from './memory.ts'
import { resolve } from './scope.ts'
import type { Code, Value } from './value.ts'
import { ListValue, ObjectValue, Signal } from './value.ts'
import { boundSlot, markChanged, ownList, ownObject } from './variable.ts'

export function compileAssign(
  compiler: Compiler,
  { target, operator, value, span }: Extract<Stmt, { kind: 'assign' }>,
): Code {
  const source: Expr = operator === null ? value : { kind: 'binary', operator, left: target, right: value, span }
  if (target.kind === 'name') return compileAssignName(compiler, target.name, source)
  if (target.kind === 'index' && target.receiver.kind === 'name')
    return compileAssignIndex(compiler, target.receiver.name, target.index, source)
  return compileAssignNothing(compiler, source)
}

function compileAssignName(compiler: Compiler, name: string, source: Expr): Code {
  const { machine, scope } = compiler
  const value = compileSource(compiler, name, source)
  const bindings = resolve(scope, name)
  const shrink = compilePop(compiler, source)
  const [first] = bindings
  if (first !== undefined && !first.mayBeUnbound && !isPop(source)) {
    const { slot } = first
    return (frame) => {
      step(machine)
      const assigned = value(frame)
      if (isReturn(assigned)) return assigned
      frame[slot] = assigned
      return null
    }
  }
  return (frame) => {
    step(machine)
    const assigned = value(frame)
    if (isReturn(assigned)) return assigned
    // An unknown name is ignored; the checker is what objects to it.
    const slot = boundSlot(frame, bindings)
    if (slot >= 0) frame[slot] = assigned
    shrink(frame)
    return null
  }
}

/** `xs = xs.push(v)` gives the variable its own list back, so that it need not count as shared. */
function compileSource(compiler: Compiler, name: string, source: Expr): Code {
  const isOwnPush =
    source.kind === 'method' &&
    source.name === 'push' &&
    source.receiver.kind === 'name' &&
    source.receiver.name === name
  return isOwnPush ? compileMethod(compiler, source, 'read') : compiler.parts.expression(compiler, source, 'kept')
}

/** `p.x = v` and `g[i][j] = v` evaluate the value and change nothing. */
function compileAssignNothing(compiler: Compiler, source: Expr): Code {
  const { machine } = compiler
  const value = compiler.parts.expression(compiler, source, 'kept')
  const shrink = compilePop(compiler, source)
  return (frame) => {
    step(machine)
    const assigned = value(frame)
    if (isReturn(assigned)) return assigned
    return shrink(frame)
  }
}

/** Sets an item that is there or any key; all else is ignored. */
function compileAssignIndex(compiler: Compiler, name: string, indexExpression: Expr, source: Expr): Code {
  const { machine, scope } = compiler
  const value = compiler.parts.expression(compiler, source, 'kept')
  const index = compiler.parts.expression(compiler, indexExpression, 'read')
  const bindings = resolve(scope, name)
  markChanged(bindings)
  const shrink = compilePop(compiler, source)
  return (frame) => {
    step(machine)
    const assigned = value(frame)
    if (isReturn(assigned)) return assigned
    const at = index(frame)
    const slot = boundSlot(frame, bindings)
    const target = slot < 0 ? undefined : frame[slot]
    if (typeof at === 'number') {
      if (target instanceof ListValue && at >= 0 && at < target.items.length)
        ownList(machine, frame, slot, target).items[at] = assigned
    } else if (typeof at === 'string' && target instanceof ObjectValue) {
      charge(machine, ENTRY_BYTES)
      ownObject(machine, frame, slot, target).set(at, assigned)
    }
    return shrink(frame)
  }
}

/** A `return`, perhaps made by `?`, on its way through a statement that would store the value. */
export function isReturn(value: Value): boolean {
  return typeof value === 'object' && value instanceof Signal && value.kind === 'return'
}

export function isPop(expression: Expr): boolean {
  return expression.kind === 'method' && expression.name === 'pop' && expression.receiver.kind === 'name'
}

/** `let v = xs.pop()` and `v = xs.pop()` shorten `xs`, after the value was stored; inside other expressions `pop` does not. */
export function compilePop(compiler: Compiler, expression: Expr): Code {
  if (!isPop(expression) || expression.kind !== 'method' || expression.receiver.kind !== 'name') return () => null
  const { machine } = compiler
  const bindings = resolve(compiler.scope, expression.receiver.name)
  markChanged(bindings)
  return (frame) => {
    const slot = boundSlot(frame, bindings)
    const list = frame[slot]
    if (list instanceof ListValue) ownList(machine, frame, slot, list).items.pop()
    return null
  }
}
