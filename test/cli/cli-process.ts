import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../../..')

export const repository = root
export const cliPath = resolve(root, 'dist/cli.js')

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface CliOptions {
  readonly cwd?: string
  readonly env?: Record<string, string>
  readonly input?: string
}

/** Runs the built command line in a folder, with nothing of this process's environment but the search path. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).result
}

/** As `runCli`, with the process while it runs. */
export function startCli(args: readonly string[], options: CliOptions = {}) {
  return startNode([cliPath, ...args], options)
}

/** Any script of ours in the same way. */
export function startNode(args: readonly string[], options: CliOptions = {}) {
  const child: ChildProcess = spawn(process.execPath, [...args], {
    cwd: options.cwd ?? root,
    env: { PATH: process.env.PATH ?? '', ...options.env },
  })
  child.stdin?.end(options.input ?? '')
  const result = new Promise<CliResult>((done) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    child.on('close', (code) => done({ code, stdout, stderr }))
  })
  return { child, result }
}
