import type { Block, Expr } from '../ast.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Span } from '../span.ts'
import { createEnvironment, type Environment } from './environment.ts'
import { createInference, type Inference } from './inference.ts'
import type { Type } from './type.ts'

/** A field read from a value whose type was not known yet; decided after all bodies. */
export interface PendingField {
  readonly target: Type
  readonly field: string
  readonly value: Type
  readonly span: Span
}

/** State of one check. The two walkers are here because expressions hold statements and the other way round. */
export interface Context {
  readonly inference: Inference
  readonly environment: Environment
  readonly diagnostics: Diagnostic[]
  readonly pendingFields: PendingField[]
  /** Declared results of the functions and lambdas around the current place, innermost last. */
  readonly results: Type[]
  /** `expected` is a hint that literals, lambdas, calls and matches take up; it is not enforced. */
  readonly checkExpression: (context: Context, expr: Expr, expected: Type | null) => Type
  /** Type of the last statement. */
  readonly checkStatements: (context: Context, block: Block) => Type
  /** Expressions and blocks around the current place. */
  depth: number
  /** Whether the current function names its effects; those are not checked here. */
  hasDeclaredEffects: boolean
  /** The first thing met that this checker does not know enough of. */
  unsupported: { readonly reason: string; readonly span: Span } | null
}

export function createContext(walkers: Pick<Context, 'checkExpression' | 'checkStatements'>): Context {
  return {
    inference: createInference(),
    environment: createEnvironment(),
    diagnostics: [],
    pendingFields: [],
    results: [],
    ...walkers,
    depth: 0,
    hasDeclaredEffects: false,
    unsupported: null,
  }
}

export function markUnsupported(context: Context, reason: string, span: Span): void {
  context.unsupported ??= { reason, span }
}

/** Nesting that the smallest usual stack (a worker's or a test runner's) carries with room to spare. */
const MAX_DEPTH = 600

/** Whether nesting has reached the limit; then the program is unsupported, and the walker must turn back. */
export function isTooDeep(context: Context, span: Span): boolean {
  if (context.depth < MAX_DEPTH) return false
  markUnsupported(context, 'nesting too deep', span)
  return true
}
