import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { EngineLimits } from './engine.ts'

/** A started command with everything it starts itself. */
export interface LaunchedProcess {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the command has ended; rejects when it cannot be started. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Kills it and all it started, as far as the launch can; harmless when they have ended. */
  kill(): void
}

export interface LaunchPlace {
  /** Folder of this call alone; the command starts in it, or where a sandbox shows its files. */
  readonly folder: string
  /** 0-based; calls that run at once have different ones. */
  readonly slot: number
  readonly limits: EngineLimits
}

/** How the process engine starts a command. A sandbox is another function of this shape. */
export type Launch = (command: readonly string[], place: LaunchPlace) => LaunchedProcess

/** Starts a command in its folder with a scrubbed environment, no input, and a process group of its own; no further isolation. */
export const launchPlainly: Launch = (command, { folder }) =>
  spawnGroup(command, { cwd: folder, env: scrubbedEnvironment(folder, folder) })

/** All a command learns of the caller's environment is where programs are: no secrets, no colours, no backtraces. */
export function scrubbedEnvironment(home: string, temporary: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', NO_COLOR: '1' }
}

/** Starts a command as the leader of a process group, which `kill` ends. */
export function spawnGroup(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): LaunchedProcess {
  const [file = '', ...args] = command
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
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
