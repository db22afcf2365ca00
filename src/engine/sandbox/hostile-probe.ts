import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SandboxReport } from '../engine.ts'
import { DEFAULT_LIMITS } from '../engine.ts'
import type { Launch } from '../launch.ts'
import { endOf } from '../limited-process.ts'
import { makeTemporaryFolder, temporaryFolderFailure } from '../temporary-folder.ts'
import { CANARY, type CanaryFindings, type CanaryOrders } from './canary.ts'

/** Longer than any canary takes, even on a machine busy with much else. */
const PROBE_WALL_MS = 15_000

export type ProbeResult =
  | { readonly kind: 'probed'; readonly closed: SandboxReport['closed'] }
  /** Not even an honest program runs in it as it should. */
  | { readonly kind: 'unusable'; readonly reason: string }

/**
 * Lets a hostile program loose on this process through `launch`, and finds what was closed to it. What can be seen from outside is;
 * the program's word is taken only for what it could not do but should.
 */
export async function probeLaunch(launch: Launch): Promise<ProbeResult> {
  const root = await makeTemporaryFolder('vox-sandbox-probe-')
  const name = `vox-canary-${randomBytes(8).toString('hex')}`
  const secret = randomBytes(16).toString('hex')
  const newFiles = [root, '/var/tmp', '/dev/shm', '/tmp'].map((folder) => path.join(folder, name))
  const unixSocket = `/tmp/${name}.socket`
  const seen = { tcp: false, udp: false, unix: false, signal: false }
  const onSignal = () => {
    seen.signal = true
  }
  const listener = (kind: 'tcp' | 'unix') =>
    createServer((socket) => {
      seen[kind] = true
      socket.on('error', () => {}).destroy()
    })
  const [tcp, unix] = [listener('tcp'), listener('unix')]
  const udp = createSocket('udp4').on('message', () => {
    seen.udp = true
  })
  process.on('SIGURG', onSignal)
  try {
    await Promise.all([
      once(tcp.listen(0, '127.0.0.1'), 'listening'),
      // A TMPDIR may be too long for the path of a socket.
      once(unix.listen({ path: unixSocket, readableAll: true, writableAll: true }), 'listening'),
      once(udp.bind(0, '127.0.0.1'), 'listening'),
    ])
    const folder = path.join(root, 'call')
    await mkdir(folder)
    const orders: CanaryOrders = {
      tcpPort: (tcp.address() as { port: number }).port,
      udpPort: udp.address().port,
      unixSocket,
      pid: process.pid,
      secretFile: path.join(root, 'secret'),
      newFiles,
      marker: name,
    }
    const program = JSON.stringify(orders)
    const programFile = path.join(folder, 'program.vox')
    await Promise.all([writeFile(orders.secretFile, secret), writeFile(programFile, program)]).catch((cause) => {
      throw temporaryFolderFailure(cause)
    })
    // Open to every user whatever the umask, so that the sandbox is tried and not the permissions.
    await Promise.all([
      chmod(root, 0o711),
      chmod(folder, 0o755),
      chmod(orders.secretFile, 0o644),
      chmod(programFile, 0o644),
    ])
    const limits = { ...DEFAULT_LIMITS, wallMs: PROBE_WALL_MS }
    const { end, stdout, stderr } = await endOf(
      launch([process.execPath, '-e', CANARY], { folder, slot: 0, limits }),
      limits,
    )
    const survivors = processesWith(name)
    for (const pid of survivors) process.kill(pid, 'SIGKILL')
    // What the loopback took is delivered in the next turns of the event loop.
    await delay(20)

    const findings = end.kind === 'exited' && end.code === 0 ? parseFindings(stdout.head) : null
    if (findings === null)
      return { kind: 'unusable', reason: firstLine(stderr.head) ?? `a program of it ended by ${end.kind}` }
    if (!findings.canWriteHere) return { kind: 'unusable', reason: 'a program cannot write in its own folder' }
    const isUnchanged = (await readFile(path.join(folder, 'program.vox'), 'utf8')) === program
    return {
      kind: 'probed',
      closed: {
        tcp: !seen.tcp,
        udp: !seen.udp,
        reads: findings.secret !== secret,
        writes: isUnchanged && !findings.canKeepKey && !newFiles.some((file) => existsSync(file)),
        processes: !seen.signal && !seen.unix && findings.environ !== readFileSync('/proc/self/environ', 'base64'),
        survivors: survivors.length === 0,
      },
    }
  } finally {
    process.off('SIGURG', onSignal)
    for (const socket of [tcp, unix, udp]) socket.close()
    for (const file of newFiles) rmSync(file, { force: true })
    await rm(root, { recursive: true, force: true })
  }
}

function parseFindings(text: string): CanaryFindings | null {
  try {
    return JSON.parse(text) as CanaryFindings
  } catch {
    return null
  }
}

/** Ids of the living processes that have `marker` among their arguments. */
function processesWith(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker)
      } catch {
        return false
      }
    })
    .map(Number)
}

function firstLine(text: string): string | null {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim()
      .slice(0, 300) ?? null
  )
}
