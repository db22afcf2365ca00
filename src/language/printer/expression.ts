import type { Argument, BinaryOperator, Block, Expr, IfExpr, MatchArm, Param } from '../ast.ts'
import { KEY_WORDS, RESERVED_WORDS } from '../keywords.ts'
import { printPattern, printResult, printString, printTemplate, printType } from './literal.ts'
import { printBlock, printStatement } from './printer.ts'

const OPERATORS: Readonly<Record<BinaryOperator | 'pipe' | 'with', readonly [text: string, power: number]>> = {
  pipe: ['|>', 1],
  or: ['or', 3],
  and: ['and', 5],
  with: ['with', 5],
  is: ['is', 7],
  isnt: ['isnt', 7],
  lt: ['<', 9],
  gt: ['>', 9],
  le: ['<=', 9],
  ge: ['>=', 9],
  add: ['+', 11],
  sub: ['-', 11],
  mul: ['*', 13],
  div: ['/', 13],
  mod: ['%', 13],
}
const TRY_POWER = 15
const UNARY_POWER = 16
const POSTFIX_POWER = 17

/** Text of `expr` where a comma, a closing bracket or a line break follows. `indent` is that of the current line. */
export function printExpr(expr: Expr, indent: string): string {
  switch (expr.kind) {
    case 'int':
    case 'bool':
      return String(expr.value)
    case 'float':
      return expr.text
    case 'str':
      return printString(expr.value)
    case 'template':
      return printTemplate(expr)
    case 'name':
      return expr.name
    case 'call':
      return `${printCallee(expr.callee, indent)}(${printArguments(expr.args, indent)})`
    case 'method':
      return `${printOperand(expr.receiver, POSTFIX_POWER, indent)}.${expr.name}(${printArguments(expr.args, indent)})`
    case 'field':
      return `${printOperand(expr.receiver, POSTFIX_POWER, indent)}.${expr.name}`
    case 'index':
      return `${printOperand(expr.receiver, POSTFIX_POWER, indent)}[${printExpr(expr.index, indent)}]`
    case 'unary':
      return `${expr.operator === 'neg' ? '-' : 'not '}${printOperand(expr.operand, UNARY_POWER, indent)}`
    case 'try':
      return `${printOperand(expr.operand, TRY_POWER, indent)}?`
    case 'binary':
    case 'pipe':
    case 'with': {
      const [text, power] = OPERATORS[expr.kind === 'binary' ? expr.operator : expr.kind]
      return `${printOperand(expr.left, power, indent)} ${text} ${printOperand(expr.right, power + 1, indent)}`
    }
    case 'list':
      return `[${expr.items.map((item) => printExpr(item, indent)).join(', ')}]`
    case 'tuple':
      return `(${expr.items.map((item) => printExpr(item, indent)).join(', ')}${expr.items.length === 1 ? ',' : ''})`
    case 'object':
      return `{${expr.fields.map(({ key, value }) => `${printKey(key)}: ${printExpr(value, indent)}`).join(', ')}}`
    case 'block':
      return printBlock(expr, indent)
    case 'if':
      return printIf(expr, indent)
    case 'match':
      return printMatch(expr, indent)
    case 'for':
      return printFor(expr, indent)
    case 'lambda':
      return printLambda(expr, indent)
    case 'element':
      return printElement(expr, indent)
  }
}

/** Text of `expr` next to an operator of `power` or in front of `{`, in parentheses where it needs them. */
export function printOperand(expr: Expr, power: number, indent: string): string {
  const text = printExpr(expr, indent)
  return powerOf(expr) >= power ? text : `(${text})`
}

/** How tight the outermost construct binds; 0 for those that would swallow what follows them. */
function powerOf(expr: Expr): number {
  switch (expr.kind) {
    case 'binary':
      return OPERATORS[expr.operator][1]
    case 'pipe':
    case 'with':
      return OPERATORS[expr.kind][1]
    case 'try':
      return TRY_POWER
    case 'unary':
      return UNARY_POWER
    case 'block':
    case 'if':
    case 'match':
    case 'for':
    case 'lambda':
      return 0
    default:
      return POSTFIX_POWER
  }
}

