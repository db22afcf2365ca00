import type { Expr } from '../ast.ts'
import { typeOf } from './annotation.ts'
import type { Context } from './context.ts'
import { define, inScope } from './environment.ts'
import { freshVariable, join, resolve, unify } from './inference.ts'
import { fn, list, named, paramsOf, partOf, record, resultOf, type Type } from './type.ts'

type Node<Kind extends Expr['kind']> = Extract<Expr, { kind: Kind }>

/** A list takes the expected element type, or that of its first element; an element that fits neither is let pass. */
export function checkList(context: Context, expr: Node<'list'>, expected: Type | null): Type {
  const hint = expected === null ? null : resolve(context.inference, expected)
  let item = hint?.kind === 'list' ? partOf(hint) : null
  for (const each of expr.items) {
    const type = context.checkExpression(context, each, item)
    item = item === null ? type : (join(context.inference, item, type) ?? item)
  }
  return list(item ?? freshVariable(context.inference))
}

/** An object takes an expected user type as it is, whatever fields it has; else it is a record. */
export function checkObject(context: Context, expr: Node<'object'>, expected: Type | null): Type {
  const hint = expected === null ? null : resolve(context.inference, expected)
  const declared = hint?.kind === 'named' ? context.environment.types.get(hint.name) : undefined
  const types = expr.fields.map((field) => {
    const known = declared?.fields.get(field.key) ?? (hint?.kind === 'record' ? fieldHint(hint, field.key) : undefined)
    return context.checkExpression(context, field.value, known ?? null)
  })
  if (hint?.kind === 'named' && (hint.name === 'Json' || hint.name === 'JsonBody')) return hint
  if (declared !== undefined && declared.fields.size + declared.variants.size > 0) return named(declared.name)
  return record(
    expr.fields.map((field) => field.key),
    types,
  )
}

const fieldHint = (hint: Type, label: string): Type | undefined => hint.args[hint.labels.lastIndexOf(label)]

/** A lambda takes parameter and result types from an expected function of the same size where it declares none. */
export function checkLambda(context: Context, expr: Node<'lambda'>, expected: Type | null): Type {
  const hint = expected === null ? null : resolve(context.inference, expected)
  const model = hint?.kind === 'fn' && hint.args.length === expr.params.length + 1 ? hint : null
  const hints = model === null ? [] : paramsOf(model)
  const { environment, inference, results } = context
  return inScope(environment, () => {
    const params = expr.params.map((param, index) => {
      const type = param.type === null ? (hints[index] ?? freshVariable(inference)) : typeOf(param.type)
      define(environment, param.name, type)
      return type
    })
    const declared = expr.result === null ? null : typeOf(expr.result)
    const value = declared ?? (model === null ? freshVariable(inference) : resultOf(model))
    results.push(value)
    unify(inference, context.checkExpression(context, expr.body, value), value)
    results.pop()
    return fn(params, value)
  })
}
