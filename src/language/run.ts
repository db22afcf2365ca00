import type { Module } from './ast.ts'
import type { Capabilities } from './interpreter/capabilities.ts'
import { grantCapabilities } from './interpreter/capabilities.ts'
import { quoteDebug } from './interpreter/debug-text.ts'
import { display } from './interpreter/display.ts'
import type { Ending } from './interpreter/ending.ts'
import { describeEnding, Halt } from './interpreter/ending.ts'
import type { Machine } from './interpreter/machine.ts'
import { print } from './interpreter/machine.ts'
import { register } from './interpreter/register.ts'
import { forgetTexts } from './interpreter/text.ts'
import type { Frame, Value } from './interpreter/value.ts'
import { Signal } from './interpreter/value.ts'
import type { RunResult } from './parse-result.ts'
import { parse } from './parser/parser.ts'
import type { RunLimits } from './run-limits.ts'

export interface RunOptions {
  /** Takes the program's stdout piece by piece; false means that no more is wanted and ends the run. */
  readonly write: (text: string) => boolean
  readonly limits: RunLimits
  /** `--caps` tokens; they override a `// vox:caps` directive in the source. */
  readonly caps?: readonly string[]
}

/**
 * Runs a program as `vox run --mode interp` does: parses it, registers its declarations, calls `main` and
 * prints what that gives. Does not check types. Never throws; has no access to the host.
 */
export function run(source: string, options: RunOptions): RunResult {
  const parsed = parse(source)
  if (parsed.kind === 'unsupported') return { kind: 'unsupported', reason: parsed.reason }
  if (parsed.kind === 'failed') {
    const errors = parsed.diagnostics.map(({ message }) => `ParseError { message: ${quoteDebug(message)} }`)
    return { kind: 'exited', exit: 1, stderr: `Error: Parse failed: [${errors.join(', ')}]\n`, steps: 0 }
  }
  const rights = grantCapabilities(source, options.caps ?? [])
  if (rights.kind === 'unsupported') return rights
  if (rights.kind === 'invalid') return { kind: 'exited', exit: 1, stderr: `Error: ${rights.message}\n`, steps: 0 }
  return runModule(parsed.module, rights.capabilities, options)
}

/** Why a program is unsupported that nests deeper than the stack it is run on; on a larger one it may not be. */
export const STACK_EXHAUSTED = 'native stack exhausted'

const MAX_MEMORY_BYTES = 2 ** 30

function runModule(module: Module, capabilities: Capabilities, { write, limits }: RunOptions): RunResult {
  const memoryBytes = Math.min(limits.memoryBytes, MAX_MEMORY_BYTES)
  const machine: Machine = {
    steps: 0,
    stepLimit: limits.steps,
    depth: 0,
    depthLimit: limits.depth,
    frames: [],
    memoryBytes,
    chargedBytes: 0,
    chargeLimitBytes: memoryBytes,
    measureFromStep: 0,
    capabilities,
    stderr: '',
    write,
  }
  try {
    runMain(machine, module)
    return { kind: 'exited', exit: 0, stderr: machine.stderr, steps: machine.steps }
  } catch (error) {
    return describeEnding(endingOf(error), machine.stderr, machine.steps)
  } finally {
    forgetTexts()
  }
}

function endingOf(error: unknown): Ending {
  if (error instanceof Halt) return error.ending
  // Vox calls nest natively here. The depth limit comes first on a stack of the size this is meant to run on.
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return { kind: 'unsupported', reason: STACK_EXHAUSTED }
  if (error instanceof RangeError && /length|size/i.test(error.message)) return { kind: 'memory' }
  throw error
}

/** Runs `main`, which only a `return` ends early: a stray `break` ends its own statement and no more. */
function runMain(machine: Machine, module: Module): void {
  const entry = register(machine, module)
  if (entry.kind === 'missing') throw new Halt({ kind: 'failed', error: 'UndefinedVariable("main")' })
  if (entry.kind === 'takes-params')
    throw new Halt({ kind: 'failed', error: `ArityMismatch { expected: ${entry.paramCount}, found: 0 }` })
  const frame: Frame = new Array(entry.frameSize)
  machine.frames[0] = frame
  let result: Value = null
  for (const code of entry.codes) {
    result = code(frame)
    if (result instanceof Signal && result.kind === 'return') {
      result = result.inner
      break
    }
  }
  if (result !== null) print(machine, `${display(machine, result)}\n`)
}
