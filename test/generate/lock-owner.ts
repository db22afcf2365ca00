import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withFileLock } from '../../src/generate/file-lock.ts'

export interface LockOwner {
  readonly pid: number
  readonly host: string
  readonly boot: string
  /** The namespace of the numbers of processes. */
  readonly numbers: string
  /** When the process began. */
  readonly start: string
  readonly mark: string
}

/** The words in a lock that name its owner: this process, but for `changes`. Another one began when it did, if it lives. */
export function ownerWords(changes: Partial<LockOwner> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-owner-'))
  try {
    const lock = path.join(folder, 'lock')
    const [pid, host, boot, numbers, start, mark] = withFileLock(lock, () => readFileSync(lock, 'utf8')).split(' ')
    const own = { pid, host, boot, numbers, start: startOf(changes.pid) ?? start, mark }
    return Object.values({ ...own, ...changes }).join(' ')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The 20th word after the name, which is in parentheses. */
function startOf(pid: number | undefined): string | undefined {
  try {
    return /\) (?:\S+ ){19}(\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
