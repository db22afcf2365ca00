import type { FnDecl, Module, Stmt } from '../ast.ts'
import { compileMain, fillPrototype, openPrototype } from './compile-function.ts'
import type { Machine } from './machine.ts'
import { initialGlobals } from './namespace.ts'
import type { Code, FnPrototype } from './value.ts'
import { ConstructorValue, FnValue } from './value.ts'

/** The compiled `main` of a module, or why there is none to call. */
export type Entry =
  | { readonly kind: 'main'; readonly codes: readonly Code[]; readonly frameSize: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'takes-params'; readonly paramCount: number }

/**
 * Names and compiles the declarations of a module. Of one name the last registered counts: variants,
 * then functions with the script statements' `main` behind them, then `@test` functions, then endpoints.
 */
export function register(machine: Machine, module: Module): Entry {
  const globals = initialGlobals()
  for (const item of module.items) {
    if (item.kind !== 'type' || item.shape.kind !== 'sum') continue
    for (const variant of item.shape.variants) globals.set(variant.name, new ConstructorValue(variant.name))
  }
  const functions = orderFunctions(module)
  const opened = functions.map((declared) => {
    const prototype = openPrototype(declared.params)
    globals.set(declared.name, new FnValue(prototype, []))
    return { declared, prototype }
  })
  for (const { declared, prototype } of lastOfEachName(opened))
    fillPrototype(prototype, machine, globals, declared.params, declared.body)
  const main = functions.findLast((declared) => declared.name === 'main')
  if (main === undefined) return { kind: 'missing' }
  if (main.params.length > 0) return { kind: 'takes-params', paramCount: main.params.length }
  return { kind: 'main', ...compileMain(machine, globals, main.body) }
}

interface Declared {
  readonly name: string
  readonly params: FnDecl['params']
  readonly body: readonly Stmt[]
}

interface Opened {
  readonly declared: Declared
  readonly prototype: FnPrototype
}

function lastOfEachName(opened: readonly Opened[]): readonly Opened[] {
  return [...new Map(opened.map((entry) => [entry.declared.name, entry])).values()]
}

function orderFunctions(module: Module): readonly Declared[] {
  const plain: Declared[] = []
  const tests: Declared[] = []
  const endpoints: Declared[] = []
  const script: Stmt[] = []
  for (const item of module.items) {
    if (item.kind === 'statement') script.push(item.body)
    if (item.kind !== 'fn') continue
    const declared = { name: item.name, params: item.params, body: item.body.body }
    if (item.endpoint !== null) endpoints.push(declared)
    else if (item.decorators.includes('test')) tests.push(declared)
    else plain.push(declared)
  }
  if (script.length > 0) plain.push({ name: 'main', params: [], body: script })
  return [...plain, ...tests, ...endpoints]
}
