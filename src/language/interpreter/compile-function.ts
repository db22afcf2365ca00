import type { Expr, Param, Stmt } from '../ast.ts'
import { compileExpression } from './compile-expression.ts'
import { compileStatement, compileStatements } from './compile-statement.ts'
import type { Compiler, CompilerParts } from './compiler.ts'
import type { Machine } from './machine.ts'
import type { Binding, FunctionScope } from './scope.ts'
import { declareParam, openFunction } from './scope.ts'
import type { Code, FnPrototype, Value } from './value.ts'

const PARTS: CompilerParts = {
  expression: compileExpression,
  statements: compileStatements,
  lambda: compileLambda,
}

/** A prototype whose body is filled in later, so that functions can call each other whatever their order. */
export function openPrototype(params: readonly Param[]): FnPrototype {
  return { paramCount: params.length, frameSize: params.length, captureSlots: [], changedParams: [], body: () => null }
}

/** Compiles a declared function's body into `prototype`. */
export function fillPrototype(
  prototype: FnPrototype,
  machine: Machine,
  globals: ReadonlyMap<string, Value>,
  params: readonly Param[],
  body: readonly Stmt[],
): void {
  const scope = openFunction(null)
  const compiler: Compiler = { machine, globals, scope, nesting: { depth: 0 }, parts: PARTS }
  const bindings = declareAll(scope, params)
  finish(prototype, scope, bindings, compileStatements(compiler, body, 'moved'))
}

/**
 * Compiles the statements of the `main` that the run starts: unlike any other body it goes on after a
 * stray `break` or `continue`, and only a `return` ends it.
 */
export function compileMain(
  machine: Machine,
  globals: ReadonlyMap<string, Value>,
  body: readonly Stmt[],
): { codes: readonly Code[]; frameSize: number } {
  const scope = openFunction(null)
  const compiler: Compiler = { machine, globals, scope, nesting: { depth: 0 }, parts: PARTS }
  const codes = body.map((statement, at) =>
    compileStatement(compiler, statement, at === body.length - 1 ? 'moved' : 'dropped'),
  )
  return { codes, frameSize: scope.slotCount }
}

function compileLambda(
  outer: Compiler,
  params: readonly Param[],
  body: Expr,
): { prototype: FnPrototype; captureFrom: readonly number[] } {
  const prototype = openPrototype(params)
  const scope = openFunction(outer.scope)
  const bindings = declareAll(scope, params)
  const code = compileStatement({ ...outer, scope }, { kind: 'expr', value: body, span: body.span }, 'moved')
  finish(prototype, scope, bindings, code)
  return { prototype, captureFrom: scope.captures.map((capture) => capture.outer.slot) }
}

function declareAll(scope: FunctionScope, params: readonly Param[]): readonly Binding[] {
  return params.map((param) => declareParam(scope, param.name))
}

function finish(prototype: FnPrototype, scope: FunctionScope, params: readonly Binding[], body: Code): void {
  prototype.frameSize = scope.slotCount
  prototype.captureSlots = scope.captures.map((capture) => capture.binding.slot)
  prototype.changedParams = params.filter((param) => param.isChangedInPlace).map((param) => param.slot)
  prototype.body = body
}
