import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOutputTail } from './output-tail.ts'
import { askReadiness } from './server-readiness.ts'

export interface ServerOptions {
  /** The command for a port of the loopback interface, each word as it is; no shell is run. */
  commandFor(port: number): readonly string[]
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>
  /** Puts a command where it sees no process of ours; the command itself where nothing can. */
  isolate(command: readonly string[]): readonly string[]
  /** Has something done when this process ends; gives how to call that off. */
  atExit(task: () => void): () => void
  readonly readyMs: number
  /** How long the server has to end by itself once it is asked to. */
  readonly stopMs?: number
  /** What the model is asked for as. */
  readonly model: string
  /** Aborted when the server is not needed any more; one that is being started is stopped. */
  readonly signal: AbortSignal
}

/** A server that is ready to be asked. */
export interface ModelServer {
  readonly baseUrl: string
  /** The name to ask for: that of the only model the server lists, else ours. */
  readonly model: string
  /** Null while the server lives; then how it ended and the end of its output. */
  failure(): string | null
  /** Ends the server with all that it started, and waits until they are gone. */
  stop(): Promise<void>
}

export type StartedServer =
  | { readonly kind: 'ready'; readonly server: ModelServer }
  /** For people, several lines: what went wrong, the command, the end of its output. */
  | { readonly kind: 'failed'; readonly message: string }
  /** `signal` was aborted. */
  | { readonly kind: 'cancelled' }

const STOP_MS = 5000
/** Past the time the server is given, for what stands around it to end as well. */
const SLACK_MS = 1000
const POLL_MS = 200

/**
 * Stands between us and the server. When our end of its input closes, be it since we stop the server or since we were killed, it asks the
 * process group to end, and after some seconds kills it. In a process namespace it is the first process there, with which all others end;
 * for that it must not replace itself by the server.
 */
const GUARD = `exec 3<&0 < /dev/null
grace=$1
shift
{
  trap '' TERM
  read -r _ <&3
  kill -TERM 0
  sleep "$grace"
  kill -KILL 0
} > /dev/null 2>&1 &
exec 3<&-
trap : TERM
"$@"
exit $?`

/**
 * Starts a server on a fresh port of the loopback interface, in a process group of its own, and waits until it is ready: it lists its
 * models, and its health, where it tells that, is not "unavailable". A server that does not come to that is stopped.
 */
export async function startModelServer(options: ServerOptions): Promise<StartedServer> {
  const { readyMs, stopMs = STOP_MS, signal } = options
  if (signal.aborted) return { kind: 'cancelled' }
  const port = await freePort()
  const command = options.commandFor(port)
  const started = await startProcess(command, stopMs, options)
  if (started.kind === 'failed') return { kind: 'failed', message: `${started.reason}\ncommand: ${shown(command)}` }
  const { running } = started
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const explain = (what: string) => [what, `command: ${shown(command)}`, ...running.describeOutput()].join('\n')

  async function stopFailed(what: string): Promise<StartedServer> {
    // Before it is stopped: what stands around it writes that it was.
    const message = explain(what)
    await running.stop()
    return signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', message }
  }

  const deadlineMs = performance.now() + readyMs
  let state = 'it does not listen'
  while (!signal.aborted && running.end() === null && performance.now() < deadlineMs) {
    const asked = await askReadiness(baseUrl, options.model, signal)
    if (asked.kind === 'ready' && running.end() === null) {
      const failure = () => (running.end() === null ? null : explain(`the server ${running.end()}`))
      return { kind: 'ready', server: { baseUrl, model: asked.model, failure, stop: running.stop } }
    }
    if (asked.kind === 'other-models') {
      const listed = asked.models.slice(0, 8).map((name) => name.slice(0, 100))
      return stopFailed(`the server lists no model "${options.model}", but: ${listed.join(', ')}`)
    }
    if (asked.kind === 'not-ready') state = asked.state
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
  const end = running.end()
  if (end === null) return stopFailed(`the server was not ready within ${readyMs / 1000} s: ${state}`)
  await running.stop()
  if (signal.aborted) return { kind: 'cancelled' }
  // Only now was its output read to the end.
  return { kind: 'failed', message: explain(`the server ${end} before it was ready`) }
}

interface RunningProcess {
  /** Null while it lives; then how it ended, to follow "the server". */
  end(): string | null
  describeOutput(): string[]
  stop(): Promise<void>
}

type StartedProcess =
  | { readonly kind: 'running'; readonly running: RunningProcess }
  | { readonly kind: 'failed'; readonly reason: string }

async function startProcess(
  command: readonly string[],
  stopMs: number,
  { isolate, env, atExit }: ServerOptions,
): Promise<StartedProcess> {
  const guarded = ['/bin/sh', '-c', GUARD, 'guard', String(Math.ceil(stopMs / 1000)), ...command]
  const [file = '', ...args] = isolate(guarded)
  const child = spawn(file, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const tail = createOutputTail()
  child.stdout.on('data', tail.add)
  child.stderr.on('data', tail.add)
  // It may have ended already when we close its input.
  child.stdin.on('error', () => {})
  const closed = once(child, 'close').catch(() => {})
  try {
    await once(child, 'spawn')
  } catch (error) {
    return { kind: 'failed', reason: `the server cannot be started: ${(error as Error).message}` }
  }
  const forget = atExit(() => killGroup(child))
  child.once('exit', forget)
  return {
    kind: 'running',
    running: {
      end: () => wordEnd(child),
      describeOutput() {
        const lines = tail.lines()
        return lines.length === 0
          ? ['It wrote nothing.']
          : ['The end of its output:', ...lines.map((line) => `  ${line}`)]
      },
      async stop() {
        child.stdin.end()
        const timer = setTimeout(() => killGroup(child), stopMs + SLACK_MS)
        await exitOf(child)
        clearTimeout(timer)
        // What of the group outlives its first process where there is no namespace.
        killGroup(child)
        // One that lives on may hold the streams open.
        await Promise.race([closed, sleep(SLACK_MS)])
        child.stdout.destroy()
        child.stderr.destroy()
      },
    },
  }
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** A shell gives 128 and more for a signal. */
function wordEnd({ exitCode, signalCode }: ChildProcess): string | null {
  if (signalCode !== null) return `was ended by ${signalCode}`
  if (exitCode === null) return null
  if (exitCode === 127) return 'ended with exit code 127 (there is no such program)'
  return exitCode > 128 && exitCode < 160 ? `was ended by signal ${exitCode - 128}` : `ended with exit code ${exitCode}`
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port')
  return address.port
}

/** A command as a person would type it. */
function shown(command: readonly string[]): string {
  return command
    .map((word) => (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}
