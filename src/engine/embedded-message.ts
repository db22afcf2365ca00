import type { EngineDiagnostic } from './engine.ts'

/** What the pool asks of a worker; one request is answered before the next is sent. */
export type WorkerRequest =
  | { readonly kind: 'check'; readonly program: string }
  | { readonly kind: 'run'; readonly program: string; readonly outputBytes: number; readonly memoryBytes: number }

export type CheckReply =
  | { readonly kind: 'accepted'; readonly warnings: readonly EngineDiagnostic[] }
  | { readonly kind: 'rejected'; readonly diagnostics: readonly EngineDiagnostic[]; readonly text: string }

export type RunReply =
  | {
      readonly kind: 'exited'
      readonly code: number
      readonly stderr: string
      readonly elapsedMs: number
      readonly exceeded?: 'steps' | 'depth'
    }
  | { readonly kind: 'output-limit' }

/** A worker sends `ready` once, `output` while a program runs, and exactly one other message when it is done. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'output'; readonly text: string }
  | CheckReply
  | RunReply
  | { readonly kind: 'unsupported'; readonly reason: string }
  /** The language code itself threw: a bug of ours, never the program's verdict. */
  | { readonly kind: 'threw'; readonly name: string; readonly text: string }
