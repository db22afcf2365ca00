import { availableParallelism } from 'node:os'
import { keptText } from './captured-text.ts'
import { diagnosticsFromJson, diagnosticsFromText, withoutAnsi } from './diagnostic-text.ts'
import type { CallOptions, CheckOutcome, Engine, EngineIdentity, EngineLimits, RunOutcome } from './engine.ts'
import { DEFAULT_LIMITS } from './engine.ts'
import type { ProcessEnd } from './limited-process.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { createSlotGate } from './slot-gate.ts'
import type { VoxAbilities } from './vox-abilities.ts'
import { runFlags } from './vox-abilities.ts'
import type { VoxProcess } from './vox-process.ts'
import { openVoxProcess } from './vox-process.ts'

export interface ProcessEngineOptions {
  /** Program and leading arguments, e.g. `['vox']`; no shell is involved. */
  readonly command: readonly string[]
  readonly identity: EngineIdentity
  /** The file that is run, where it is known. */
  readonly executable?: string
  readonly abilities: VoxAbilities
  /** What every process of the command is kept in. */
  readonly sandbox: Sandbox
  /** How many processes at once; by default one more than there are cores, since each waits while it is set up and cleared away. */
  readonly slots?: number
  readonly limits?: EngineLimits
}

/**
 * An engine over a command with the contract of the vox binary. Every call gets a private folder and a process of its own in the
 * sandbox, of which nothing is left when the call is over. Rejects with `BenchError` when the command cannot be started.
 */
export async function createProcessEngine(options: ProcessEngineOptions): Promise<Engine> {
  return engineOver(await openVoxProcess(options.command, options.sandbox), options)
}

/** As `createProcessEngine`, over a process that is open already; closing the engine closes it. */
export function engineOver(vox: VoxProcess, options: Omit<ProcessEngineOptions, 'command'>): Engine {
  const { identity, abilities, sandbox, slots = availableParallelism() + 1, limits = DEFAULT_LIMITS } = options
  const gate = createSlotGate(slots)

  async function check(program: string, slot: number, { atLeastMs = 0 }: CallOptions = {}): Promise<CheckOutcome> {
    const format = abilities.jsonDiagnostics ? ['--output-format', 'json'] : []
    const wallMs = Math.max(limits.wallMs, atLeastMs)
    const endless = { ...limits, wallMs, outputBytes: Number.POSITIVE_INFINITY }
    return checkOutcome(await vox.call(['check', ...format], program, endless, slot), abilities)
  }

  async function run(program: string, slot: number, { atLeastMs = 0 }: CallOptions = {}): Promise<RunOutcome> {
    const wallMs = Math.max(limits.wallMs, atLeastMs)
    const args = ['run', '--mode', 'interp', ...runFlags(abilities, limits.memoryBytes)]
    return runOutcome(await vox.call(args, program, { ...limits, wallMs }, slot), abilities)
  }

  return {
    identity: { ...identity, abilities: { ...identity.abilities, ...told(abilities) } },
    executable: options.executable ?? null,
    sandbox: sandbox.report,
    slots,
    check: (program, options = {}) =>
      gate[options.isAlone ? 'alone' : 'shared']((slot) => check(program, slot, options)),
    run: (program) => gate.shared((slot) => run(program, slot)),
    runAlone: (program, options) => gate.alone((slot) => run(program, slot, options)),
    async close() {
      await gate.close()
      await vox.close()
    },
  }
}

function told({ unsupportedExit: _, ...abilities }: VoxAbilities): EngineIdentity['abilities'] {
  return abilities
}

function checkOutcome({ end, stdout, stderr }: ProcessEnd, abilities: VoxAbilities): CheckOutcome {
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

function runOutcome({ end, stdout, stderr, elapsedMs }: ProcessEnd, abilities: VoxAbilities): RunOutcome {
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
