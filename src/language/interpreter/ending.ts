import type { RunResult } from '../parse-result.ts'
import { quoteDebug } from './debug-text.ts'

/** Why a program stopped before its `main` returned. */
export type Ending =
  /** An evaluation error; `error` is Vox's debug text of it. */
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'budget' }
  | { readonly kind: 'memory' }
  /** `call` is `namespace.method`. */
  | { readonly kind: 'denied'; readonly call: string }
  /** Vox itself would panic. */
  | { readonly kind: 'panicked'; readonly text: string }
  | { readonly kind: 'exited'; readonly exit: number }
  | { readonly kind: 'output-limit' }
  | { readonly kind: 'unsupported'; readonly reason: string }

/** Unwinds the evaluation; never leaves `run`. */
export class Halt {
  readonly ending: Ending
  constructor(ending: Ending) {
    this.ending = ending
  }
}

/** A program may put a text of any size into an error; what is behind this tells nothing more. */
const MAX_MESSAGE = 65_536

export function failAssertion(message: string): never {
  throw new Halt({ kind: 'failed', error: `AssertionFailed(${quoteDebug(message.slice(0, MAX_MESSAGE))})` })
}

export function failType(expected: string, found: string): never {
  throw new Halt({
    kind: 'failed',
    error: `TypeError { expected: ${quoteDebug(expected)}, found: ${quoteDebug(found)} }`,
  })
}

export function failUndefined(name: string): never {
  throw new Halt({ kind: 'failed', error: `UndefinedVariable(${quoteDebug(name)})` })
}

export function exceedBudget(): never {
  throw new Halt({ kind: 'budget' })
}

export function exceedMemory(): never {
  throw new Halt({ kind: 'memory' })
}

export function panic(text: string): never {
  throw new Halt({ kind: 'panicked', text })
}

/** The program needs what this interpreter does not know or must not do. */
export function refuse(reason: string): never {
  throw new Halt({ kind: 'unsupported', reason })
}

/** What the vox binary would show for `ending`; `printed` is what the program put on stderr before. */
export function describeEnding(ending: Ending, printed: string, steps: number): RunResult {
  const exited = (exit: number, line: string): RunResult => ({
    kind: 'exited',
    exit,
    stderr: `${printed}${line}\n`,
    steps,
  })
  switch (ending.kind) {
    case 'failed':
      return exited(1, `Error: Eval failed: ${ending.error}`)
    case 'budget':
      return exited(78, 'vox: execution budget exceeded; pass --max-steps / --max-depth or use --mode script')
    case 'memory':
      return exited(79, 'vox: memory limit exceeded')
    case 'denied':
      return exited(77, `vox: capability denied: ${ending.call} — grant with --caps <token> (see isolation.md)`)
    case 'panicked':
      return exited(101, `thread 'main' panicked:\n${ending.text}`)
    case 'exited':
      return { kind: 'exited', exit: ending.exit, stderr: printed, steps }
    case 'output-limit':
      return ending
    case 'unsupported':
      return ending
  }
}
