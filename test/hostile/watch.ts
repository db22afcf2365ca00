import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Leak, Surroundings } from './hostile-program.ts'

/** Words that lie where no candidate may look; one of them in anything a program printed is a leak. */
export interface Canaries {
  /** In the environment of the harness. */
  readonly environment: string
  /** In its arguments. */
  readonly argument: string
  /** In its files, and in the program of another candidate. */
  readonly file: string
}

/** How long a killed process may take to disappear. */
const SURVIVOR_MS = 1500
const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm']

/** Everything around the candidates that they must not touch, and how it is seen that they did. */
export interface Watch {
  /** Prepares for one program: what it may attack, and under which marker. */
  surround(at: number, engine: string): Surroundings
  /** What got out of a program that has ended, judged by `printed`, all it made the engine say. What it left is taken away. */
  leaksOf(surroundings: Surroundings, printed: string): Promise<readonly Leak[]>
  /** Whatever was touched and could not be put down to one program. */
  unexplained(): readonly string[]
  close(): void
}

/**
 * Lays the bait in `base`, which is the harness's own folder, and listens on loopback. Folders and files are open to every user, so
 * that it is the sandbox that holds and not their modes.
 */
export async function openWatch(base: string, run: string, canaries: Canaries): Promise<Watch> {
  const files: Readonly<Record<string, string>> = {
    'secret.txt': `${canaries.file}\n`,
    'home/.netrc': `password ${canaries.file}\n`,
    'own.txt': 'as it was\n',
    'tmp/vox-engine-other/0/program.vox': `// ${canaries.file}\nfn twice(n: int) to int { return n + n }\n`,
  }
  for (const [name, text] of Object.entries(files)) plant(base, name, text)
  for (const name of ['victims', 'cwd']) openFolder(path.join(base, name))

  const heard: { readonly leak: Leak; readonly text: string }[] = []
  const hear = (leak: Leak) => (data: Buffer) => heard.push({ leak, text: data.toString('latin1') })
  const tcp = await listen(hear('tcp'), 0)
  const abstractSocket = `vox-hostile-${run}`
  const sockets = [
    tcp,
    await listen(hear('processes'), `\0${abstractSocket}`),
    await listen(hear('processes'), path.join(base, 'own.sock')),
  ]
  chmodSync(path.join(base, 'own.sock'), 0o777)
  const udp = createSocket('udp4').on('message', hear('udp')).bind(0, '127.0.0.1')
  await once(udp, 'listening')

  const host = hostname()
  const ownLimits = readProc('/proc/self/limits')
  const baseline = snapshot(base)
  const bystanders = new Map<string, ChildProcess>()
  const firstIpcKey = 1 + (Number.parseInt(run, 16) % 1_000_000_000)

  function changesBy(marker: string): readonly string[] {
    const now = snapshot(base)
    return changed(baseline, now).filter(
      (name) => name.includes(marker) || readOrEmpty(path.join(base, name)).includes(marker),
    )
  }

  return {
    surround(at, engine) {
      const marker = `hostile-${run}-${String(at).padStart(3, '0')}`
      const victim = `victims/${marker}/file`
      plant(base, victim, 'as it was\n')
      for (const [name, print] of snapshot(base)) if (name.includes(marker)) baseline.set(name, print)
      const bystander = spawn('sleep', ['3600'], {
        stdio: 'ignore',
        env: { PATH: process.env.PATH ?? '', BYSTANDER: canaries.environment },
      })
      bystanders.set(marker, bystander)
      return {
        marker,
        base,
        tcpPort: (tcp.address() as AddressInfo).port,
        udpPort: udp.address().port,
        abstractSocket,
        ipcKey: firstIpcKey + 10 * at,
        harnessPid: process.pid,
        bystanderPid: bystander.pid ?? 0,
        node: process.execPath,
        engine,
      }
    },

    async leaksOf({ marker, ipcKey }, printed) {
      const found = new Set<Leak>()
      const survivors = await survivorsOf(marker)
      if (survivors.length > 0) found.add('survivors')
      for (const pid of survivors) endProcess(pid)

      if (printed.includes(canaries.environment) || printed.includes(canaries.argument)) found.add('processes')
      if (printed.includes(canaries.file)) found.add('reads')
      for (const [, leak] of printed.matchAll(new RegExp(`boast-(\\w+)-${marker}`, 'g'))) found.add(leak as Leak)

      for (const { leak } of takeWhere(heard, ({ text }) => text.includes(marker))) found.add(leak)

      const bystander = bystanders.get(marker)
      if (readProc(`/proc/${bystander?.pid}/limits`) !== ownLimits) found.add('processes')
      bystander?.kill('SIGKILL')
      bystanders.delete(marker)

      const changes = changesBy(marker)
      const strewn = SHARED_FOLDERS.flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => name.includes(marker))
          .map((name) => path.join(folder, name)),
      )
      const queues = messageQueues().filter((key) => key >= ipcKey && key < ipcKey + 10)
      if (changes.length + strewn.length + queues.length > 0) found.add('writes')
      for (const queue of queues) spawnSync('ipcrm', ['-Q', String(queue)])
      for (const name of strewn) rmSync(name, { recursive: true, force: true })
      for (const name of changes) {
        const original = files[name]
        if (original === undefined) rmSync(path.join(base, name), { recursive: true, force: true })
        else plant(base, name, original)
      }
      rmSync(path.join(base, 'victims', marker), { recursive: true, force: true })
      for (const name of [...baseline.keys()]) if (name.includes(marker)) baseline.delete(name)
      return [...found].sort()
    },

    unexplained() {
      const left = existsSync(path.join(base, 'tmp')) ? readdirSync(path.join(base, 'tmp')) : []
      return [
        ...heard.map(({ leak, text }) => `${leak}: ${text}`),
        ...changed(baseline, snapshot(base)).map((name) => `changed: ${name}`),
        ...left.filter((name) => name !== 'vox-engine-other').map((name) => `left: ${name}`),
        ...(hostname() === host ? [] : [`the host is called ${hostname()}`]),
      ]
    },

    close() {
      for (const socket of sockets) socket.close()
      udp.close()
      for (const bystander of bystanders.values()) bystander.kill('SIGKILL')
    },
  }
}

