import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  take(file, patienceMs)
  try {
    return act()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file: string, patienceMs: number): void {
  const endMs = performance.now() + patienceMs
  while (!wasMade(file)) {
    if (isStale(file) && wasBroken(file)) continue
    if (performance.now() > endMs) throw held(file, patienceMs)
    pause(2 + 8 * Math.random())
  }
}

/** One process at a time breaks a lock: it could otherwise delete the one that the next owner has just made. */
function wasBroken(file: string): boolean {
  const breaking = breakingName(file)
  if (!wasMade(breaking)) {
    // Whoever was killed while breaking one must not keep all others out.
    if (isStale(breaking)) rmSync(breaking, { force: true })
    return false
  }
  try {
    if (isStale(file)) rmSync(file, { force: true })
    return true
  } finally {
    rmSync(breaking, { force: true })
  }
}

const breakingName = (file: string) => `${file}.breaking`

/** Made whole or not at all: a process that is killed must not leave a lock that names nobody. */
function wasMade(file: string): boolean {
  const draft = `${file}.${process.pid}.${randomUUID()}`
  try {
    writeFileSync(draft, ownName())
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unlockable(file, error as Error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Processes of another machine (or container) have numbers that mean nothing here. */
const ownName = () => `${process.pid} ${hostname()}`

function isStale(file: string): boolean {
  const owner = ownerOf(file)
  // Our own number in a lock is that of an earlier process: we hold none while we ask.
  if (owner === ownName()) return true
  const [pid, ...host] = owner.split(' ')
  return host.join(' ') === hostname() && !isAlive(Number(pid))
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

function held(file: string, patienceMs: number): BenchError {
  const owner = ownerOf(file)
  return new BenchError({
    code: 'infra/lock',
    message: `The lock ${file} was held for ${patienceMs / 1000} s${owner === '' ? '' : ` by ${owner} (process, machine)`}.`,
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
