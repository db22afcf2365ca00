import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import type { EngineLimits, SandboxLevel, SandboxReport } from '../../../src/engine/engine.ts'
import { DEFAULT_LIMITS } from '../../../src/engine/engine.ts'
import type { ProcessEnd } from '../../../src/engine/limited-process.ts'

export interface DriverCall {
  readonly id: number
  /** The program's name is appended. */
  readonly command: readonly string[]
  readonly program: string
  readonly limits: EngineLimits
  readonly slot: number
}

export type DriverAnswer =
  | { readonly id: number; readonly end: ProcessEnd }
  | { readonly id: number; readonly error: string }

/** A sandbox in a harness of its own process. */
export interface DrivenSandbox {
  readonly report: SandboxReport
  readonly harness: ChildProcess
  /** Runs a shell script, whose `$0` is the program's file. */
  sh(script: string, options?: CallChoices): Promise<ProcessEnd>
  /** Runs a script in Node. */
  node(script: string, options?: CallChoices): Promise<ProcessEnd>
  close(): Promise<void>
}

export interface CallChoices {
  readonly slot?: number
  readonly limits?: Partial<EngineLimits>
  readonly program?: string
}

/** Bundles the driver into `folder`, which the user it is started as must be able to read. */
export async function buildDriver(folder: string): Promise<string> {
  const bundle = await rolldown({ input: path.join(import.meta.dirname, 'driver.ts'), platform: 'node' })
  const file = path.join(folder, 'driver.mjs')
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  return file
}

/** Starts the driver as `uid`, null for the user of the tests, with `env` as its whole environment. */
export async function driveSandbox(
  driver: string,
  where: { level: SandboxLevel; uid: number | null; readable: readonly string[]; env: Record<string, string> },
): Promise<DrivenSandbox> {
  const harness = spawn(process.execPath, [driver, where.level, ...where.readable], {
    cwd: '/',
    env: where.env,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(where.uid === null ? {} : { uid: where.uid, gid: where.uid }),
  })
  // One that was killed no longer reads.
  harness.stdin.on('error', () => {})
  const waiting = new Map<number, { resolve(end: ProcessEnd): void; reject(error: Error): void }>()
  let calls = 0
  const report = new Promise<SandboxReport>((resolve, reject) => {
    harness.once('exit', (code, signal) => {
      const error = new Error(`the driver ended with ${signal ?? code}`)
      for (const call of [{ reject }, ...waiting.values()]) call.reject(error)
    })
    createInterface(harness.stdout).on('line', (line) => {
      const message = JSON.parse(line) as SandboxReport | DriverAnswer
      if ('level' in message) resolve(message)
      else if ('end' in message) waiting.get(message.id)?.resolve(message.end)
      else waiting.get(message.id)?.reject(new Error(message.error))
    })
  })

  function call(command: readonly string[], { slot = 0, limits = {}, program = 'fn main() { }\n' }: CallChoices = {}) {
    if (hasEnded(harness)) return Promise.reject(new Error('the driver has ended'))
    const id = calls++
    const order: DriverCall = { id, command, program, slot, limits: { ...DEFAULT_LIMITS, ...limits } }
    harness.stdin.write(`${JSON.stringify(order)}\n`)
    return new Promise<ProcessEnd>((resolve, reject) => waiting.set(id, { resolve, reject }))
  }

  return {
    report: await report,
    harness,
    sh: (script, options) => call(['/bin/sh', '-c', script], options),
    node: (script, options) => call([process.execPath, '-e', script], options),
    async close() {
      if (hasEnded(harness)) return
      harness.stdin.end()
      await once(harness, 'exit')
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** How many living processes have `marker` among their arguments. */
export function countProcesses(marker: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker)
    } catch {
      return false
    }
  }).length
}
