import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { atExit } from '../at-exit.ts'
import { removeFolder } from '../remove-folder.ts'
import { shortHash } from './cache-key.ts'

const HOST = shortHash(hostname(), 6)
const DAY_MS = 86_400_000
const OWNED = /\.([0-9a-f]{6})-(\d+)-[0-9a-f]{8}$/

/** A name of this process alone, by which others can tell whether what bears it is still in use. */
export function ownName(name: string): string {
  return `${name}.${HOST}-${process.pid}-${randomUUID().slice(0, 8)}`
}

/** Removes what processes that are no more left in `folder` under own names of `name`. */
export async function removeLeftovers(folder: string, name: string): Promise<void> {
  const entries = await readdir(folder).catch(() => [])
  for (const entry of entries.filter((entry) => entry.startsWith(`${name}.`) && OWNED.test(entry))) {
    const file = path.join(folder, entry)
    if (await isAbandoned(file)) await removeFolder(file)
  }
}

/** Of processes of another machine, or container, only the age tells. */
async function isAbandoned(file: string): Promise<boolean> {
  const [, host, pid] = OWNED.exec(file) ?? []
  if (host === HOST) return !isAlive(Number(pid))
  const stats = await stat(file).catch(() => null)
  return stats !== null && Date.now() - stats.mtimeMs > DAY_MS
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One of another user may not be asked.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What is removed after `use`, or when this process ends before. */
export async function whileThere<T>(file: string, use: () => Promise<T>): Promise<T> {
  const forget = atExit(() => rmSync(file, { recursive: true, force: true }))
  try {
    return await use()
  } finally {
    await rm(file, { recursive: true, force: true })
    forget()
  }
}
