import type { Argument, Expr } from '../ast.ts'
import { BUILTIN_FUNCTIONS } from './builtin-functions.ts'
import { compileGlobal } from './compile-name.ts'
import type { Compiler, Use } from './compiler.ts'
import { failAssertion, failType } from './ending.ts'
import type { Machine } from './machine.ts'
import { apply, charge, enter, openFrame, step } from './machine.ts'
import { BOX_BYTES } from './memory.ts'
import { isQuiet } from './quiet.ts'
import { resolve } from './scope.ts'
import type { Code, Frame, Value } from './value.ts'
import { ConstructorValue, FnValue, kindOf, NONE, ResultValue, share, some, TaggedValue } from './value.ts'
import { boundSlot } from './variable.ts'

/**
 * A call: arguments first, then the callee. A name that is no variable is tried as a built-in, and the
 * file's own function of that name is called only when the built-in declines the arguments.
 */
export function compileCall(compiler: Compiler, { callee, args }: Extract<Expr, { kind: 'call' }>): Code {
  const bindings = callee.kind === 'name' ? resolve(compiler.scope, callee.name) : []
  if (callee.kind === 'name' && bindings.length === 0) {
    const target = compiler.globals.get(callee.name)
    if (target instanceof FnValue && !BUILTIN_FUNCTIONS.has(callee.name))
      return compileDirectCall(compiler, target, args)
    return compileGlobalCall(compiler, callee.name, compileArguments(compiler, args, usesOf(args)))
  }
  const { machine } = compiler
  const values = compileArguments(compiler, args, 'kept')
  const target = compiler.parts.expression(compiler, callee, 'read')
  const asGlobal = callee.kind === 'name' ? compileGlobalCall(compiler, callee.name, values) : null
  return (frame) => {
    // A parameter without an argument is no variable either.
    if (asGlobal !== null && boundSlot(frame, bindings) < 0) return asGlobal(frame)
    step(machine)
    const given = values(frame)
    return applyValue(machine, target(frame), given)
  }
}

function compileGlobalCall(compiler: Compiler, name: string, values: (frame: Frame) => Value[]): Code {
  const { machine } = compiler
  const builtin = BUILTIN_FUNCTIONS.get(name)
  const target = compileGlobal(compiler, name)
  return (frame) => {
    step(machine)
    const given = values(frame)
    if (builtin !== undefined) {
      const result = builtin(machine, given)
      if (result !== undefined) return result
      if (name === 'assert') return failAssertion('assert failed')
    }
    const callee = target(frame)
    for (const value of given) share(value)
    return applyValue(machine, callee, given)
  }
}

/** A call of a function of the file: arguments go straight into its frame. */
function compileDirectCall(compiler: Compiler, fn: FnValue, args: readonly Argument[]): Code {
  const { machine } = compiler
  const { prototype } = fn
  const use = usesOf(args)
  const codes = args.map((argument) => compiler.parts.expression(compiler, argument.value, use))
  const bound = codes.slice(0, prototype.paramCount)
  const extra = codes.slice(prototype.paramCount)
  const isLent = args.map((argument) => use === 'read' && argument.value.kind === 'name')
  return (frame) => {
    step(machine)
    const callee = openFrame(machine, fn)
    for (let at = 0; at < bound.length; at++) callee[at] = (bound[at] as Code)(frame)
    for (let at = 0; at < extra.length; at++) (extra[at] as Code)(frame)
    for (const param of prototype.changedParams) if (isLent[param]) share(callee[param] as Value)
    step(machine)
    return shareLent(enter(machine, fn, callee), callee, isLent)
  }
}

/** A function may hand back a list it was lent, which then has two names. */
function shareLent(result: Value, callee: Frame, isLent: readonly boolean[]): Value {
  if (typeof result === 'object' && result !== null) {
    for (let at = 0; at < isLent.length; at++) if (isLent[at] && callee[at] === result) return share(result)
  }
  return result
}

/** Arguments that cannot change under each other's hands are lent: the callee marks what it keeps. */
function usesOf(args: readonly Argument[]): Use {
  return args.every((argument) => isQuiet(argument.value)) ? 'read' : 'kept'
}

/** Argument values in order; names are ignored, as by Vox. */
export function compileArguments(compiler: Compiler, args: readonly Argument[], use: Use): (frame: Frame) => Value[] {
  return gatherValues(args.map((argument) => compiler.parts.expression(compiler, argument.value, use)))
}

/** Runs codes in order and lists their values. */
export function gatherValues(codes: readonly Code[]): (frame: Frame) => Value[] {
  const [first, second] = codes
  if (first === undefined) return () => []
  if (second === undefined) return (frame) => [first(frame)]
  if (codes.length === 2) {
    return (frame) => {
      const left = first(frame)
      return [left, second(frame)]
    }
  }
  return (frame) => codes.map((code) => code(frame))
}

/** `a |> f`: here the file's own function comes before the built-in, which gets `a` when it takes it. */
export function compilePipe(compiler: Compiler, { left, right }: Extract<Expr, { kind: 'pipe' }>): Code {
  const { machine } = compiler
  const value = compiler.parts.expression(compiler, left, 'kept')
  const target = compiler.parts.expression(compiler, right, 'read')
  const name = right.kind === 'name' && !compiler.globals.has(right.name) ? right.name : null
  const builtin = name === null ? undefined : BUILTIN_FUNCTIONS.get(name)
  const bindings = name === null ? [] : resolve(compiler.scope, name)
  return (frame) => {
    step(machine)
    const given = [value(frame)]
    if (builtin !== undefined && boundSlot(frame, bindings) < 0) {
      const result = builtin(machine, given)
      if (result !== undefined) return result
    }
    const fn = target(frame)
    return fn instanceof FnValue ? apply(machine, fn, given) : failType('function', kindOf(fn))
  }
}

function applyValue(machine: Machine, callee: Value, args: readonly Value[]): Value {
  if (callee instanceof FnValue) return apply(machine, callee, args)
  if (callee instanceof ConstructorValue) {
    charge(machine, BOX_BYTES)
    return construct(callee.name, args)
  }
  return failType('function', kindOf(callee))
}

function construct(name: string, args: readonly Value[]): Value {
  const [only] = args
  if (args.length === 1 && only !== undefined) {
    if (name === 'Some') return some(only)
    if (name === 'Ok') return new ResultValue(true, only)
    if (name === 'Err' || name === 'Error') return new ResultValue(false, only)
  }
  return name === 'None' && args.length === 0 ? NONE : new TaggedValue(name, args)
}