/** A called field stands in parentheses, or the call would be one of a method. */
function printCallee(callee: Expr, indent: string): string {
  return callee.kind === 'field' ? `(${printExpr(callee, indent)})` : printOperand(callee, POSTFIX_POWER, indent)
}

/** Text in front of a `{` that opens a block. */
function printHead(expr: Expr, indent: string): string {
  return printOperand(expr, 1, indent)
}

function printArguments(args: readonly Argument[], indent: string): string {
  return args.map(({ name, value }) => (name === null ? '' : `${name}=`) + printExpr(value, indent)).join(', ')
}

export function printParams(params: readonly Param[], indent: string): string {
  return params
    .map(({ name, type, fallback }) => {
      const annotation = type === null ? '' : `: ${printType(type)}`
      return name + annotation + (fallback === null ? '' : ` = ${printExpr(fallback, indent)}`)
    })
    .join(', ')
}

function printKey(key: string): string {
  const isBare = /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && key !== '_' && (KEY_WORDS.has(key) || !RESERVED_WORDS.has(key))
  return isBare ? key : printString(key)
}

function printIf({ condition, then, otherwise }: IfExpr, indent: string): string {
  const text = `if ${printHead(condition, indent)} ${printBlock(then, indent)}`
  return otherwise === null ? text : `${text} else ${printExpr(otherwise, indent)}`
}

function printMatch({ subject, arms }: Extract<Expr, { kind: 'match' }>, indent: string): string {
  const inner = `${indent}    `
  const lines = arms.map((arm) => `${inner}${printArm(arm, inner)}\n`)
  return `match ${printHead(subject, indent)} {\n${lines.join('')}${indent}}`
}

/** Ends in a comma, so that nothing of the next arm can be read as part of this one. */
function printArm({ pattern, body }: MatchArm, indent: string): string {
  const isStatement = body.kind === 'return' || body.kind === 'break' || body.kind === 'continue'
  const text = isStatement ? printStatement(body, indent) : printExpr(body, indent)
  const isBareReturn = body.kind === 'return' && body.value === null
  return `${printPattern(pattern)} => ${text}${isBareReturn ? '' : ','}`
}

function printFor(expr: Extract<Expr, { kind: 'for' }>, indent: string): string {
  const names = expr.indexName === null ? expr.name : `${expr.name}, ${expr.indexName}`
  const key = expr.key === null ? '' : ` key=${printHead(expr.key, indent)}`
  const head = `for ${names} in ${printHead(expr.iterable, indent)}${key}`
  if (expr.body.kind === 'block' || expr.body.kind === 'object') return `${head} ${printExpr(expr.body, indent)}`
  // Any other body starts a line of its own, or it could read as a call of the iterable.
  const inner = `${indent}    `
  return `${head}\n${inner}${printExpr(expr.body, inner)}`
}

function printLambda({ params, result, body }: Extract<Expr, { kind: 'lambda' }>, indent: string): string {
  const text = printExpr(body, indent)
  // `fn() to …` would read the body as a type, `fn() to list […]` as its arguments.
  const isClear = text.startsWith('{') || (result === null && !/^to\b/.test(text))
  return `fn(${printParams(params, indent)})${printResult(result)} ${isClear ? text : `(${text})`}`
}

/** Without children it stands in parentheses: a block that happens to follow would become its children. */
function printElement({ name, args, children }: Extract<Expr, { kind: 'element' }>, indent: string): string {
  const text = `${name}(${printArguments(args, indent)})`
  return children === null ? `(${text})` : `${text} ${printChildren(children, indent)}`
}

function printChildren({ body }: Block, indent: string): string {
  const inner = `${indent}    `
  return `{\n${body.map((child) => `${inner}${printStatement(child, inner)},\n`).join('')}${indent}}`
}
