import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { heapMebibytes, readEmbeddedCommand } from './vox-embedded-command.ts'
import { serveEmbeddedCommand } from './vox-embedded-session.ts'

/** Calls of a program nest on the native stack; 1,024 of them with an expression as deep as the parser follows fit. */
const STACK_MEBIBYTES = 128
const EXIT_UNSUPPORTED = 64
const EXIT_MEMORY = 79
const EXIT_CRASHED = 101

const args = process.argv.slice(2)
if (isMainThread) serve()
else serveOnLargeStack()

function serve(): void {
  const service = serveEmbeddedCommand(readEmbeddedCommand(args))
  if (service.kind === 'done') process.exitCode = service.exit
  else startThread(service.written)
}

/**
 * The same once more in a thread, since only a thread's stack can be sized; its exit code is ours. A thread takes half as long again to
 * start as Node itself, so it is for programs that need it.
 */
function startThread(written: number): void {
  const worker = new Worker(new URL(import.meta.url), {
    argv: args,
    env: {},
    execArgv: [],
    workerData: { written },
    resourceLimits: { stackSizeMb: STACK_MEBIBYTES, maxOldGenerationSizeMb: heapMebibytes(readEmbeddedCommand(args)) },
  })
  let failure: number | null = null
  worker.on('error', (error: Error & { code?: string }) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    failure = isMemory ? EXIT_MEMORY : EXIT_CRASHED
    process.stderr.write(isMemory ? 'vox: memory limit exceeded\n' : `${error.stack ?? error.message}\n`)
  })
  worker.on('exit', (code) => {
    process.exitCode = failure ?? code
  })
}

function serveOnLargeStack(): never {
  const { written } = workerData as { written: number }
  const service = serveEmbeddedCommand(readEmbeddedCommand(args), written)
  if (service.kind === 'done') process.exit(service.exit)
  process.stderr.write('vox-embedded: unsupported: native stack exhausted\n')
  process.exit(EXIT_UNSUPPORTED)
}
