import { randomUUID } from 'node:crypto'
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Cache } from '../engine/ports.ts'

/**
 * A cache in the folder `root`, one folder an entry. Entries and restored folders are filled under a temporary name and then renamed, so
 * that neither is ever seen half filled, whoever saves or restores at the same time. A restored folder that is there already is kept.
 */
export function createFolderCache(root: string): Cache {
  return {
    async restore(key, folder) {
      const entry = path.join(root, key)
      if (!(await isFolder(entry))) return false
      await copyWhole(entry, folder)
      return true
    },
    async save(key, folder) {
      await rm(path.join(root, key), { recursive: true, force: true })
      await copyWhole(folder, path.join(root, key))
    },
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = `${to}.${randomUUID()}`
  await mkdir(path.dirname(to), { recursive: true })
  try {
    await cp(from, temporary, { recursive: true })
    await rename(temporary, to)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!isTaken(error)) throw error
  }
}

function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch {
    return false
  }
}
