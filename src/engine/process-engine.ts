import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { atExit } from './at-exit.ts'
import { keptText } from './captured-text.ts'
import { diagnosticsFromJson, diagnosticsFromText, withoutAnsi } from './diagnostic-text.ts'
import type { CallOptions, CheckOutcome, Engine, EngineIdentity, EngineLimits, RunOutcome } from './engine.ts'
import { DEFAULT_LIMITS } from './engine.ts'
import type { ProcessEnd } from './limited-process.ts'
import { endOf } from './limited-process.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { createSlotGate } from './slot-gate.ts'

/** What a binary can do, as probing found it; names are those of `EngineIdentity.abilities`. */
export interface ProcessAbilities {
  /** `check --output-format json`. */
  readonly jsonDiagnostics: boolean
  /** `run --max-memory BYTES`. */
  readonly maxMemory: boolean
  /** Exit code by which the command says that a program lies outside what it knows; null for a real vox. */
  readonly unsupportedExit: number | null
}

export interface ProcessEngineOptions {
  /** Program and leading arguments, e.g. `['vox']`; no shell is involved. */
  readonly command: readonly string[]
  readonly identity: EngineIdentity
  readonly abilities: ProcessAbilities
  /** How many processes at once; the number of cores by default. */
  readonly slots?: number
  readonly limits?: EngineLimits
  /** What every process of the command is kept in. */
  readonly sandbox: Sandbox
}

const PROGRAM_FILE = 'program.vox'

/**
 * An engine over a command with the contract of the vox binary. Every call gets a private folder and a process of its own in the
 * sandbox, of which nothing is left when the call is over. Rejects with `BenchError` when the command cannot be started.
 */
export async function createProcessEngine(options: ProcessEngineOptions): Promise<Engine> {
  const { command, identity, abilities, sandbox, slots = availableParallelism(), limits = DEFAULT_LIMITS } = options
  const root = await mkdtemp(path.join(tmpdir(), 'vox-engine-'))
  const gate = createSlotGate(slots)
  let calls = 0
  const forgetRoot = atExit(() => rmSync(root, { recursive: true, force: true }))

  async function execute(
    args: readonly string[],
    program: string,
    limits: EngineLimits,
    slot: number,
  ): Promise<ProcessEnd> {
    const folder = path.join(root, String(calls++))
    await mkdir(folder)
    try {
      await writeFile(path.join(folder, PROGRAM_FILE), program)
      const launched = sandbox.launch([...command, ...args, PROGRAM_FILE], { folder, slot, limits })
      return await endOf(launched, limits)
    } catch (cause) {
      throw startFailure(command, cause)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  }

  async function check(program: string, slot: number, { atLeastMs = 0 }: CallOptions = {}): Promise<CheckOutcome> {
    const format = abilities.jsonDiagnostics ? ['--output-format', 'json'] : []
    const wallMs = Math.max(limits.wallMs, atLeastMs)
    const end = await execute(['check', ...format], program, { ...limits, wallMs, outputBytes: Infinity }, slot)
    return checkOutcome(end, abilities)
  }

  async function run(program: string, slot: number, { atLeastMs = 0 }: CallOptions = {}): Promise<RunOutcome> {
    const memory = abilities.maxMemory ? ['--max-memory', String(limits.memoryBytes)] : []
    const wallMs = Math.max(limits.wallMs, atLeastMs)
    const end = await execute(['run', '--mode', 'interp', ...memory], program, { ...limits, wallMs }, slot)
    return runOutcome(end, abilities)
  }

  return {
    identity: { ...identity, abilities: { ...identity.abilities, ...definedAbilities(abilities) } },
    sandbox: sandbox.report,
    slots,
    check: (program, options = {}) =>
      gate[options.isAlone ? 'alone' : 'shared']((slot) => check(program, slot, options)),
    run: (program) => gate.shared((slot) => run(program, slot)),
    runAlone: (program, options) => gate.alone((slot) => run(program, slot, options)),
    close: () =>
      gate.alone(async () => {
        forgetRoot()
        await rm(root, { recursive: true, force: true })
      }),
  }
}

function definedAbilities({ jsonDiagnostics, maxMemory }: ProcessAbilities): EngineIdentity['abilities'] {
  return { jsonDiagnostics, maxMemory }
}

function startFailure(command: readonly string[], cause: unknown): unknown {
  const isMissing = cause instanceof Error && 'syscall' in cause && String(cause.syscall).startsWith('spawn')
  if (!isMissing) return cause
  return new BenchError({
    code: 'engine/command-failed',
    message: `the engine command cannot be started: ${command.join(' ')}: ${cause.message}`,
    hint: 'Check the path and that the file may be executed.',
    cause,
  })
}

function checkOutcome({ end, stdout, stderr }: ProcessEnd, abilities: ProcessAbilities): CheckOutcome {
  const text = withoutAnsi([keptText(stdout), keptText(stderr)].filter((part) => part !== '').join('\n'))
  switch (end.kind) {
    case 'timeout':
      return { kind: 'timeout' }
    case 'signalled':
      return { kind: 'crashed', signal: end.signal, text }
    case 'output-limit':
      return { kind: 'crashed', signal: 'output', text }
    case 'exited': {
      const fromJson = abilities.jsonDiagnostics && stdout.tail === '' ? diagnosticsFromJson(stdout.head) : null
      const diagnostics = fromJson ?? diagnosticsFromText(text)
      if (end.code === 0) return { kind: 'accepted', warnings: diagnostics }
      if (end.code === 1) return { kind: 'rejected', diagnostics, text }
      if (end.code === abilities.unsupportedExit) return { kind: 'unsupported', reason: stderr.lastLine }
      return { kind: 'crashed', signal: `exit ${end.code}`, text }
    }
  }
}

function runOutcome({ end, stdout, stderr, elapsedMs }: ProcessEnd, abilities: ProcessAbilities): RunOutcome {
  switch (end.kind) {
    case 'timeout':
      return { kind: 'timeout', stdout }
    case 'output-limit':
      return { kind: 'output-limit', stdout }
    case 'signalled':
      return { kind: 'crashed', signal: end.signal, stderr }
    case 'exited':
      if (end.code === abilities.unsupportedExit) return { kind: 'unsupported', reason: stderr.lastLine }
      return { kind: 'exited', code: end.code, stdout, stderr, elapsedMs }
  }
}
