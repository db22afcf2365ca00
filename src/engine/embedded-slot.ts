import { Worker } from 'node:worker_threads'
import { createCapture } from './captured-text.ts'
import type { WorkerMessage, WorkerRequest } from './embedded-message.ts'
import type { CapturedText } from './engine.ts'

const MEBIBYTE = 1024 * 1024
/** The interpreter nests several JavaScript frames for each Vox call and each level of an expression. */
const STACK_MEBIBYTES = 256
/** Room for the language code itself beside the program's data. */
const OWN_MEBIBYTES = 64

export interface Conversation {
  readonly stdout: CapturedText
  readonly end:
    | { readonly kind: 'replied'; readonly reply: WorkerMessage }
    | { readonly kind: 'timeout' }
    | { readonly kind: 'out-of-memory'; readonly elapsedMs: number }
    | { readonly kind: 'died'; readonly signal: string; readonly text: string }
}

/** One worker thread; after any end but `replied` it is of no more use and must be stopped. */
export interface EmbeddedWorker {
  ask(request: WorkerRequest, wallMs: number): Promise<Conversation>
  stop(): Promise<void>
}

/** Starts a worker thread and waits until it listens; rejects when its file does not load. */
export async function createEmbeddedWorker(url: URL, memoryBytes: number): Promise<EmbeddedWorker> {
  const worker = new Worker(url, {
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(memoryBytes / MEBIBYTE) + OWN_MEBIBYTES,
      stackSizeMb: STACK_MEBIBYTES,
    },
  })
  // The listeners stay for the thread's life: taking the last one off a worker would stop its port.
  let listen: Listener = () => {}
  worker.on('message', (message: WorkerMessage) => listen({ kind: 'message', message }))
  worker.on('error', (error) => listen({ kind: 'error', error }))
  worker.on('exit', (code) => listen({ kind: 'exit', code }))
  await new Promise<void>((resolve, reject) => {
    listen = (event) => {
      if (event.kind === 'message') resolve()
      else
        reject(
          event.kind === 'error' ? event.error : new Error(`the worker ended with ${event.code} before it listened`),
        )
    }
  })
  worker.unref()

  return {
    async ask(request, wallMs) {
      const capture = createCapture()
      const startedAt = performance.now()
      let timer: NodeJS.Timeout | undefined
      worker.ref()
      const end = await new Promise<Conversation['end']>((resolve) => {
        timer = setTimeout(() => resolve({ kind: 'timeout' }), wallMs)
        listen = (event) => {
          if (event.kind === 'message' && event.message.kind === 'output') capture.add(Buffer.from(event.message.text))
          else resolve(endOf(event, performance.now() - startedAt))
        }
        worker.postMessage(request)
      })
      clearTimeout(timer)
      listen = () => {}
      worker.unref()
      return { stdout: capture.text(), end }
    },
    async stop() {
      await worker.terminate()
    },
  }
}

type WorkerEvent =
  | { readonly kind: 'message'; readonly message: WorkerMessage }
  | { readonly kind: 'error'; readonly error: Error & { readonly code?: string } }
  | { readonly kind: 'exit'; readonly code: number }
type Listener = (event: WorkerEvent) => void

function endOf(event: WorkerEvent, elapsedMs: number): Conversation['end'] {
  switch (event.kind) {
    case 'message':
      return { kind: 'replied', reply: event.message }
    case 'error':
      return event.error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { kind: 'out-of-memory', elapsedMs }
        : { kind: 'died', signal: event.error.name, text: event.error.stack ?? event.error.message }
    case 'exit':
      return { kind: 'died', signal: `exit ${event.code}`, text: 'the worker thread ended' }
  }
}
