import type { Block, Expr, Stmt } from '../ast.ts'
import { typeOf } from './annotation.ts'
import { type Context, isTooDeep } from './context.ts'
import { lookUp } from './environment.ts'
import { unify } from './inference.ts'
import { report, reportMismatch } from './messages.ts'
import { combine } from './operators.ts'
import { bindPattern } from './patterns.ts'
import { BOOL, ERROR, NEVER, type Type, UNIT } from './type.ts'

/** Checks statements in order, in the scope that is open; gives the type of the last. */
export function checkStatements(context: Context, block: Block): Type {
  if (isTooDeep(context, block.span)) return ERROR
  context.depth++
  let last = UNIT
  for (const stmt of block.body) last = checkStatement(context, stmt)
  context.depth--
  return last
}

type Node<Kind extends Stmt['kind']> = Extract<Stmt, { kind: Kind }>

export function checkStatement(context: Context, stmt: Stmt): Type {
  switch (stmt.kind) {
    case 'let':
      return checkLet(context, stmt)
    case 'assign':
      return checkAssign(context, stmt)
    case 'return':
      return checkReturn(context, stmt)
    case 'while':
      unify(context.inference, context.checkExpression(context, stmt.condition, null), BOOL)
      checkStatements(context, stmt.body)
      return UNIT
    case 'loop':
      checkStatements(context, stmt.body)
      return NEVER
    case 'break':
    case 'continue':
      return NEVER
    case 'expr':
      return context.checkExpression(context, stmt.value, null)
  }
}

/** The value is typed without regard to the annotation, then compared with it. */
function checkLet(context: Context, stmt: Node<'let'>): Type {
  const value = context.checkExpression(context, stmt.value, null)
  const declared = stmt.type === null ? value : typeOf(stmt.type)
  const mismatch = unify(context.inference, value, declared)
  if (mismatch !== null) reportMismatch(context, stmt.value.span, 'let', mismatch)
  bindPattern(context, stmt.pattern, declared, stmt.isMutable)
  return UNIT
}

/** The value's type is not enforced. `x op= e` is `x = x op e`, but the target is looked at only once. */
function checkAssign(context: Context, stmt: Node<'assign'>): Type {
  if (stmt.target.kind === 'name') refuseImmutable(context, stmt.target)
  const target = context.checkExpression(context, stmt.target, null)
  const right = context.checkExpression(context, stmt.value, null)
  const value = stmt.operator === null ? right : combine(context, stmt.operator, target, right, stmt.span)
  unify(context.inference, target, value)
  return UNIT
}

function refuseImmutable(context: Context, target: Extract<Expr, { kind: 'name' }>): void {
  if (lookUp(context.environment, target.name)?.isMutable === false) {
    report(context, target.span, null, `Cannot assign to immutable variable '${target.name}'`)
  }
}

function checkReturn(context: Context, stmt: Node<'return'>): Type {
  const declared = context.results.at(-1) ?? null
  const value = stmt.value === null ? UNIT : context.checkExpression(context, stmt.value, declared)
  const mismatch = declared === null ? null : unify(context.inference, value, declared)
  if (mismatch !== null) reportMismatch(context, stmt.span, 'return', mismatch)
  return NEVER
}
