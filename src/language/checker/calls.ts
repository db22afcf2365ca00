import type { Argument, Expr } from '../ast.ts'
import type { Span } from '../span.ts'
import { type Context, markUnsupported } from './context.ts'
import { NAMESPACES, namespaceOf } from './globals.ts'
import { instantiate, resolve, unify } from './inference.ts'
import { reportAbout, reportArgumentCount, reportMismatch, reportUnknownMethod } from './messages.ts'
import { boundParts, methodOf } from './methods.ts'
import { ERROR, FLOAT, fieldOf, INT, paramsOf, resultOf, type Type, UNIT } from './type.ts'

type Node<Kind extends Expr['kind']> = Extract<Expr, { kind: Kind }>

export function checkCall(context: Context, expr: Node<'call'>, expected: Type | null): Type {
  const { inference } = context
  const callee = instantiate(inference, resolve(inference, context.checkExpression(context, expr.callee, null)))
  if (callee.kind === 'error') return ERROR
  if (callee.kind !== 'fn') return reportAbout(context, expr.span, 'Not a function:', callee)
  const special = expr.callee.kind === 'name' ? checkLooseBuiltin(context, expr.callee.name, callee, expr.args) : null
  if (special !== null) return special
  if (expected !== null) unify(inference, resultOf(callee), expected)
  checkArguments(context, paramsOf(callee), expr.args, expr.span)
  return resultOf(callee)
}

/** `print` takes any values, `range` also one, `abs` also a float; by name, so that a user's function of that name is as loose. */
function checkLooseBuiltin(context: Context, name: string, callee: Type, args: readonly Argument[]): Type | null {
  const [first] = args
  if (first === undefined) return null
  if (name === 'print') {
    for (const arg of args) context.checkExpression(context, arg.value, null)
    return UNIT
  }
  if (args.length > 1) return null
  const { inference } = context
  if (name === 'range' && callee.args.length === 3) {
    unify(inference, INT, context.checkExpression(context, first.value, INT))
    return resultOf(callee)
  }
  if (name === 'abs' && callee.args.length === 2) {
    const type = context.checkExpression(context, first.value, null)
    if (resolve(inference, type).kind === 'float') return FLOAT
    unify(inference, INT, type)
    return resultOf(callee)
  }
  return null
}

export function checkMethod(context: Context, expr: Node<'method'>): Type {
  const { inference } = context
  const receiver = resolve(inference, context.checkExpression(context, expr.receiver, null))
  const namespace = namespaceOf(receiver)
  if (namespace !== null) return checkNamespaceCall(context, expr, namespace)
  if (receiver.kind === 'named' && receiver.name === 'Json') {
    markUnsupported(context, 'methods of JSON values', expr.span)
    return ERROR
  }
  const field = receiver.kind === 'record' ? fieldOf(receiver, expr.name) : undefined
  const stored = field === undefined ? undefined : resolve(inference, field)
  if (stored?.kind === 'fn') return applyTo(context, stored, expr)
  const method = methodOf(receiver, expr.name)
  if (method === undefined) return reportUnknownMethod(context, expr.span, expr.name, receiver)
  return applyTo(context, instantiate(inference, method, boundParts(receiver)), expr)
}

function checkNamespaceCall(context: Context, expr: Node<'method'>, namespace: string): Type {
  const methods = NAMESPACES[namespace] ?? {}
  const method = Object.hasOwn(methods, expr.name) ? methods[expr.name] : undefined
  if (method === undefined || context.hasDeclaredEffects) {
    markUnsupported(context, `${namespace}.${expr.name}`, expr.span)
    for (const arg of expr.args) context.checkExpression(context, arg.value, null)
    return ERROR
  }
  return applyTo(context, instantiate(context.inference, method), expr)
}

function applyTo(context: Context, signature: Type, expr: Node<'method'>): Type {
  checkArguments(context, paramsOf(signature), expr.args, expr.span)
  return resultOf(signature)
}

/** Compares arguments with parameters by position; names of arguments have no meaning. */
function checkArguments(context: Context, params: readonly Type[], args: readonly Argument[], span: Span): void {
  if (params.length !== args.length) {
    reportArgumentCount(context, span, params.length, args.length)
    for (const arg of args) context.checkExpression(context, arg.value, null)
    return
  }
  for (const [index, arg] of args.entries()) {
    const param = params[index] ?? ERROR
    const type = context.checkExpression(context, arg.value, param)
    const mismatch = unify(context.inference, param, type)
    if (mismatch !== null) reportMismatch(context, arg.value.span, 'argument', mismatch)
  }
}
