import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { BenchError } from '../bench-error.ts'

/** What is done in a lock takes milliseconds, so that one held for this long is held by nobody who will give it back. */
const PATIENCE_MS = 30_000

/**
 * Runs `act` while no other process is in the lock `file`; the folder must exist. This process stands still meanwhile, so
 * that two calls of one process never meet. A lock whose process of this machine is gone is broken.
 * @throws BenchError `infra/lock` when the lock cannot be made, or another process keeps it.
 */
export function withFileLock<Result>(file: string, act: () => Result, patienceMs = PATIENCE_MS): Result {
  const lock = takeFileLock(file, patienceMs)
  if (lock.kind === 'held') throw held(file, patienceMs, lock.owner)
  try {
    return act()
  } finally {
    lock.release()
  }
}

/** `owner` names who has the lock, in words. */
export type FileLock = { readonly kind: 'taken'; release(): void } | { readonly kind: 'held'; readonly owner: string }

/**
 * Takes the lock `file`, to be released whenever its owner is done; its folder must exist. Waits `patienceMs` for another
 * owner, and this process stands still meanwhile. A lock whose process of this machine is gone is broken.
 * @throws BenchError `infra/lock` when the lock cannot be made.
 */
export function takeFileLock(file: string, patienceMs: number): FileLock {
  const endMs = performance.now() + patienceMs
  while (!wasMade(file)) {
    if (isStale(ownerOf(file)) && wasBroken(file)) continue
    if (performance.now() > endMs) return { kind: 'held', owner: wordOwner(ownerOf(file)) }
    pause(2 + 8 * Math.random())
  }
  return {
    kind: 'taken',
    release() {
      // Whoever deleted it by hand let another have it.
      if (ownerOf(file) === ownName) rmSync(file, { force: true })
    },
  }
}

/** One process at a time breaks a lock: it could otherwise delete the one that the next owner has just made. */
function wasBroken(file: string): boolean {
  const breaking = breakingName(file)
  if (!wasMade(breaking)) {
    // Whoever was killed while breaking one must not keep all others out.
    removeStale(breaking)
    return false
  }
  try {
    removeStale(file)
    return true
  } finally {
    rmSync(breaking, { force: true })
  }
}

/** Between a look at a lock and its removal another may have made it anew: what was taken away by mistake is put back. */
function removeStale(file: string): void {
  const owner = ownerOf(file)
  if (!isStale(owner)) return
  const aside = `${file}.${process.pid}.${randomUUID()}`
  try {
    renameSync(file, aside)
    if (ownerOf(aside) !== owner) linkSync(aside, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw unlockable(file, error as Error)
  } finally {
    rmSync(aside, { force: true })
  }
}

const breakingName = (file: string) => `${file}.breaking`

/** Made whole or not at all: a process that is killed must not leave a lock that names nobody. */
function wasMade(file: string): boolean {
  const draft = `${file}.${process.pid}.${randomUUID()}`
  try {
    writeFileSync(draft, ownName)
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unlockable(file, error as Error)
  } finally {
    rmSync(draft, { force: true })
  }
}

const UNTOLD = '-'

/**
 * Where the numbers of processes mean what they mean here. Containers may share a host name, so that the kernel's boot and
 * the namespace of the numbers are part of it, where the system tells them.
 */
const PLACE = [
  hostname(),
  told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  told(() => readlinkSync('/proc/self/ns/pid')),
].join(' ')

/** A process of an earlier time may have had our number, hence the last two words: when we began, and one of our own. */
const ownName = `${process.pid} ${PLACE} ${startOf(process.pid)} ${randomUUID()}`

function told(read: () => string): string {
  try {
    return read()
  } catch {
    return UNTOLD
  }
}

function isStale(owner: string): boolean {
  if (owner === ownName) return false
  const [pid, ...rest] = owner.split(' ')
  if (rest.slice(0, -2).join(' ') !== PLACE) return false
  if (Number(pid) === process.pid || !isAlive(Number(pid))) return true
  // The number may be another process's by now.
  return ![rest.at(-2), UNTOLD].includes(startOf(Number(pid)))
}

/** When a process began, in ticks since the start of the machine, where the system tells. Field 22 of proc_pid_stat(5). */
function startOf(pid: number): string {
  return told(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field, a name in parentheses, may have blanks and parentheses itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3] as string
  })
}

function wordOwner(owner: string): string {
  const [pid, host] = owner.split(' ')
  return host === undefined ? 'a process that it does not name' : `process ${pid} of ${host}`
}

/** Empty when the lock is gone. */
function ownerOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function held(file: string, patienceMs: number, owner: string): BenchError {
  return new BenchError({
    code: 'infra/lock',
    message: `The lock ${file} was held for ${patienceMs / 1000} s by ${owner}.`,
    hint: `If no such process exists, delete it, and ${breakingName(file)} if it is there.`,
  })
}

function unlockable(file: string, cause: Error): BenchError {
  return new BenchError({
    code: 'infra/lock',
    message: `The lock ${file} cannot be made: ${cause.message}.`,
    hint: 'Its folder must be one that this process can write to.',
    cause,
  })
}
