import type { Expr, Pattern, TypeExpr } from '../ast.ts'
import { lex } from '../lexer.ts'

const ESCAPED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\0': '\\0',
}

/**
 * A literal with this value: double quotes, or single ones where double quotes would make it a template.
 * A value read from a double-quoted literal always gets double quotes, the only ones a pattern takes.
 */
export function printString(value: string): string {
  const double = quote(value, '"')
  return lex(double)[0]?.kind === 'string' ? double : quote(value, "'")
}

function quote(value: string, mark: '"' | "'"): string {
  // A backslash in front of a brace stays single: doubled, it would leave the brace free to open a template hole.
  const inner = value.replace(/\\\{|[\\\n\t\r\0"']/g, (found) => {
    if (found === '\\') return '\\\\'
    if (found === '"' || found === "'") return found === mark ? `\\${found}` : found
    return ESCAPED[found] ?? found
  })
  return `${mark}${inner}${mark}`
}

/** The literal with its texts as written; nothing in a template is escaped or resolved. */
export function printTemplate({ parts }: Extract<Expr, { kind: 'template' }>): string {
  return `"${parts.map((part) => (part.kind === 'text' ? part.text : `{${part.name}}`)).join('')}"`
}

export function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'wildcard':
      return '_'
    case 'bind':
      return pattern.name
    case 'int':
      return String(pattern.value)
    case 'str':
      return printString(pattern.value)
    case 'constructor':
      return pattern.name + (pattern.args.length > 0 ? `(${pattern.args.map(printPattern).join(', ')})` : '')
    case 'tuple':
      return `(${pattern.items.map(printPattern).join(', ')})`
  }
}

export function printType(type: TypeExpr): string {
  if (type.kind === 'fn') return `fn(${type.params.map(printType).join(', ')})${printResult(type.result)}`
  return type.name + (type.args.length > 0 ? `[${type.args.map(printType).join(', ')}]` : '')
}

/** ` to T`, or nothing. */
export function printResult(result: TypeExpr | null): string {
  return result === null ? '' : ` to ${printType(result)}`
}
