import type { Span } from './span.ts'

interface TokenBase {
  /** Exact source text; joining the texts of all tokens and trivia gives the normalised source back. */
  readonly text: string
  readonly span: Span
}

export type Token =
  | (TokenBase & {
      readonly kind:
        | 'ident'
        | 'type-ident'
        | 'keyword'
        | 'symbol'
        /** `@name` of a decorator the lexer knows. */
        | 'decorator'
        /** A lone `!`. */
        | 'bang'
        /** Fixed-point literal such as `1.5dec`. */
        | 'decimal'
        | 'newline'
        /** One character that starts no token, an unmatched quote included. */
        | 'unknown'
        /** An integer above the 64-bit range; Vox drops it. */
        | 'invalid-int'
        | 'blank'
        | 'comment'
        | 'eof'
    })
  | (TokenBase & { readonly kind: 'int'; readonly value: bigint })
  | (TokenBase & { readonly kind: 'float'; readonly value: number })
  /** Escapes are resolved in `string` and `single`; `raw` and `template` hold the text between the quotes. */
  | (TokenBase & { readonly kind: 'string' | 'single' | 'raw' | 'template'; readonly value: string })

export type TokenKind = Token['kind']

/** Whether a token is none of Vox's: a character that starts none, a lone `!`, or an integer above the range. */
export function isForeign({ kind }: Token): boolean {
  return kind === 'unknown' || kind === 'bang' || kind === 'invalid-int'
}

/** How a token is named in a parser message. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case 'newline':
      return '<newline>'
    case 'eof':
      return '<eof>'
    case 'string':
    case 'template':
      return `"${token.value}"`
    case 'single':
      return `'${token.value}'`
    case 'raw':
      return `r"${token.value}"`
    case 'int':
    case 'float':
      return String(token.value)
    default:
      return token.text
  }
}
