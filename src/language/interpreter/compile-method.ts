import type { Argument, Expr } from '../ast.ts'
import { gatherValues } from './compile-call.ts'
import type { Compiler, Use } from './compiler.ts'
import { failAssertion, refuse } from './ending.ts'
import { charge, step } from './machine.ts'
import { BOX_BYTES, ENTRY_BYTES } from './memory.ts'
import { callMethod, selectMethod } from './method.ts'
import { isNamespace } from './namespace.ts'
import { isQuiet } from './quiet.ts'
import type { Binding } from './scope.ts'
import { resolve } from './scope.ts'
import type { Code, Value } from './value.ts'
import { ListValue, ObjectValue, share } from './value.ts'
import { boundSlot, markChanged, ownList, ownObject } from './variable.ts'

type MethodExpr = Extract<Expr, { kind: 'method' }>

/** Receivers that exist in compiled builds only; Vox turns them down by name. */
const NATIVE_NAMESPACES: ReadonlySet<string> = new Set(['Scrape', 'Browser', 'OpenClaw', 'Agent'])

export function compileMethod(compiler: Compiler, expression: MethodExpr, use: Use): Code {
  return (
    compileForeignReceiver(compiler, expression) ??
    compileParts(compiler, expression, compileOperands(compiler, expression), use)
  )
}

/** What a method call evaluates, compiled once for all the ways it may go. */
interface Operands {
  readonly receiver: Code
  readonly args: readonly Code[]
  /** Variables the receiver may be. */
  readonly bindings: readonly Binding[]
}

function compileOperands(compiler: Compiler, { receiver, args }: MethodExpr): Operands {
  return {
    receiver: compiler.parts.expression(compiler, receiver, areQuiet(args) ? 'read' : 'kept'),
    args: args.map((argument) => compiler.parts.expression(compiler, argument.value, 'kept')),
    bindings: receiver.kind === 'name' ? resolve(compiler.scope, receiver.name) : [],
  }
}

function areQuiet(args: readonly Argument[]): boolean {
  return args.every((argument) => isQuiet(argument.value))
}

function compileParts(compiler: Compiler, { name }: MethodExpr, operands: Operands, use: Use): Code {
  const { machine } = compiler
  const { receiver, args, bindings } = operands
  const values = gatherValues(args)
  const method = selectMethod(name)
  const [argument] = args
  if (name === 'push' && args.length === 1 && argument !== undefined && bindings.length > 0) {
    markChanged(bindings)
    const dispatch: Code = (frame) => {
      const target = receiver(frame)
      return callMethod(machine, method, target, values(frame))
    }
    return compilePush(compiler, bindings, argument, dispatch, use)
  }
  return (frame) => {
    step(machine)
    const target = receiver(frame)
    return callMethod(machine, method, target, values(frame))
  }
}

/** Receivers Vox looks at by name before evaluating anything; null for all others. */
function compileForeignReceiver({ machine }: Compiler, { receiver, name, args }: MethodExpr): Code | null {
  const failing = (fail: () => never): Code => {
    return () => {
      step(machine)
      return fail()
    }
  }
  if (receiver.kind === 'field') {
    const isNative =
      receiver.receiver.kind === 'name' &&
      receiver.receiver.name === 'std' &&
      (receiver.name === 'mobile' || receiver.name === 'crypto')
    return isNative ? failing(() => refuse(`\`std.${receiver.name}\` namespace`)) : null
  }
  if (receiver.kind !== 'name') return null
  const owner = receiver.name
  if ((owner === 'str' || owner === 'list') && args.length > 0) {
    const message =
      `\`${owner}.${name}(receiver, ...)\` is not a valid call form in Vox; use the method form \`receiver.${name}(...)\` instead. ` +
      '(Vox makes string and list operations method-only per K-complexity policy.)'
    return failing(() => failAssertion(message))
  }
  if (NATIVE_NAMESPACES.has(owner) || owner === 'repo' || owner === 'db')
    return failing(() => refuse(`\`${owner}\` namespace`))
  return null
}

/**
 * `push` on a variable that holds a list changes the variable, also inside an expression, and gives the
 * longer list as its value. Only `push` does; it evaluates its argument before it looks at the list.
 */
function compilePush(
  { machine }: Compiler,
  bindings: readonly Binding[],
  argument: Code,
  dispatch: Code,
  use: Use,
): Code {
  const isKept = use === 'kept'
  return (frame) => {
    step(machine)
    const slot = boundSlot(frame, bindings)
    if (slot < 0 || !(frame[slot] instanceof ListValue)) return dispatch(frame)
    const pushed = argument(frame)
    const list = frame[slot]
    if (!(list instanceof ListValue)) return dispatch(frame)
    const owned = ownList(machine, frame, slot, list)
    charge(machine, BOX_BYTES)
    owned.items.push(pushed)
    if (isKept) owned.isShared = true
    return owned
  }
}

/**
 * A method call on a variable as a statement: a result of the variable's own kind replaces the variable,
 * which is how `xs.reverse()` or `m.insert(k, v)` seem to change it; `pop` shortens it.
 */
export function compileWriteBack(compiler: Compiler, expression: MethodExpr, use: Use): Code {
  const { machine } = compiler
  const foreign = compileForeignReceiver(compiler, expression)
  const operands = compileOperands(compiler, expression)
  const { bindings } = operands
  const call = foreign ?? compileParts(compiler, expression, operands, use)
  const isPop = expression.name === 'pop'
  if (isPop) markChanged(bindings)
  const insert = foreign === null ? compileInsert(compiler, expression, operands) : null
  return (frame) => {
    step(machine)
    const slot = boundSlot(frame, bindings)
    if (slot < 0) return call(frame)
    const result = insert !== null && isPlainObject(frame[slot], expression.name) ? insert(frame) : call(frame)
    const current = frame[slot]
    if (isPop && current instanceof ListValue) ownList(machine, frame, slot, current).items.pop()
    if (isSameKind(result, current)) frame[slot] = result
    return use === 'kept' ? share(result) : result
  }
}

function isSameKind(result: Value, current: Value | undefined): boolean {
  if (typeof result === 'string') return typeof current === 'string'
  if (result instanceof ListValue) return current instanceof ListValue
  return result instanceof ObjectValue && current instanceof ObjectValue
}

/** Whether a method call on `value` means the map method and not a field or a namespace. */
function isPlainObject(value: Value | undefined, method: string): boolean {
  return value instanceof ObjectValue && value.find(method) < 0 && !isNamespace(value)
}

/** `m.insert(k, v)` as a statement, in place where the map method would copy the map; null when it is something else. */
function compileInsert({ machine }: Compiler, { name, args }: MethodExpr, operands: Operands): Code | null {
  const { receiver, bindings } = operands
  const [key, value] = operands.args
  if (
    (name !== 'insert' && name !== 'set') ||
    args.length !== 2 ||
    key === undefined ||
    value === undefined ||
    !areQuiet(args)
  )
    return null
  markChanged(bindings)
  return (frame) => {
    step(machine)
    const object = receiver(frame)
    const at = key(frame)
    const inserted = value(frame)
    if (!(object instanceof ObjectValue) || typeof at !== 'string') return object
    const owned = ownObject(machine, frame, boundSlot(frame, bindings), object)
    charge(machine, ENTRY_BYTES)
    owned.set(at, inserted)
    return owned
  }
}
