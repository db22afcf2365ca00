import type { BinaryOperator, Expr } from '../ast.ts'
import type { Span } from '../span.ts'
import type { Context } from './context.ts'
import { arithmetic, instantiate, resolve, unify } from './inference.ts'
import { reportAbout, reportOperands } from './messages.ts'
import { BOOL, ERROR, paramsOf, resultOf, STR, type Type } from './type.ts'

type Chain = Extract<Expr, { kind: 'binary' | 'pipe' }>

/** Type of a chain of binary operators. Walks its left side in a loop: long sums are one deep branch. */
export function checkChain(context: Context, chain: Chain): Type {
  const nodes: Chain[] = []
  let leftmost: Expr = chain
  while (leftmost.kind === 'binary' || leftmost.kind === 'pipe') {
    nodes.push(leftmost)
    leftmost = leftmost.left
  }
  let type = context.checkExpression(context, leftmost, null)
  for (const node of nodes.reverse()) {
    const right = context.checkExpression(context, node.right, null)
    type =
      node.kind === 'pipe'
        ? pipe(context, type, right, node.span)
        : combine(context, node.operator, type, right, node.span)
  }
  return type
}

/** Only `+` reports its operands; a bad operand of other arithmetic quietly gives the error type. */
export function combine(context: Context, operator: BinaryOperator, left: Type, right: Type, span: Span): Type {
  const a = resolve(context.inference, left)
  const b = resolve(context.inference, right)
  switch (operator) {
    case 'add':
      if (a.kind === 'str' || b.kind === 'str') return STR
      return arithmetic(a, b) ?? reportOperands(context, span, a, b)
    case 'sub':
    case 'mul':
    case 'div':
    case 'mod':
      return arithmetic(a, b) ?? ERROR
    case 'and':
    case 'or':
      unify(context.inference, a, BOOL)
      unify(context.inference, b, BOOL)
      return BOOL
    default:
      return BOOL
  }
}

export function checkUnary(context: Context, operator: 'neg' | 'not', operand: Type): Type {
  const type = resolve(context.inference, operand)
  if (operator === 'neg') return type.kind === 'int' || type.kind === 'float' ? type : ERROR
  unify(context.inference, type, BOOL)
  return BOOL
}

function pipe(context: Context, left: Type, right: Type, span: Span): Type {
  const target = instantiate(context.inference, resolve(context.inference, right))
  if (target.kind === 'error') return ERROR
  if (target.kind !== 'fn') return reportAbout(context, span, 'Not a function:', target)
  const [first] = paramsOf(target)
  if (first !== undefined) unify(context.inference, left, first)
  return resultOf(target)
}
