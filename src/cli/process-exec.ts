import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { atExit } from '../engine/at-exit.ts'
import type { Exec, ExecResult } from '../engine/ports.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Of all ports of this process: two that each listened to signals would each leave the end to the other. */
const groups = new Set<number>()
let forgetExit = () => {}

/**
 * Runs programs as children in process groups of their own, with no shell and no input. When this process ends or a signal ends it, the
 * groups are killed. Rejects for what keeps an existing program from starting, such as a missing right or working folder.
 */
export function createProcessExec(): Exec {
  return {
    run(command, { cwd, env, onOutput }) {
      return new Promise<ExecResult>((resolve, reject) => {
        const [file = '', ...args] = command
        const child = spawn(file, args, {
          env,
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe'],
          ...(cwd === undefined ? {} : { cwd }),
        })
        const { pid } = child
        if (pid !== undefined) watch(pid)
        const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
        for (const stream of ['stdout', 'stderr'] as const) {
          child[stream].on('data', (piece: Buffer) => {
            if (onOutput === undefined) kept[stream].push(piece)
            else onOutput(piece, stream)
          })
        }
        child.once('error', (error: NodeJS.ErrnoException) => {
          // A missing working folder gives the same code.
          const isMissing = error.code === 'ENOENT' && (cwd === undefined || existsSync(cwd))
          if (isMissing) resolve({ kind: 'not-found' })
          else reject(error)
        })
        child.once('close', (code, signal) => {
          if (pid === undefined) return
          unwatch(pid)
          const stdout = Buffer.concat(kept.stdout).toString()
          const stderr = Buffer.concat(kept.stderr).toString()
          if (code !== null) resolve({ kind: 'exited', code, stdout, stderr })
          else resolve({ kind: 'signalled', signal: signal ?? 'unknown', stdout, stderr })
        })
      })
    },
  }
}

function watch(pid: number): void {
  if (groups.size === 0) {
    forgetExit = atExit(killGroups)
    for (const name of SIGNALS) process.on(name, onSignal)
  }
  groups.add(pid)
}

function unwatch(pid: number): void {
  groups.delete(pid)
  if (groups.size > 0) return
  forgetExit()
  for (const name of SIGNALS) process.off(name, onSignal)
}

/** A signal that nobody else listens to still ends this process; where somebody does, that listener decides. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  killGroups()
  for (const name of SIGNALS) process.off(name, onSignal)
  process.kill(process.pid, signal)
}

function killGroups(): void {
  groups.forEach(killGroup)
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
