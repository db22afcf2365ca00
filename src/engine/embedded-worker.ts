import { parentPort } from 'node:worker_threads'
import { check } from '../language/check.ts'
import type { Diagnostic } from '../language/diagnostic.ts'
import { normalise } from '../language/lexer.ts'
import { run } from '../language/run.ts'
import { DEFAULT_RUN_LIMITS } from '../language/run-limits.ts'
import { positionAt } from '../language/span.ts'
import type { WorkerMessage, WorkerRequest } from './embedded-message.ts'
import type { EngineDiagnostic } from './engine.ts'

/** Vox's own defaults. */
const EXIT_BUDGET = 78
/** Hostile programs earn thousands of diagnostics; the first ones say what is wrong. */
const DIAGNOSTIC_LIMIT = 100
const BATCH_CHARACTERS = 16_384

const port = parentPort
if (port === null) throw new Error('embedded-worker runs as a worker thread only')

port.on('message', (request: WorkerRequest) => send(answer(request)))
send({ kind: 'ready' })

function send(message: WorkerMessage): void {
  port?.postMessage(message)
}

function answer(request: WorkerRequest): WorkerMessage {
  try {
    return request.kind === 'check' ? answerCheck(request.program) : answerRun(request)
  } catch (error) {
    const { name, stack } = error instanceof Error ? error : new Error(String(error))
    return { kind: 'threw', name, text: stack ?? name }
  }
}

function answerCheck(program: string): WorkerMessage {
  const result = check(program)
  if (result.kind === 'unsupported') return { kind: 'unsupported', reason: result.reason }
  const source = normalise(program)
  if (result.kind === 'accepted') return { kind: 'accepted', warnings: located(source, result.warnings) }
  const diagnostics = located(source, result.diagnostics)
  return { kind: 'rejected', diagnostics, text: diagnostics.map(describe).join('\n') }
}

function answerRun(request: Extract<WorkerRequest, { kind: 'run' }>): WorkerMessage {
  const sink = createSink(request.outputBytes)
  const startedAt = performance.now()
  const result = run(request.program, {
    write: sink.write,
    limits: { ...DEFAULT_RUN_LIMITS, memoryBytes: request.memoryBytes },
  })
  sink.flush()
  if (result.kind !== 'exited') return result
  const { exit: code, stderr, steps } = result
  const exceeded =
    code === EXIT_BUDGET ? ({ exceeded: steps >= DEFAULT_RUN_LIMITS.steps ? 'steps' : 'depth' } as const) : {}
  return { kind: 'exited', code, stderr, ...exceeded, elapsedMs: performance.now() - startedAt }
}

/** Sends output in batches while the program runs, so that a run that never ends still shows what it printed. */
function createSink(outputBytes: number): { write(text: string): boolean; flush(): void } {
  let pending = ''
  let left = outputBytes
  function flush(): void {
    if (pending !== '') send({ kind: 'output', text: pending })
    pending = ''
  }
  return {
    flush,
    write(text) {
      left -= Buffer.byteLength(text)
      // A single text may be huge; what lies past the limit is never sent.
      pending += left < 0 ? text.slice(0, Math.max(0, text.length + left)) : text
      if (pending.length >= BATCH_CHARACTERS || left < 0) flush()
      return left >= 0
    },
  }
}

function located(source: string, diagnostics: readonly Diagnostic[]): EngineDiagnostic[] {
  return diagnostics.slice(0, DIAGNOSTIC_LIMIT).map(({ severity, code, message, span }) => ({
    severity,
    code,
    message,
    ...positionAt(source, span.start),
  }))
}

function describe({ severity, code, message, line, column }: EngineDiagnostic): string {
  return `${severity}${code === null ? '' : `[${code}]`}: ${message} at ${line}:${column}`
}
