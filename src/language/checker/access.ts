import type { Expr } from '../ast.ts'
import type { Span } from '../span.ts'
import { type Context, markUnsupported, type PendingField } from './context.ts'
import { NAMESPACES, namespaceOf, namespaceType } from './globals.ts'
import { freshVariable, instantiate, resolve, unify } from './inference.ts'
import { report, reportAbout } from './messages.ts'
import { ERROR, fieldOf, option, partOf, STR, type Type } from './type.ts'
import { debugText } from './type-text.ts'

type Node<Kind extends Expr['kind']> = Extract<Expr, { kind: Kind }>

export function checkField(context: Context, expr: Node<'field'>): Type {
  const receiver = resolve(context.inference, context.checkExpression(context, expr.receiver, null))
  if (receiver.kind !== 'variable') return readField(context, receiver, expr.name, expr.span)
  const value = freshVariable(context.inference)
  context.pendingFields.push({ target: receiver, field: expr.name, value, span: expr.span })
  return value
}

function readField(context: Context, receiver: Type, field: string, span: Span): Type {
  if (receiver.kind === 'error') return ERROR
  if (namespaceOf(receiver) !== null) return readNamespace(context, receiver, field, span)
  if (receiver.kind === 'record') {
    const shown = (): string => debugText(context.inference, receiver)
    return fieldOf(receiver, field) ?? report(context, span, null, `Field '${field}' not found on ${shown()}`)
  }
  if (receiver.kind === 'named') {
    const fields = context.environment.types.get(receiver.name)?.fields
    if (fields !== undefined && fields.size > 0) {
      return fields.get(field) ?? report(context, span, null, `Field '${field}' not found on struct ${receiver.name}`)
    }
    if (receiver.name === 'any') return receiver
  }
  if (receiver.kind === 'database') return report(context, span, null, `Unknown table '${field}' in database`)
  return reportAbout(context, span, `Cannot access field '${field}' on`, receiver)
}

function readNamespace(context: Context, receiver: Type, field: string, span: Span): Type {
  const name = `${namespaceOf(receiver)}.${field}`
  if (Object.hasOwn(NAMESPACES, name)) return namespaceType(name)
  markUnsupported(context, name, span)
  return ERROR
}

/** Decides the fields that were read from values of then unknown type; of those only records have any. */
export function settlePendingFields(context: Context): void {
  let open = context.pendingFields
  for (let hasProgress = true; hasProgress && open.length > 0; ) {
    const left = open.filter((pending) => {
      const target = resolve(context.inference, pending.target)
      if (target.kind === 'variable') return true
      settleField(context, target, pending)
      return false
    })
    hasProgress = left.length < open.length
    open = left
  }
  for (const { field, span } of open) {
    report(context, span, null, `Type inference requires more type annotations: field '${field}' of an unknown type`)
  }
}

function settleField(context: Context, target: Type, { field, value, span }: PendingField): void {
  if (target.kind === 'record') unify(context.inference, value, readField(context, target, field, span))
  else if (target.kind !== 'error' && target.kind !== 'never') {
    reportAbout(context, span, `Cannot access field '${field}' on`, target)
  }
}

/** Elements are Options; of a tuple the first part; of anything else unknown. The kind of the index is not compared. */
export function checkIndex(context: Context, expr: Node<'index'>): Type {
  const receiver = resolve(context.inference, context.checkExpression(context, expr.receiver, null))
  context.checkExpression(context, expr.index, null)
  switch (receiver.kind) {
    case 'list':
      return option(partOf(receiver))
    case 'map':
      return option(partOf(receiver, 1))
    case 'str':
      return option(STR)
    case 'tuple':
      return receiver.args[0] ?? freshVariable(context.inference)
    default:
      return freshVariable(context.inference)
  }
}

/** `?` gives the value of an Option or Result, inside a function whose result is of the same kind. */
export function checkTry(context: Context, expr: Node<'try'>): Type {
  const { inference } = context
  const operand = instantiate(inference, resolve(inference, context.checkExpression(context, expr.operand, null)))
  if (operand.kind === 'error') return ERROR
  if (operand.kind !== 'option' && operand.kind !== 'result') {
    const message = `\`?\` can only be used on Result or Option types; found incompatible type (${debugText(inference, operand)})`
    return report(context, expr.span, null, message)
  }
  const around = context.results.at(-1)
  const kind = around === undefined ? operand.kind : resolve(inference, around).kind
  if (kind !== operand.kind && kind !== 'error') {
    const [name, article] = operand.kind === 'option' ? ['Option', 'an Option'] : ['Result', 'a Result']
    report(
      context,
      expr.span,
      null,
      `Cannot use \`?\` operator on ${name} in a function that does not return ${article}`,
    )
  }
  return partOf(operand)
}
