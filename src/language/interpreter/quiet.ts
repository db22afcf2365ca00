import type { Expr } from '../ast.ts'

/**
 * Whether evaluating `expression` leaves every variable of its function as it is. While only quiet
 * expressions follow, a value read from a variable can be used without a mark that it is shared.
 */
export function isQuiet(expression: Expr): boolean {
  switch (expression.kind) {
    case 'int':
    case 'float':
    case 'bool':
    case 'str':
    case 'template':
    case 'name':
    case 'lambda':
    case 'element':
      return true
    case 'call':
      return isQuiet(expression.callee) && expression.args.every((argument) => isQuiet(argument.value))
    case 'method':
      return (
        expression.name !== 'push' &&
        isQuiet(expression.receiver) &&
        expression.args.every((argument) => isQuiet(argument.value))
      )
    case 'field':
      return isQuiet(expression.receiver)
    case 'index':
      return isQuiet(expression.receiver) && isQuiet(expression.index)
    case 'unary':
      return isQuiet(expression.operand)
    case 'binary':
    case 'pipe':
      return isQuiet(expression.left) && isQuiet(expression.right)
    case 'list':
    case 'tuple':
      return expression.items.every(isQuiet)
    case 'object':
      return expression.fields.every((field) => isQuiet(field.value))
    default:
      return false
  }
}
