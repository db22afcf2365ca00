import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keptText } from '../captured-text.ts'
import { scrubbedEnvironment, spawnGroup } from '../launch.ts'
import { endOf, type ProcessEnd } from '../limited-process.ts'
import type { Isolation } from './isolation.ts'

export type SmokeOutcome =
  | { readonly kind: 'passed'; readonly version: string }
  | { readonly kind: 'failed'; readonly reason: string }

const PROGRAM = 'fn main() to str { return "vox works" }\n'
/** Version 0.5 prints a value as `Str("…")`. */
const ANSWER = 'vox works'
/** Loading a large binary from a cold disk takes a while. */
const LIMITS = { wallMs: 120_000, outputBytes: 1024 * 1024 }

/** Whether an executable answers like vox: its version, and the check and run of a one-line program. */
export async function smokeTest(executable: string, isolation: Isolation): Promise<SmokeOutcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vox-smoke-'))
  const env = scrubbedEnvironment(folder, folder)
  const place = { cwd: folder, readable: [path.dirname(executable)], writable: [folder], env }

  async function answer(...args: string[]): Promise<ProcessEnd> {
    return await endOf(spawnGroup(isolation.wrap([executable, ...args], place), { cwd: folder, env }), LIMITS)
  }
  try {
    const file = path.join(folder, 'smoke.vox')
    await writeFile(file, PROGRAM)
    const version = await answer('--version')
    if (!isFine(version)) return failed('--version', version)
    const [line = ''] = version.stdout.head.trim().split('\n')
    if (!/^vox\b/.test(line)) return { kind: 'failed', reason: `it calls itself "${line.slice(0, 80)}"` }
    const check = await answer('check', file)
    if (!isFine(check)) return failed('check of a one-line program', check)
    const run = await answer('run', '--mode', 'interp', file)
    if (!isFine(run) || !run.stdout.lastLine.includes(ANSWER)) return failed('run of a one-line program', run)
    return { kind: 'passed', version: line }
  } catch (error) {
    return { kind: 'failed', reason: `it cannot be started (${(error as Error).message})` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isFine = ({ end }: ProcessEnd) => end.kind === 'exited' && end.code === 0

function failed(step: string, { end, stdout, stderr }: ProcessEnd): SmokeOutcome {
  const how =
    end.kind === 'exited' ? `exit code ${end.code}` : end.kind === 'signalled' ? `killed by ${end.signal}` : end.kind
  const output = `${keptText(stdout)}\n${keptText(stderr)}`.trim().split('\n').slice(-10).join('\n')
  return { kind: 'failed', reason: `${step}: ${how}${output === '' ? '' : `\n${output}`}` }
}
