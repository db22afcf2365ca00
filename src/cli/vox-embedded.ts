import { isMainThread, Worker } from 'node:worker_threads'
import { heapMebibytes, readEmbeddedCommand } from './vox-embedded-command.ts'
import { serveEmbeddedCommand } from './vox-embedded-session.ts'

/** Calls of a program nest on the native stack; 1,024 of them with an expression as deep as the parser follows fit. */
const STACK_MEBIBYTES = 128
const EXIT_MEMORY = 79
const EXIT_CRASHED = 101

const args = process.argv.slice(2)
if (isMainThread) startThread()
else process.exit(serveEmbeddedCommand(readEmbeddedCommand(args)))

/** The same file once more as a thread, since only a thread's stack can be sized; its exit code is ours. */
function startThread(): void {
  const worker = new Worker(new URL(import.meta.url), {
    argv: args,
    env: {},
    execArgv: [],
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