/** Keys of the System V message queues in the harness's namespace. */
function messageQueues(): readonly number[] {
  const [, ...lines] = readProc('/proc/sysvipc/msg').trimEnd().split('\n')
  return lines.map((line) => Number.parseInt(line, 10))
}

async function listen(hear: (data: Buffer) => void, where: number | string): Promise<Server> {
  const server = createServer((socket) => {
    const pieces: Buffer[] = []
    socket
      .on('data', (piece) => pieces.push(piece))
      .on('error', () => {})
      // One that says nothing is heard as well.
      .on('close', () => hear(Buffer.concat(pieces)))
    socket.end()
  })
  if (typeof where === 'number') server.listen(where, '127.0.0.1')
  else server.listen(where)
  await once(server, 'listening')
  return server
}

function plant(base: string, name: string, text: string): void {
  const file = path.join(base, name)
  const folders = path.dirname(name).split('/')
  for (const depth of folders.keys()) openFolder(path.join(base, ...folders.slice(0, depth + 1)))
  writeFileSync(file, text)
  chmodSync(file, 0o666)
}

function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
}

/** What each file and folder is like, by its path below `base`; the folders of calls under way are passed over. */
function snapshot(base: string): Map<string, string> {
  const prints = new Map<string, string>()
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(path.join(base, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name)
      if (name.startsWith('tmp/vox-') && !name.startsWith('tmp/vox-engine-other')) continue
      if (entry.isDirectory()) pending.push(name)
      prints.set(name, fingerprint(path.join(base, name)))
    }
  }
  return prints
}

function fingerprint(file: string): string {
  const { mode, uid } = lstatSync(file)
  const kind = (mode & 0o170000) === 0o120000 ? readlinkSync(file) : digest(readOrEmpty(file))
  return `${mode} ${uid} ${kind}`
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Nothing of what is no plain file. */
function readOrEmpty(file: string): string {
  try {
    return lstatSync(file).isFile() ? readFileSync(file, 'latin1') : ''
  } catch {
    return ''
  }
}

/** Processes with the marker in their arguments or environment, once those that are being killed are gone. */
async function survivorsOf(marker: string): Promise<readonly number[]> {
  for (const start = performance.now(); ; await wait(20)) {
    const found = processesWith(marker)
    if (found.length === 0 || performance.now() - start > SURVIVOR_MS) return found
  }
}

export function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => readProc(`/proc/${pid}/${file}`).includes(word)))
    .map(Number)
}

function readProc(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function takeWhere<T>(list: T[], isWanted: (each: T) => boolean): readonly T[] {
  const taken = list.filter(isWanted)
  list.splice(0, list.length, ...list.filter((each) => !isWanted(each)))
  return taken
}
