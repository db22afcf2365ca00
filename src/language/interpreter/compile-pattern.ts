import type { Pattern } from '../ast.ts'
import { toInt } from './arithmetic.ts'
import type { Compiler } from './compiler.ts'
import { failAssertion, failType } from './ending.ts'
import { isEqual } from './equality.ts'
import { step } from './machine.ts'
import { declare } from './scope.ts'
import type { Frame, Value } from './value.ts'
import { ConstructorValue, OptionValue, ResultValue, share, TaggedValue, TupleValue } from './value.ts'

/** Tests a value and binds the pattern's names, also some of them when the test fails later on. */
export type PatternCode = (frame: Frame, value: Value) => boolean

export function compilePattern(compiler: Compiler, pattern: Pattern): PatternCode {
  switch (pattern.kind) {
    case 'wildcard':
      return () => true
    case 'bind': {
      const { slot } = declare(compiler.scope, pattern.name)
      return (frame, value) => {
        frame[slot] = share(value)
        return true
      }
    }
    case 'int':
      return compileLiteral(compiler, toInt(pattern.value))
    case 'str':
      return compileLiteral(compiler, pattern.value)
    case 'tuple': {
      const items = compileAll(compiler, pattern.items)
      return (frame, value) =>
        value instanceof TupleValue && value.items.length === items.length && fitsAll(frame, items, value.items)
    }
    case 'constructor':
      return compileConstructor(compiler, pattern.name, compileAll(compiler, pattern.args))
  }
}

/** Vox evaluates the literal of a pattern like any other, so it costs a step. */
function compileLiteral({ machine }: Compiler, literal: Value): PatternCode {
  return (_frame, value) => {
    step(machine)
    return isEqual(literal, value)
  }
}

function compileAll(compiler: Compiler, patterns: readonly Pattern[]): readonly PatternCode[] {
  return patterns.map((pattern) => compilePattern(compiler, pattern))
}

/** Pairs up to the shorter of the two, as Vox does for the fields of a variant. */
function fitsAll(frame: Frame, patterns: readonly PatternCode[], values: readonly Value[]): boolean {
  const count = Math.min(patterns.length, values.length)
  for (let at = 0; at < count; at++) if (!(patterns[at] as PatternCode)(frame, values[at] as Value)) return false
  return true
}

function compileConstructor(_compiler: Compiler, name: string, args: readonly PatternCode[]): PatternCode {
  const [only] = args
  const isErr = name === 'Err' || name === 'Error'
  return (frame, value) => {
    if (value instanceof OptionValue) {
      if (name === 'Some')
        return args.length === 1 && only !== undefined && value.inner !== undefined && only(frame, value.inner)
      return name === 'None' && args.length === 0 && value.inner === undefined
    }
    if (value instanceof ResultValue) {
      if (only === undefined || args.length !== 1) return false
      return (value.isOk ? name === 'Ok' : isErr) && only(frame, value.inner)
    }
    if (value instanceof TaggedValue) return value.name === name && fitsAll(frame, args, value.fields)
    return value instanceof ConstructorValue && value.name === name && args.length === 0
  }
}

/** Ends the run with what Vox says of a `let` whose pattern did not fit. */
export function failPattern(pattern: Pattern, value: Value): never {
  return explain(pattern, value) ?? failAssertion('Pattern match literal mismatched')
}

/** Finds the part that does not fit; null when all of it does. */
function explain(pattern: Pattern, value: Value): null {
  switch (pattern.kind) {
    case 'wildcard':
    case 'bind':
      return null
    case 'int':
      return isEqual(toInt(pattern.value), value) ? null : failAssertion('Pattern match literal mismatched')
    case 'str':
      return isEqual(pattern.value, value) ? null : failAssertion('Pattern match literal mismatched')
    case 'tuple':
      if (!(value instanceof TupleValue)) return failType('Tuple', 'other')
      if (value.items.length !== pattern.items.length) return failType('Tuple of same length', 'Tuple')
      return explainAll(pattern.items, value.items)
    case 'constructor':
      return explainConstructor(pattern, value)
  }
}

function explainAll(patterns: readonly Pattern[], values: readonly Value[]): null {
  for (const [at, pattern] of patterns.entries()) {
    const value = values[at]
    if (value !== undefined) explain(pattern, value)
  }
  return null
}

function explainConstructor({ name, args }: Extract<Pattern, { kind: 'constructor' }>, value: Value): null {
  if (value instanceof TaggedValue) {
    return name === value.name
      ? explainAll(args, value.fields)
      : failAssertion(`Variant mismatch: expected ${name}, got ${value.name}`)
  }
  if (value instanceof ConstructorValue) return failAssertion(`Variant mismatch: expected ${name}, got ${value.name}`)
  if (value instanceof OptionValue) {
    if (name === 'Some' && args.length === 1)
      return value.inner === undefined ? failAssertion('Matched Some on None') : explainAll(args, [value.inner])
    return failAssertion(name === 'None' && args.length === 0 ? 'Matched None on Some' : 'Variant mismatch')
  }
  if (value instanceof ResultValue && args.length === 1) {
    if (name === 'Ok') return value.isOk ? explainAll(args, [value.inner]) : failAssertion('Matched Ok on Err')
    if (name === 'Err' || name === 'Error')
      return value.isOk ? failAssertion('Matched Err on Ok') : explainAll(args, [value.inner])
  }
  return failAssertion(value instanceof ResultValue ? 'Variant mismatch' : 'Not a constructor value')
}
