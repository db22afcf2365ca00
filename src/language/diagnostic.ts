import type { Span } from './span.ts'

/** What the lexer, the parser and the checker say of a program. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** Vox's own code (`E0001` for a parse error, `E0301`, `vox/types/…`); null where Vox attaches none. */
  readonly code: string | null
  readonly message: string
  readonly span: Span
  /** Which tolerated spelling a warning is about. */
  readonly tolerated?: 'alias' | 'semicolon' | 'arrow'
  /** Match cases left out, with `E0301`. */
  readonly missingCases?: readonly string[]
}
