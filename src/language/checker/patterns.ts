import type { Pattern } from '../ast.ts'
import type { Context } from './context.ts'
import { define } from './environment.ts'
import { resolve } from './inference.ts'
import { report, reportAbout } from './messages.ts'
import { ERROR, partOf, type Type } from './type.ts'

/** Defines the names of a pattern that is held against a value of type `subject`. Literals are not compared. */
export function bindPattern(context: Context, pattern: Pattern, subject: Type, isMutable: boolean): void {
  const type = resolve(context.inference, subject)
  switch (pattern.kind) {
    case 'bind':
      define(context.environment, pattern.name, type, isMutable)
      return
    case 'tuple':
      bindTuple(context, pattern, type, isMutable)
      return
    case 'constructor':
      bindConstructor(context, pattern, type, isMutable)
      return
    case 'wildcard':
    case 'int':
    case 'str':
      return
  }
}

type TuplePattern = Extract<Pattern, { kind: 'tuple' }>

function bindTuple(context: Context, pattern: TuplePattern, type: Type, isMutable: boolean): void {
  if (type.kind !== 'tuple') {
    reportAbout(context, pattern.span, 'Cannot destructure non-tuple type', type)
    return
  }
  if (type.args.length !== pattern.items.length) {
    const message = `Tuple size mismatch: expected ${type.args.length}, found ${pattern.items.length}`
    report(context, pattern.span, null, message)
  }
  for (const [index, item] of pattern.items.entries()) {
    const part = type.args[index]
    if (part !== undefined) bindPattern(context, item, part, isMutable)
  }
}

type ConstructorPattern = Extract<Pattern, { kind: 'constructor' }>

function bindConstructor(context: Context, pattern: ConstructorPattern, type: Type, isMutable: boolean): void {
  const parts = ownParts(pattern, type) ?? context.environment.variants.get(pattern.name)
  if (parts === undefined) {
    reportAbout(context, pattern.span, `Unknown constructor or pattern mismatch: ${pattern.name} on`, type)
    return
  }
  for (const [index, arg] of pattern.args.entries()) {
    bindPattern(context, arg, parts[index] ?? ERROR, isMutable)
  }
}

/** Parts of an Option or Result under one of its own constructors; null for every other pairing, which is never refused. */
function ownParts(pattern: ConstructorPattern, type: Type): readonly Type[] | null {
  const isUnary = pattern.args.length === 1
  if (type.kind === 'option' && pattern.name === 'Some' && isUnary) return type.args
  if (type.kind === 'option' && pattern.name === 'None' && pattern.args.length === 0) return []
  if (type.kind === 'result' && pattern.name === 'Ok' && isUnary) return [partOf(type)]
  if (type.kind === 'result' && (pattern.name === 'Error' || pattern.name === 'Err') && isUnary)
    return [partOf(type, 1)]
  return null
}
