import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Removes a folder that a hostile program could write to. What Node cannot remove (folders closed to their owner, paths longer than a
 * system call takes) is left to the system's own tools. Never rejects: what one program leaves behind must not end a run.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    await run('chmod', ['-R', 'u+rwX', '--', folder]).catch(() => {})
    await run('rm', ['-rf', '--', folder]).catch(() => {})
  }
}

/** The same for a process that ends, with what can be done at once. */
export function removeFolderNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The system empties its temporary folder some day.
  }
}
