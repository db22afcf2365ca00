import type { Module } from './ast.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Span } from './span.ts'

/** `unsupported`: real Vox may take it, but it lies outside the slice this project knows; never a guess. */
export type ParseResult =
  | { readonly kind: 'parsed'; readonly module: Module; readonly warnings: readonly Diagnostic[] }
  | { readonly kind: 'failed'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'unsupported'; readonly reason: string; readonly span: Span }

export type CheckResult =
  | { readonly kind: 'accepted'; readonly warnings: readonly Diagnostic[] }
  /** `diagnostics` holds errors and warnings in order. */
  | { readonly kind: 'rejected'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'unsupported'; readonly reason: string; readonly span: Span }

/** How a program ended. `exit` and `stderr` are what the vox binary would show. */
export type RunResult =
  | { readonly kind: 'exited'; readonly exit: number; readonly stderr: string; readonly steps: number }
  /** The embedded engine alone: the output sink refused more text. */
  | { readonly kind: 'output-limit' }
  | { readonly kind: 'unsupported'; readonly reason: string }
