import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { exec } from '@actions/exec'
import type { Exec } from '../engine/ports.ts'
import { findProgram } from '../engine/vox/find-program.ts'

/** The longest delay a timer can have. */
const NEVER_MS = 2 ** 31 - 1

/**
 * The toolkit closes a program's input only when it has something to write there, and an empty write to a program that has ended already
 * is an error nobody can catch. It calls `stdin.end(input)`, and given a function that writes nothing.
 */
const NO_INPUT = (() => {}) as unknown as Buffer

/**
 * Runs programs through the Actions toolkit, with nothing in the job's log. The toolkit tells that a signal ended a program, not which:
 * `signal` is always `unknown`. Rejects for a working folder that is not there and for a file that may not be run. What the system refuses
 * to start at all (a NUL in an argument, arguments too long) is an unhandled rejection inside the toolkit, which ends this process.
 * Children are not killed when this process ends.
 */
export function createActionsExec(): Exec {
  return {
    async run(command, { cwd = process.cwd(), env, onOutput }) {
      const [name = '', ...args] = command
      // The toolkit hangs on a working folder that is a file.
      if (!(await stat(cwd)).isDirectory()) throw new Error(`ENOTDIR: the working folder ${cwd} is not a folder`)
      const file = await locate(name, cwd, env)
      if (file === null) return { kind: 'not-found' }
      const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
      const take = (stream: 'stdout' | 'stderr') => (piece: Buffer) => {
        if (onOutput === undefined) kept[stream].push(piece)
        else onOutput(piece, stream)
      }
      const code: number | null = await exec(toCommandLine(file), args, {
        cwd,
        env,
        silent: true,
        ignoreReturnCode: true,
        input: NO_INPUT,
        // Both streams are kept whole; otherwise the toolkit leaves 10 s after the program what its children still write.
        delay: NEVER_MS,
        listeners: { stdout: take('stdout'), stderr: take('stderr') },
      })
      const stdout = Buffer.concat(kept.stdout).toString()
      const stderr = Buffer.concat(kept.stderr).toString()
      return code === null
        ? { kind: 'signalled', signal: 'unknown', stdout, stderr }
        : { kind: 'exited', code, stdout, stderr }
    },
  }
}

/** The toolkit itself would search the PATH of this process. */
async function locate(name: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  if (path.basename(name) === name) return findProgram(name, env)
  const file = path.resolve(cwd, name)
  return existsSync(file) ? file : null
}

/**
 * One path as the toolkit's command line, which knows quotes: a quote is escaped inside of them, a backslash stands outside of them, and
 * the blank at the end keeps the path from being trimmed.
 */
function toCommandLine(file: string): string {
  return `"${file.replaceAll(/["\\]/g, (mark) => (mark === '"' ? '\\"' : '"\\"'))}" `
}
