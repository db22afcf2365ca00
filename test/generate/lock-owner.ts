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
  readonly mark: string
}

/** The words in a lock that name its owner: this process, but for `changes`. */
export function ownerWords(changes: Partial<LockOwner> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-owner-'))
  try {
    const lock = path.join(folder, 'lock')
    const [pid, host, boot, numbers, mark] = withFileLock(lock, () => readFileSync(lock, 'utf8')).split(' ')
    return Object.values({ pid, host, boot, numbers, mark, ...changes }).join(' ')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
