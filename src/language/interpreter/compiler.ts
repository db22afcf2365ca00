import type { Expr, Param, Stmt } from '../ast.ts'
import { refuse } from './ending.ts'
import type { Machine } from './machine.ts'
import type { FunctionScope } from './scope.ts'
import type { Code, FnPrototype, Value } from './value.ts'

/**
 * What becomes of a value: `kept` may end up under a second name, so that a variable's list read here is
 * marked as shared; `moved` leaves the function, whose variables end with that; `read` is looked at and
 * let go; `dropped` matters only when it is a signal.
 */
export type Use = 'kept' | 'moved' | 'read' | 'dropped'

/** What the parts of the compiler share; they reach each other through `parts`. */
export interface Compiler {
  readonly machine: Machine
  /** Names outside of functions: namespaces, constructors and functions, the last registered of each. */
  readonly globals: ReadonlyMap<string, Value>
  readonly scope: FunctionScope
  readonly nesting: { depth: number }
  readonly parts: CompilerParts
}

export interface CompilerParts {
  readonly expression: (compiler: Compiler, expression: Expr, use: Use) => Code
  /** Statements in the block that is open; `use` is that of the last one's value. */
  readonly statements: (compiler: Compiler, statements: readonly Stmt[], use: Use) => Code
  readonly lambda: (
    compiler: Compiler,
    params: readonly Param[],
    body: Expr,
  ) => { readonly prototype: FnPrototype; readonly captureFrom: readonly number[] }
}

/** Nesting of one expression or statement that is followed; a chain `a + b + …` nests once an operator. */
export const MAX_NESTING = 1000

/** Guards the native stack while `compile` descends. */
export function descend(compiler: Compiler, compile: () => Code): Code {
  if (++compiler.nesting.depth > MAX_NESTING) refuse('nesting too deep')
  const code = compile()
  compiler.nesting.depth--
  return code
}
