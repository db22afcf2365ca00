import type { Terminal } from './terminal.ts'

/** What a command ends with; the process exits with it. */
export const exitCodes = { fine: 0, gateSaysNo: 1, usage: 2, infrastructure: 3, incomplete: 4 } as const

export interface CommandOption {
  readonly name: string
  /** What stands for the value in help texts; empty for a switch. */
  readonly value: string
  readonly help: string
}

export interface Invocation {
  /** The text of each option given; `true` for a switch. */
  readonly options: Readonly<Record<string, string | true | undefined>>
  readonly positionals: readonly string[]
  readonly terminal: Terminal
  /** Aborted by the first SIGINT or SIGTERM after `finishOnSignal`. */
  readonly signal: AbortSignal
  /** From now on there is something to finish: the first signal aborts `signal`. Before, it ends the process at once. */
  finishOnSignal(): void
}

export interface Command {
  /** After `vox-efficacy`, e.g. `corpus audit [options]`. */
  readonly usage: string
  /** A paragraph that teaches when to use it and what comes out. */
  readonly about: string
  readonly options: readonly CommandOption[]
  /** Names of the positional arguments and whether they must be there. */
  readonly positionals: readonly {
    readonly name: string
    readonly isRequired: boolean
    /** Of the last one: whether there may be more of it. */
    readonly isRepeated?: boolean
  }[]
  readonly examples: readonly string[]
  run(invocation: Invocation): Promise<number>
}
