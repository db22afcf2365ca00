import { fn, named, type Type } from './type.ts'

export interface Binding {
  readonly type: Type
  readonly isMutable: boolean
}

/** A user's type, or one of the two built-in sums: `fields` for a struct, `variants` for a sum. */
export interface Declared {
  readonly name: string
  readonly fields: ReadonlyMap<string, Type>
  readonly variants: ReadonlyMap<string, readonly Type[]>
}

/** Names in scope, innermost last; the first scope holds built-ins and the module's declarations. */
export interface Environment {
  readonly scopes: Map<string, Binding>[]
  readonly types: Map<string, Declared>
  /** Field types of every variant by its name; of two types with the same variant the later one. */
  readonly variants: Map<string, readonly Type[]>
}

export function createEnvironment(): Environment {
  return { scopes: [new Map()], types: new Map(), variants: new Map() }
}

export function lookUp(environment: Environment, name: string): Binding | undefined {
  for (let at = environment.scopes.length - 1; at >= 0; at--) {
    const binding = environment.scopes[at]?.get(name)
    if (binding !== undefined) return binding
  }
  return undefined
}

export function define(environment: Environment, name: string, type: Type, isMutable = false): void {
  environment.scopes.at(-1)?.set(name, { type, isMutable })
}

/** Runs `body` in a scope of its own. */
export function inScope<T>(environment: Environment, body: () => T): T {
  environment.scopes.push(new Map())
  const value = body()
  environment.scopes.pop()
  return value
}

/** Makes a type known, and each of its variants: a constant without fields, else a function of them. */
export function declareType(environment: Environment, declared: Declared): void {
  environment.types.set(declared.name, declared)
  const whole = named(declared.name)
  for (const [variant, fields] of declared.variants) {
    environment.variants.set(variant, fields)
    define(environment, variant, fields.length === 0 ? whole : fn(fields, whole))
  }
}
