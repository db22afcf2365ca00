import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

let opened: string | null = null

/**
 * Path of a file that holds the filter, for all launches of this process: made once, and given no name, so that nothing is left of it
 * when this process ends. Each opening reads it from the start, which a descriptor handed on would not.
 */
export function filterFile(filter: Uint8Array): string {
  opened ??= `/proc/${process.pid}/fd/${openWithoutName(filter)}`
  return opened
}

function openWithoutName(bytes: Uint8Array): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-filter-'))
  try {
    const file = path.join(folder, 'filter')
    writeFileSync(file, bytes, { mode: 0o400 })
    return openSync(file, 'r')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
