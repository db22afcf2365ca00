import { BUILTIN_FUNCTIONS } from './builtin-functions.ts'
import type { Compiler, Use } from './compiler.ts'
import { failUndefined, refuse } from './ending.ts'
import { step } from './machine.ts'
import { UNCERTAIN_NAMES } from './namespace.ts'
import type { Binding } from './scope.ts'
import { resolve } from './scope.ts'
import type { Code, Value } from './value.ts'
import { FnValue, share } from './value.ts'
import { boundSlot } from './variable.ts'

/** A built-in read as a value is a function that takes anything and gives Null. */
const BUILTIN_PLACEHOLDER = new FnValue(
  { paramCount: 1, frameSize: 1, captureSlots: [], changedParams: [], body: () => null },
  [],
)

/** Reads a variable, or else what the name means outside of functions. */
export function compileName(compiler: Compiler, name: string, use: Use): Code {
  const { machine } = compiler
  const bindings = resolve(compiler.scope, name)
  const [first] = bindings
  const outside = compileGlobal(compiler, name)
  if (first === undefined) return outside
  const isKept = use === 'kept'
  if (!first.mayBeUnbound) return compileVariable(compiler, first, isKept)
  if (!isKept && bindings.length === 1) {
    const { slot } = first
    return (frame) => {
      const value = frame[slot]
      if (value === undefined) return outside(frame)
      step(machine)
      return value
    }
  }
  return (frame) => {
    const slot = boundSlot(frame, bindings)
    if (slot < 0) return outside(frame)
    step(machine)
    const value = frame[slot] as Value
    return isKept ? share(value) : value
  }
}

function compileVariable({ machine }: Compiler, { slot }: Binding, isKept: boolean): Code {
  if (!isKept) {
    return (frame) => {
      step(machine)
      return frame[slot] as Value
    }
  }
  return (frame) => {
    step(machine)
    const value = frame[slot] as Value
    return typeof value === 'object' ? share(value) : value
  }
}

/** Reads a name that is no variable. */
export function compileGlobal({ machine, globals }: Compiler, name: string): Code {
  const value =
    globals.get(name) ?? (globals.has(name) ? null : BUILTIN_FUNCTIONS.has(name) ? BUILTIN_PLACEHOLDER : undefined)
  return () => {
    step(machine)
    if (value !== undefined) return value
    return UNCERTAIN_NAMES.has(name) ? refuse(`\`${name}\` namespace`) : failUndefined(name)
  }
}
