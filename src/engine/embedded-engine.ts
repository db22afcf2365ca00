import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { BenchError } from '../bench-error.ts'
import { captureOf } from './captured-text.ts'
import type { WorkerRequest } from './embedded-message.ts'
import type { Conversation, EmbeddedWorker } from './embedded-slot.ts'
import { createEmbeddedWorker } from './embedded-slot.ts'
import type { CallOptions, CheckOutcome, Engine, EngineLimits, RunOutcome, SandboxReport } from './engine.ts'
import { DEFAULT_LIMITS } from './engine.ts'
import { hashScript } from './script-hash.ts'
import { createSlotGate } from './slot-gate.ts'

/** The interpreter has nothing of the host to give: it is closed by construction. */
const IN_PROCESS: SandboxReport = {
  level: 'in-process',
  closed: { tcp: true, udp: true, reads: true, writes: true, processes: true, survivors: true },
  passedOver: [],
}

export interface EmbeddedEngineOptions {
  /** How many workers; the number of cores by default. */
  readonly slots?: number
  readonly limits?: EngineLimits
  /** The built worker; by default the file beside the bundle. */
  readonly workerUrl?: URL
}

/**
 * The embedded engine: the language slice in a pool of worker threads. A worker that overruns its wall time, its memory or dies is
 * replaced; nothing of one program reaches the next. Throws `BenchError` when the worker file is missing.
 */
export function createEmbeddedEngine(options: EmbeddedEngineOptions = {}): Engine {
  const slots = options.slots ?? availableParallelism()
  const limits = options.limits ?? DEFAULT_LIMITS
  const workerUrl = options.workerUrl ?? new URL('./embedded-worker.js', import.meta.url)
  const sha256 = hashOfWorker(workerUrl)
  const gate = createSlotGate(slots)
  const idle: EmbeddedWorker[] = []
  const busy = new Set<EmbeddedWorker>()
  let isClosed = false

  async function ask(request: WorkerRequest, atLeastMs: number): Promise<Conversation> {
    const worker = idle.pop() ?? (await createEmbeddedWorker(workerUrl, limits.memoryBytes))
    busy.add(worker)
    const conversation = await worker.ask(request, Math.max(limits.wallMs, atLeastMs))
    busy.delete(worker)
    if (conversation.end.kind === 'replied' && !isClosed) idle.push(worker)
    else await worker.stop()
    return conversation
  }

  async function run(program: string, { atLeastMs = 0 }: CallOptions = {}): Promise<RunOutcome> {
    const { outputBytes, memoryBytes } = limits
    return runOutcome(await ask({ kind: 'run', program, outputBytes, memoryBytes }, atLeastMs))
  }

  async function check(program: string, { atLeastMs = 0 }: CallOptions = {}): Promise<CheckOutcome> {
    return checkOutcome(await ask({ kind: 'check', program }, atLeastMs))
  }

  return {
    identity: {
      kind: 'embedded',
      version: 'embedded',
      official: false,
      sha256,
      sourceCommit: null,
      toolchain: null,
      profile: null,
      provenance: 'embedded',
      sourceGate: null,
      abilities: {},
    },
    executable: null,
    sandbox: IN_PROCESS,
    slots,
    check: (program, options = {}) => gate[options.isAlone ? 'alone' : 'shared'](() => check(program, options)),
    run: (program) => gate.shared(() => run(program)),
    runAlone: (program, options) => gate.alone(() => run(program, options)),
    async close() {
      isClosed = true
      const closing = gate.close()
      await Promise.all([...idle.splice(0), ...busy].map((worker) => worker.stop()))
      await closing
    },
  }
}

function hashOfWorker(workerUrl: URL): string {
  try {
    return hashScript(fileURLToPath(workerUrl))
  } catch (cause) {
    throw new BenchError({
      code: 'engine/worker-missing',
      message: `the embedded engine's worker cannot be read: ${fileURLToPath(workerUrl)}`,
      hint: 'Run `npm run build`; embedded-worker.js belongs beside cli.js.',
      cause,
    })
  }
}

function runOutcome({ end, stdout }: Conversation): RunOutcome {
  if (end.kind === 'timeout') return { kind: 'timeout', stdout }
  if (end.kind === 'out-of-memory') {
    return {
      kind: 'exited',
      code: 79,
      stdout,
      stderr: captureOf('vox: memory limit exceeded\n'),
      elapsedMs: end.elapsedMs,
    }
  }
  if (end.kind === 'died') return { kind: 'crashed', signal: end.signal, stderr: captureOf(end.text) }
  const { reply } = end
  switch (reply.kind) {
    case 'exited':
      return { ...reply, stdout, stderr: captureOf(reply.stderr) }
    case 'output-limit':
      return { kind: 'output-limit', stdout }
    case 'unsupported':
      return reply
    case 'threw':
      return { kind: 'crashed', signal: reply.name, stderr: captureOf(reply.text) }
    default:
      throw new Error(`a run was answered with ${reply.kind}`)
  }
}

function checkOutcome({ end }: Conversation): CheckOutcome {
  if (end.kind === 'timeout') return end
  if (end.kind === 'out-of-memory') return { kind: 'crashed', signal: 'memory', text: 'the checker ran out of memory' }
  if (end.kind === 'died') return { kind: 'crashed', signal: end.signal, text: end.text }
  const { reply } = end
  switch (reply.kind) {
    case 'accepted':
    case 'rejected':
    case 'unsupported':
      return reply
    case 'threw':
      return { kind: 'crashed', signal: reply.name, text: reply.text }
    default:
      throw new Error(`a check was answered with ${reply.kind}`)
  }
}
