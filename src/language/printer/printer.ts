import type { Block, Expr, FieldDecl, FnDecl, Item, Module, Stmt, TypeDecl } from '../ast.ts'
import { printExpr, printOperand, printParams } from './expression.ts'
import { printPattern, printResult, printType } from './literal.ts'

const COMPOUND = { add: '+=', sub: '-=', mul: '*=', div: '/=' } as const
/** Words that open a declaration when they come first at top level. */
const HEAD_WORD =
  /^(?:fn|pub|async|type|import|extern|fragment|component|actor|workflow|activity|routes|url|state_machine|http|agent|env)\b/

/**
 * Source text of a parsed module in canonical spelling. Parsing it gives the same module again, spans
 * apart; comments and redundant parentheses are lost. A module that no parse could give may not print soundly.
 */
export function print(module: Module): string {
  const lines: string[] = []
  for (const item of module.items.toReversed()) lines.push(`${printItem(item, lines.at(-1) ?? '')}\n`)
  return lines.reverse().join('')
}

function printItem(item: Item, following: string): string {
  switch (item.kind) {
    case 'fn':
      return printFn(item)
    case 'type':
      return printTypeDecl(item)
    case 'import':
      return `import ${item.path}`
    case 'statement': {
      const text = printBefore(item.body, following, '')
      return HEAD_WORD.test(text) ? printStatement(item.body, '', 'first') : text
    }
  }
}

/** `{ … }` on several lines; the brace pair stays on one when it is empty. */
export function printBlock({ body }: Block, indent: string): string {
  if (body.length === 0) return '{ }'
  const inner = `${indent}    `
  const lines: string[] = []
  for (const statement of body.toReversed()) {
    lines.push(`${inner}${printBefore(statement, lines.at(-1)?.trimStart() ?? '', inner)}\n`)
  }
  return `{\n${lines.reverse().join('')}${indent}}`
}

/** A statement in front of the text `following`, which must not be read as its continuation. */
function printBefore(statement: Stmt, following: string, indent: string): string {
  const value = 'value' in statement ? statement.value : null
  const isGlued = value !== null && endsInOpenIf(value) && /^[([-]/.test(following)
  return printStatement(statement, indent, isGlued ? 'last' : 'none')
}

/** Whether the text of `expr` ends in an `if` without `else`, which looks for a continuation on the next line. */
function endsInOpenIf(expr: Expr): boolean {
  if (expr.kind === 'if') return expr.otherwise === null || endsInOpenIf(expr.otherwise)
  return (expr.kind === 'lambda' || expr.kind === 'for') && endsInOpenIf(expr.body)
}

/** `closed` names the end of the statement whose expression is put in parentheses. */
export function printStatement(statement: Stmt, indent: string, closed: 'none' | 'first' | 'last' = 'none'): string {
  const last = (value: Expr) => (closed === 'last' ? `(${printExpr(value, indent)})` : printExpr(value, indent))
  switch (statement.kind) {
    case 'let': {
      const { isMutable, pattern, type, value } = statement
      const annotation = type === null ? '' : `: ${printType(type)}`
      return `let ${isMutable ? 'mut ' : ''}${printPattern(pattern)}${annotation} = ${last(value)}`
    }
    case 'assign': {
      const { target, operator, value } = statement
      const left = closed === 'first' ? `(${printExpr(target, indent)})` : printOperand(target, 1, indent)
      return `${left} ${operator === null ? '=' : COMPOUND[operator]} ${last(value)}`
    }
    case 'return':
      return statement.value === null ? 'return' : `return ${last(statement.value)}`
    case 'while':
      return `while ${printOperand(statement.condition, 1, indent)} ${printBlock(statement.body, indent)}`
    case 'loop':
      return `loop ${printBlock(statement.body, indent)}`
    case 'break':
    case 'continue':
      return statement.kind
    case 'expr':
      return closed === 'none' ? printExpr(statement.value, indent) : `(${printExpr(statement.value, indent)})`
  }
}

function printFn(fn: FnDecl): string {
  const words = [...fn.decorators.map((name) => `@${name}`), 'fn']
  if (fn.isPub) words.unshift('pub')
  if (fn.isAsync) words.unshift('async')
  const generics = fn.generics.length > 0 ? `<${fn.generics.join(', ')}>` : ''
  const uses = fn.uses === null ? '' : ` uses ${fn.uses.join(', ')}`
  const head = `${words.join(' ')} ${fn.name}${generics}(${printParams(fn.params, '')})${uses}${printResult(fn.result)}`
  return `${head} ${printBlock(fn.body, '')}`
}

function printTypeDecl({ name, isPub, shape }: TypeDecl): string {
  const head = `${isPub ? 'pub ' : ''}type ${name}`
  if (shape.kind === 'record') return `${head} { ${printFields(shape.fields)} }`
  const variants = shape.variants.map((variant) => {
    const fields = variant.fields.length > 0 ? `(${printFields(variant.fields)})` : ''
    return ` | ${variant.name}${fields}`
  })
  return `${head} =${variants.join('')}`
}

function printFields(fields: readonly FieldDecl[]): string {
  return fields.map(({ name, type }) => `${name}: ${printType(type)}`).join(', ')
}
