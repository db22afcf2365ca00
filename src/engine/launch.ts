import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

/** A started command, the leader of its own process group. */
export interface LaunchedProcess {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the leader has ended; rejects when the command cannot be started. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Kills the whole group; harmless when it has ended. */
  kill(): void
}

/** How the process engine starts a command. A sandbox is another function of this shape. */
export type Launch = (
  command: readonly string[],
  place: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
) => LaunchedProcess

/** Starts a command in `folder` with exactly `env`, no input, and a process group of its own; no further isolation. */
export const launchPlainly: Launch = (command, { folder, env }) => {
  const [file = '', ...args] = command
  const child = spawn(file, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve({ code, signal }))
    }),
    kill() {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The group is gone, or the platform has no groups.
        child.kill('SIGKILL')
      }
    },
  }
}
