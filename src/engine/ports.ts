/** What becomes of a program that was run to its end. Both streams are kept whole; give `onOutput` for long ones. */
export type ExecResult =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'signalled'; readonly signal: string; readonly stdout: string; readonly stderr: string }
  /** There is no such program. */
  | { readonly kind: 'not-found' }

export interface ExecOptions {
  readonly cwd?: string
  /** The whole environment of the program; nothing of the caller's is added. */
  readonly env: Readonly<Record<string, string>>
  /** Takes the output piece by piece; `stdout` and `stderr` of the result are empty then. */
  onOutput?(piece: Buffer, stream: 'stdout' | 'stderr'): void
}

/** Runs the tools that find and build vox: git, cargo, rustc, tar. */
export interface Exec {
  /** Runs `command[0]`, found on the PATH of `env`, with no shell and no input. */
  run(command: readonly string[], options: ExecOptions): Promise<ExecResult>
}

/** Keeps built binaries from one run to the next. Both may reject; trouble with a cache is never the end of a run. */
export interface Cache {
  /** Fills `folder` with what was saved from a folder of the same path under `key`; false when there is nothing. */
  restore(key: string, folder: string): Promise<boolean>
  save(key: string, folder: string): Promise<void>
}
