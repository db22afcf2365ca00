import { spawnGroup } from './launch.ts'
import { endOf } from './limited-process.ts'
import type { Exec } from './ports.ts'
import { firstThatHolds, type IsolationCandidate } from './vox/isolation.ts'
import { inBareNamespaceAsRoot, inBareNamespaceBySudo, inNamespaceAsUser } from './vox/process-namespace.ts'

/** What a model server is kept in: its own processes are all it sees, so that no environment of ours can be read. */
export type ServerIsolation =
  | { readonly kind: 'process namespace'; wrap(command: readonly string[]): readonly string[] }
  /** One reason for each way that was tried. */
  | { readonly kind: 'none'; readonly reasons: readonly string[] }

const namespace = { kind: 'process namespace', needs: ['setpriv', 'unshare'] } as const

function ways(): readonly IsolationCandidate[] {
  if (process.getuid?.() === 0) return [{ ...namespace, tool: 'unshare', wrap: inBareNamespaceAsRoot }]
  return [
    { ...namespace, tool: 'unshare', wrap: inNamespaceAsUser },
    { ...namespace, tool: 'sudo unshare', needs: [...namespace.needs, 'sudo'], wrap: inBareNamespaceBySudo },
  ]
}

/** The process namespace that works on this machine, tried by a real run. Network, devices and files stay as they are. */
export async function chooseServerIsolation(env: Readonly<Record<string, string>>): Promise<ServerIsolation> {
  const isolation = await firstThatHolds(ways(), exec, env, 'unshare and setpriv are not both on PATH')
  if (isolation.kind === 'none') return { kind: 'none', reasons: isolation.reasons }
  const place = { cwd: process.cwd(), readable: [], writable: [], env }
  return { kind: 'process namespace', wrap: (command) => isolation.wrap(command, place) }
}

const PROBE_LIMITS = { wallMs: 20_000, outputBytes: 65_536 }

/** Runs the short commands of a trial. */
const exec: Exec = {
  async run(command, { cwd = '/', env }) {
    try {
      const { end, stdout, stderr } = await endOf(spawnGroup(command, { cwd, env }), PROBE_LIMITS)
      const streams = { stdout: stdout.head, stderr: stderr.head }
      if (end.kind === 'exited') return { kind: 'exited', code: end.code, ...streams }
      return { kind: 'signalled', signal: end.kind === 'signalled' ? end.signal : end.kind, ...streams }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'not-found' }
      throw error
    }
  },
}
