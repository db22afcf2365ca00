import type { FnDecl, Module, Stmt, TypeDecl } from '../ast.ts'
import { settlePendingFields } from './access.ts'
import { typeOf } from './annotation.ts'
import { type Context, createContext } from './context.ts'
import { declareType, define, inScope, lookUp } from './environment.ts'
import { checkExpression } from './expressions.ts'
import { defineGlobals, namespaceType } from './globals.ts'
import { freshVariable, unify } from './inference.ts'
import { checkStatements } from './statements.ts'
import { DATABASE, fn, generic, imported, type Type } from './type.ts'

/** Checks a module: first every declaration becomes known, then every body is checked, wherever it stands. */
export function checkModule(module: Module): Context {
  const context = createContext({ checkExpression, checkStatements })
  defineGlobals(context.environment)
  for (const item of module.items) {
    if (item.kind === 'type') declareType(context.environment, declaredType(item))
    if (item.kind === 'import') defineImport(context, item.path)
  }
  const functions = functionsInOrder(module)
  for (const each of functions) define(context.environment, each.name, signatureOf(context, each))
  for (const each of functions) checkFunction(context, each)
  settlePendingFields(context)
  return context
}

function declaredType({ name, shape }: TypeDecl): Parameters<typeof declareType>[1] {
  const fields = shape.kind === 'record' ? shape.fields : []
  const variants = shape.kind === 'sum' ? shape.variants : []
  return {
    name,
    fields: new Map(fields.map((field) => [field.name, typeOf(field.type)])),
    variants: new Map(variants.map((variant) => [variant.name, variant.fields.map((field) => typeOf(field.type))])),
  }
}

/** An imported name stands for something unknown; it never hides a name that is there already. */
function defineImport(context: Context, path: string): void {
  const isCrate = path.startsWith('rust:')
  const name = path.slice(path.lastIndexOf(isCrate ? ':' : '.') + 1)
  if (lookUp(context.environment, name) !== undefined) return
  define(context.environment, name, isCrate ? namespaceType(path) : imported(name))
}

type Callable = Pick<FnDecl, 'name' | 'generics' | 'params' | 'uses' | 'result' | 'body' | 'decorators'>

/** Plain functions, then the `main` made of top-level statements, endpoints, and tests; the last of a name is the one called. */
function functionsInOrder(module: Module): readonly Callable[] {
  const declared = module.items.filter((item) => item.kind === 'fn')
  const isTest = (each: FnDecl): boolean => each.decorators.includes('test')
  return [
    ...declared.filter((each) => each.endpoint === null && !isTest(each)),
    ...scriptMain(module),
    ...declared.filter((each) => each.endpoint !== null && !isTest(each)),
    ...declared.filter(isTest),
  ]
}

function scriptMain(module: Module): readonly Callable[] {
  const statements = module.items.filter((item) => item.kind === 'statement')
  const [first] = statements
  if (first === undefined) return []
  const body: readonly Stmt[] = statements.map((item) => item.body)
  const block = { kind: 'block', body, span: first.span } as const
  return [{ name: 'main', generics: [], params: [], uses: null, result: null, body: block, decorators: [] }]
}

/** What callers see. A part without annotation is one variable shared by all callers, unconnected to the body. */
function signatureOf(context: Context, declared: Callable): Type {
  const generics = new Map(declared.generics.map((name, index) => [name, generic(index)]))
  const params = declared.params.map(({ type }) =>
    type === null ? freshVariable(context.inference) : typeOf(type, generics),
  )
  const value = declared.result === null ? freshVariable(context.inference) : typeOf(declared.result, generics)
  return fn(params, value)
}

/** In its own body a generic parameter is an opaque type. */
function checkFunction(context: Context, declared: Callable): void {
  const { environment, inference, results } = context
  context.hasDeclaredEffects = declared.uses !== null || declared.decorators.includes('pure')
  const value = declared.result === null ? freshVariable(inference) : typeOf(declared.result)
  inScope(environment, () => {
    // Every function sees the database handle, whether the program has tables or not.
    define(environment, 'db', DATABASE)
    for (const param of declared.params) {
      define(environment, param.name, param.type === null ? freshVariable(inference) : typeOf(param.type))
    }
    results.push(value)
    unify(inference, checkStatements(context, declared.body), value)
    results.pop()
  })
}
