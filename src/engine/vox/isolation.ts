import { randomUUID } from 'node:crypto'
import type { Exec } from '../ports.ts'
import { inBubblewrap } from './bubblewrap.ts'
import { findProgram } from './find-program.ts'
import type { Place } from './isolated-place.ts'
import { inNamespaceAsRoot, inNamespaceAsUser, inNamespaceBySudo } from './process-namespace.ts'

/** A way to run commands that can see no process of ours, and so no environment with keys. */
export interface Isolation {
  readonly kind: 'bubblewrap' | 'process namespace' | 'none'
  /** Why there is none or no stronger one; one reason for each way that was tried. */
  readonly reasons: readonly string[]
  wrap(command: readonly string[], place: Place): readonly string[]
}

/** A way that may work here. */
export interface IsolationCandidate extends Omit<Isolation, 'reasons'> {
  /** For people. */
  readonly tool: string
  /** Programs that must be on PATH. */
  readonly needs: readonly string[]
}

/** Strongest first. */
function candidates(): readonly IsolationCandidate[] {
  const bubblewrap: IsolationCandidate = { kind: 'bubblewrap', tool: 'bwrap', needs: ['bwrap'], wrap: inBubblewrap }
  const namespace = { kind: 'process namespace', needs: ['unshare', 'setpriv'] } as const
  if (process.getuid?.() === 0) return [bubblewrap, { ...namespace, tool: 'unshare', wrap: inNamespaceAsRoot }]
  return [
    bubblewrap,
    { ...namespace, tool: 'sudo unshare', needs: [...namespace.needs, 'sudo'], wrap: inNamespaceBySudo },
    { ...namespace, tool: 'unshare', wrap: inNamespaceAsUser },
  ]
}

/** The strongest isolation of a build that works on this machine. */
export function chooseIsolation(exec: Exec, env: Readonly<Record<string, string>>): Promise<Isolation> {
  return firstThatHolds(candidates(), exec, env, 'neither bwrap nor unshare is on PATH')
}

/**
 * The first of `ways` that works on this machine. Each is tried by a real run: a canary in the environment of a process of ours must
 * not be found from inside by a scan of every environment in /proc.
 */
export async function firstThatHolds(
  ways: readonly IsolationCandidate[],
  exec: Exec,
  env: Readonly<Record<string, string>>,
  /** The reason where the tools of none are there. */
  missing: string,
): Promise<Isolation> {
  const reasons: string[] = []
  for (const { kind, tool, needs, wrap } of ways) {
    const found = await Promise.all(needs.map((name) => findProgram(name, env)))
    if (found.includes(null)) continue
    const trouble = await probe(wrap, exec, env)
    if (trouble === null) return { kind, reasons, wrap }
    reasons.push(`${tool}: ${trouble}`)
  }
  if (reasons.length === 0) reasons.push(missing)
  return { kind: 'none', reasons, wrap: (command) => command }
}

/** Null when the canary was not found; otherwise what went wrong. */
async function probe(
  wrap: Isolation['wrap'],
  exec: Exec,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const canary = randomUUID()
  // In two parts for the shell to join: sudo tells the command line, this script, in the environment.
  const split = `${canary.slice(0, 8)}''${canary.slice(8)}`
  const scan = ['sh', '-c', `grep -aqsF ${split} /proc/[0-9]*/environ; echo "scanned $?"`]
  const wrapped = wrap(scan, { cwd: '/', readable: [], writable: [], env })
  // The shell outside bears the canary, its child does not.
  const bearer = ['sh', '-c', 'unset VOX_BUILD_CANARY; "$@"; exit $?', 'bearer', ...wrapped]
  const result = await exec.run(bearer, { cwd: '/', env: { ...env, VOX_BUILD_CANARY: canary } })
  if (result.kind === 'not-found') return 'there is no sh'
  const [, found] = /^scanned (\d+)$/m.exec(result.stdout) ?? []
  if (found === '0') return 'a process inside can read the environment of one outside'
  if (found === '1' || found === '2') return null
  return result.stderr.trim().split('\n')[0] || 'it does not start'
}
