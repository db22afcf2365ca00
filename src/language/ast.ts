import type { Span } from './span.ts'

export interface Module {
  /** Declarations and top-level statements in source order. */
  readonly items: readonly Item[]
}

export type Item =
  | FnDecl
  | TypeDecl
  | ImportDecl
  | { readonly kind: 'statement'; readonly body: Stmt; readonly span: Span }

export interface FnDecl {
  readonly kind: 'fn'
  readonly name: string
  readonly nameSpan: Span
  readonly generics: readonly string[]
  readonly params: readonly Param[]
  /** Words of a `uses` clause; null without one. */
  readonly uses: readonly string[] | null
  readonly result: TypeExpr | null
  readonly body: Block
  readonly isPub: boolean
  readonly isAsync: boolean
  /** Names without the `@`. */
  readonly decorators: readonly string[]
  /** Soft keyword that introduced it (`query`, `mutation`, `server`); null for a plain `fn`. */
  readonly endpoint: string | null
  readonly span: Span
}

export interface Param {
  readonly name: string
  readonly type: TypeExpr | null
  readonly fallback: Expr | null
  readonly span: Span
}

export interface TypeDecl {
  readonly kind: 'type'
  readonly name: string
  readonly isPub: boolean
  readonly shape:
    | { readonly kind: 'record'; readonly fields: readonly FieldDecl[] }
    | { readonly kind: 'sum'; readonly variants: readonly VariantDecl[] }
  readonly span: Span
}

export interface FieldDecl {
  readonly name: string
  readonly type: TypeExpr
}

export interface VariantDecl {
  readonly name: string
  /** Empty for a nullary variant. */
  readonly fields: readonly FieldDecl[]
  readonly span: Span
}

export interface ImportDecl {
  readonly kind: 'import'
  /** Dotted or `rust:`-prefixed path as written. */
  readonly path: string
  readonly span: Span
}

export type TypeExpr =
  | { readonly kind: 'named'; readonly name: string; readonly args: readonly TypeExpr[]; readonly span: Span }
  | { readonly kind: 'fn'; readonly params: readonly TypeExpr[]; readonly result: TypeExpr | null; readonly span: Span }

export type Pattern =
  | { readonly kind: 'wildcard'; readonly span: Span }
  | { readonly kind: 'bind'; readonly name: string; readonly span: Span }
  | { readonly kind: 'int'; readonly value: bigint; readonly span: Span }
  | { readonly kind: 'str'; readonly value: string; readonly span: Span }
  | { readonly kind: 'constructor'; readonly name: string; readonly args: readonly Pattern[]; readonly span: Span }
  | { readonly kind: 'tuple'; readonly items: readonly Pattern[]; readonly span: Span }

export type Stmt =
  | {
      readonly kind: 'let'
      readonly isMutable: boolean
      readonly pattern: Pattern
      readonly type: TypeExpr | null
      readonly value: Expr
      readonly span: Span
    }
  /** `operator` null is plain `=`. */
  | {
      readonly kind: 'assign'
      readonly target: Expr
      readonly operator: 'add' | 'sub' | 'mul' | 'div' | null
      readonly value: Expr
      readonly span: Span
    }
  | { readonly kind: 'return'; readonly value: Expr | null; readonly span: Span }
  | { readonly kind: 'while'; readonly condition: Expr; readonly body: Block; readonly span: Span }
  | { readonly kind: 'loop'; readonly body: Block; readonly span: Span }
  | { readonly kind: 'break'; readonly span: Span }
  | { readonly kind: 'continue'; readonly span: Span }
  | { readonly kind: 'expr'; readonly value: Expr; readonly span: Span }

export interface Block {
  readonly kind: 'block'
  readonly body: readonly Stmt[]
  readonly span: Span
}

export type BinaryOperator =
  | 'or'
  | 'and'
  | 'is'
  | 'isnt'
  | 'lt'
  | 'gt'
  | 'le'
  | 'ge'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'mod'

export interface Argument {
  readonly name: string | null
  readonly value: Expr
}

export interface MatchArm {
  readonly pattern: Pattern
  /** An expression, or one bare `return` / `break` / `continue`. */
  readonly body: Expr | Extract<Stmt, { kind: 'return' | 'break' | 'continue' }>
  readonly span: Span
}

export interface IfExpr {
  readonly kind: 'if'
  readonly condition: Expr
  readonly then: Block
  readonly otherwise: Block | IfExpr | null
  readonly span: Span
}

export type Expr =
  | { readonly kind: 'int'; readonly value: bigint; readonly span: Span }
  | { readonly kind: 'float'; readonly value: number; readonly text: string; readonly span: Span }
  | { readonly kind: 'bool'; readonly value: boolean; readonly span: Span }
  | { readonly kind: 'str'; readonly value: string; readonly span: Span }
  /** Texts and bare names, in order; joined by `+` without a leading empty string. */
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[]; readonly span: Span }
  | { readonly kind: 'name'; readonly name: string; readonly span: Span }
  | { readonly kind: 'call'; readonly callee: Expr; readonly args: readonly Argument[]; readonly span: Span }
  | {
      readonly kind: 'method'
      readonly receiver: Expr
      readonly name: string
      readonly args: readonly Argument[]
      readonly span: Span
    }
  | { readonly kind: 'field'; readonly receiver: Expr; readonly name: string; readonly span: Span }
  | { readonly kind: 'index'; readonly receiver: Expr; readonly index: Expr; readonly span: Span }
  | { readonly kind: 'unary'; readonly operator: 'neg' | 'not'; readonly operand: Expr; readonly span: Span }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expr
      readonly right: Expr
      readonly span: Span
    }
  | { readonly kind: 'pipe'; readonly left: Expr; readonly right: Expr; readonly span: Span }
  | { readonly kind: 'with'; readonly left: Expr; readonly right: Expr; readonly span: Span }
  | { readonly kind: 'try'; readonly operand: Expr; readonly span: Span }
  | { readonly kind: 'list'; readonly items: readonly Expr[]; readonly span: Span }
  | { readonly kind: 'tuple'; readonly items: readonly Expr[]; readonly span: Span }
  | {
      readonly kind: 'object'
      readonly fields: readonly { readonly key: string; readonly value: Expr }[]
      readonly span: Span
    }
  | Block
  | IfExpr
  | { readonly kind: 'match'; readonly subject: Expr; readonly arms: readonly MatchArm[]; readonly span: Span }
  | {
      readonly kind: 'for'
      readonly name: string
      readonly indexName: string | null
      readonly iterable: Expr
      readonly key: Expr | null
      readonly body: Expr
      readonly span: Span
    }
  | {
      readonly kind: 'lambda'
      readonly params: readonly Param[]
      readonly result: TypeExpr | null
      readonly body: Expr
      readonly span: Span
    }
  /** A view call (vox: JSX element): parses, type `Element`, always fails at run time. */
  | {
      readonly kind: 'element'
      readonly name: string
      readonly args: readonly Argument[]
      readonly children: Block | null
      readonly span: Span
    }

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string; readonly span: Span }
