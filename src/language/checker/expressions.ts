import type { Argument, Expr, IfExpr, MatchArm, TemplatePart } from '../ast.ts'
import type { Span } from '../span.ts'
import { checkField, checkIndex, checkTry } from './access.ts'
import { checkCall, checkMethod } from './calls.ts'
import { type Context, isTooDeep } from './context.ts'
import { define, inScope, lookUp } from './environment.ts'
import { checkExhaustive } from './exhaustiveness.ts'
import { freshVariable, instantiate, resolve, unify } from './inference.ts'
import { checkLambda, checkList, checkObject } from './literals.ts'
import { report, reportAbout, reportUndefined } from './messages.ts'
import { checkChain, checkUnary, combine } from './operators.ts'
import { bindPattern } from './patterns.ts'
import { checkStatement } from './statements.ts'
import { BOOL, CHAR, ELEMENT, ERROR, FLOAT, INT, partOf, result, STR, type Type, tuple, UNIT } from './type.ts'

type Node<Kind extends Expr['kind']> = Extract<Expr, { kind: Kind }>

/** Type of an expression; see `Context.checkExpression` for `expected`. */
export function checkExpression(context: Context, expr: Expr, expected: Type | null): Type {
  if (isTooDeep(context, expr.span)) return ERROR
  context.depth++
  const type = checkNode(context, expr, expected)
  context.depth--
  return type
}

function checkNode(context: Context, expr: Expr, expected: Type | null): Type {
  switch (expr.kind) {
    case 'int':
      return INT
    case 'float':
      return FLOAT
    case 'bool':
      return BOOL
    case 'str':
      return STR
    case 'template':
      return checkTemplate(context, expr.parts, expr.span)
    case 'name':
      return checkName(context, expr.name, expr.span)
    case 'call':
      return checkCall(context, expr, expected)
    case 'method':
      return checkMethod(context, expr)
    case 'field':
      return checkField(context, expr)
    case 'index':
      return checkIndex(context, expr)
    case 'unary':
      return checkUnary(context, expr.operator, checkExpression(context, expr.operand, null))
    case 'binary':
    case 'pipe':
      return checkChain(context, expr)
    case 'with':
      return checkWith(context, expr)
    case 'try':
      return checkTry(context, expr)
    case 'list':
      return checkList(context, expr, expected)
    case 'tuple':
      return tuple(expr.items.map((item) => checkExpression(context, item, null)))
    case 'object':
      return checkObject(context, expr, expected)
    case 'block':
      return inScope(context.environment, () => context.checkStatements(context, expr))
    case 'if':
      return checkIf(context, expr)
    case 'match':
      return checkMatch(context, expr, expected)
    case 'for':
      return checkFor(context, expr)
    case 'lambda':
      return checkLambda(context, expr, expected)
    case 'element':
      return checkElement(context, expr.args, expr.children)
  }
}

function checkName(context: Context, name: string, span: Span): Type {
  const binding = lookUp(context.environment, name)
  return binding === undefined ? reportUndefined(context, span, name) : instantiate(context.inference, binding.type)
}

/** Parts are joined by `+` without an empty string in front: a template of one name has that name's type. */
function checkTemplate(context: Context, parts: readonly TemplatePart[], span: Span): Type {
  const types = parts.map((part) => (part.kind === 'text' ? STR : checkName(context, part.name, part.span)))
  return types.reduce((left, right) => combine(context, 'add', left, right, span))
}

/** The value has the type of the first branch; branches that differ are let pass. */
function checkIf(context: Context, expr: IfExpr): Type {
  unify(context.inference, checkExpression(context, expr.condition, null), BOOL)
  const then = checkExpression(context, expr.then, null)
  if (expr.otherwise !== null) unify(context.inference, then, checkExpression(context, expr.otherwise, null))
  return then
}

function checkMatch(context: Context, expr: Node<'match'>, expected: Type | null): Type {
  const { inference } = context
  const subject = resolve(inference, checkExpression(context, expr.subject, null))
  checkExhaustive(context, subject, expr.arms, expr.span)
  const value = expected ?? freshVariable(inference)
  for (const arm of expr.arms) {
    inScope(context.environment, () => {
      bindPattern(context, arm.pattern, subject, false)
      unify(inference, value, checkArm(context, arm, value))
    })
  }
  return value
}

function checkArm(context: Context, { body }: MatchArm, expected: Type): Type {
  const isStatement = body.kind === 'return' || body.kind === 'break' || body.kind === 'continue'
  return isStatement ? checkStatement(context, body) : checkExpression(context, body, expected)
}

function checkFor(context: Context, expr: Node<'for'>): Type {
  const iterable = resolve(context.inference, checkExpression(context, expr.iterable, null))
  inScope(context.environment, () => {
    define(context.environment, expr.name, elementType(context, iterable))
    if (expr.indexName !== null) define(context.environment, expr.indexName, INT)
    if (expr.key !== null) checkExpression(context, expr.key, null)
    checkExpression(context, expr.body, null)
  })
  return UNIT
}

function elementType(context: Context, iterable: Type): Type {
  switch (iterable.kind) {
    case 'list':
    case 'set':
    case 'stream':
      return partOf(iterable)
    case 'map':
      return tuple(iterable.args)
    case 'str':
      return CHAR
    default:
      return freshVariable(context.inference)
  }
}

function checkWith(context: Context, expr: Node<'with'>): Type {
  const { inference } = context
  const left = checkExpression(context, expr.left, null)
  checkExpression(context, expr.right, null)
  if (expr.right.kind !== 'object') report(context, expr.right.span, null, "'with' options must be a record literal")
  const wanted = result(freshVariable(inference), freshVariable(inference))
  if (unify(inference, left, wanted) === null) return wanted
  return reportAbout(context, expr.span, "'with' operand must have type Result[T]; found incompatible type", left)
}

function checkElement(context: Context, args: readonly Argument[], children: Node<'block'> | null): Type {
  for (const arg of args) checkExpression(context, arg.value, null)
  if (children !== null) checkExpression(context, children, null)
  return ELEMENT
}
