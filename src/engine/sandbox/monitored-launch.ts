import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { BenchError } from '../../bench-error.ts'
import type { LaunchedProcess } from '../launch.ts'

const GONE_WITHIN_MS = 5000
const LOOK_AGAIN_MS = 2
const KEPT_STDERR = 1000
/** Descriptors a monitor writes its status to, and may read a filter of system calls from. */
export const STATUS_DESCRIPTOR = 3
export const FILTER_DESCRIPTOR = 4

export interface MonitoredCommand {
  /** The monitor with its arguments, the command among them. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Written by the monitor in the form of bubblewrap's `--json-status-fd`: a `child-pid`, and an `exit-code` only if the command was reached. */
  readonly statusFile: string
  /** Whether the monitor gets its files open, or opens them itself because its way there closes descriptors. */
  readonly files: 'descriptors' | 'paths'
  /** A file for the monitor to read, where it gets its files open and needs one. */
  readonly filterFile?: string
  /** Whether the monitor reads its input, and takes the end of it for an order to kill. */
  readonly input: 'ignore' | 'pipe'
  stop(monitor: ChildProcess): void
}

/**
 * Starts a command through a monitor: a process that sets the sandbox up, waits for the command and passes its status on, signals as
 * 128 + number. `ended` settles once nothing of it runs any more. It rejects with `infra/sandbox-broke` when the monitor ended
 * without having come to the command, so that trouble of the sandbox is never taken for the command's. Both streams flow at once.
 */
export function launchMonitored(command: MonitoredCommand): LaunchedProcess {
  const { argv, cwd, env, statusFile, files, filterFile, input } = command
  const [file = '', ...args] = argv
  const status = openSync(statusFile, 'w', 0o600)
  const filter = filterFile === undefined ? [] : [openSync(filterFile, 'r')]
  const monitor = spawn(file, args, {
    cwd,
    env,
    detached: true,
    stdio: [input, 'pipe', 'pipe', files === 'descriptors' ? status : 'ignore', ...filter],
  })
  for (const descriptor of [status, ...filter]) closeSync(descriptor)
  // A monitor that is gone no longer reads.
  monitor.stdin?.on('error', () => {})
  const [stdout, stderr] = [monitor.stdout!, monitor.stderr!]
  let complaint = ''
  stderr.on('data', (piece: Uint8Array) => {
    if (complaint.length < KEPT_STDERR) complaint += Buffer.from(piece).toString('utf8')
  })
  let isOver = false
  let isKilled = false

  async function outcome(exit: { code: number | null; signal: string | null }) {
    isOver = true
    monitor.stdin?.destroy()
    const { childPid, hasRun } = readStatus(statusFile)
    rmSync(statusFile, { force: true })
    if (childPid !== null && !(await isGoneSoon(childPid))) throw brokenSandbox('its processes cannot be ended')
    if (isKilled) return { code: null, signal: 'SIGKILL' }
    if (!hasRun)
      throw brokenSandbox(complaint.trim().slice(0, KEPT_STDERR) || `it ended with ${exit.signal ?? exit.code}`)
    return statusOf(exit)
  }

  return {
    stdout,
    stderr,
    ended: new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      monitor.once('error', (error) => {
        isOver = true
        rmSync(statusFile, { force: true })
        reject(brokenSandbox(error.message))
      })
      monitor.once('exit', (code, signal) => outcome({ code, signal }).then(resolve, reject))
    }),
    kill() {
      if (isOver) return
      isKilled = true
      command.stop(monitor)
    },
  }
}

/** Kills a monitor with the namespace it keeps: the first process of that, with which the kernel ends all others, and its group. */
export function killMonitor({ pid }: ChildProcess): void {
  if (pid === undefined) return
  for (const target of [...childrenOf(pid), -pid]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {}
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return []
  }
}

function readStatus(file: string): { readonly childPid: number | null; readonly hasRun: boolean } {
  const text = readFileSync(file, 'utf8')
  const pid = /"child-pid": (\d+)/.exec(text)?.[1]
  return { childPid: pid === undefined ? null : Number(pid), hasRun: text.includes('"exit-code"') }
}

/** A monitor ends before the last processes of its namespace do; the first of them is a zombie, or no more, when all are dead. */
async function isGoneSoon(pid: number): Promise<boolean> {
  for (let waited = 0; waited < GONE_WITHIN_MS; waited += LOOK_AGAIN_MS) {
    if (!isAlive(pid)) return true
    await delay(LOOK_AGAIN_MS)
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^[ZX]/.test(text.slice(text.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

function statusOf({ code, signal }: { code: number | null; signal: string | null }) {
  if (code === null || code <= 128) return { code, signal }
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
  return name === undefined ? { code, signal } : { code: null, signal: name }
}

function brokenSandbox(reason: string): BenchError {
  return new BenchError({
    code: 'infra/sandbox-broke',
    message: `the sandbox could not start a program: ${reason}`,
    hint: 'It could when the run began: look for a machine short of memory or processes, then run again.',
  })
}
