import { randomUUID } from 'node:crypto'
import { cp, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Cache } from '../engine/ports.ts'
import { makeFolder } from '../engine/vox/work-folder.ts'

/**
 * A cache in the folder `root`, one folder an entry. Entries and restored folders are filled under a temporary name and then renamed, and
 * an earlier entry is renamed out of the way, so that neither is ever seen half filled or half removed, whoever saves or restores at the
 * same time; in the instant between the two names there is no entry. Of saves at once one stays. A restored folder that is there already
 * is kept.
 */
export function createFolderCache(root: string): Cache {
  return {
    async restore(key, folder) {
      const entry = path.join(root, key)
      const temporary = nameBeside(folder)
      await makeFolder(path.dirname(folder))
      try {
        for (;;) {
          const state = await stateOf(entry)
          if (state === null) return false
          const trouble = await copyTrouble(entry, temporary)
          if ((await stateOf(entry)) === state) {
            if (trouble !== null) throw trouble
            await renameUnlessTaken(temporary, folder)
            return true
          }
          // Another save came between, and what was copied may be of both.
          await rm(temporary, { recursive: true, force: true })
        }
      } finally {
        await rm(temporary, { recursive: true, force: true })
      }
    },
    async save(key, folder) {
      const entry = path.join(root, key)
      const [temporary, old] = [nameBeside(entry), nameBeside(entry)]
      await makeFolder(root)
      try {
        await cp(folder, temporary, { recursive: true })
        await rename(entry, old).catch(demandCode('ENOENT'))
        await renameUnlessTaken(temporary, entry)
      } finally {
        await Promise.all([temporary, old].map((name) => rm(name, { recursive: true, force: true })))
      }
    },
  }
}

const nameBeside = (folder: string) => `${folder}.${randomUUID()}`

/** Tells one folder of a name from the next; null where there is none. */
async function stateOf(folder: string): Promise<string | null> {
  try {
    const stats = await stat(folder, { bigint: true })
    return stats.isDirectory() ? `${stats.ino} ${stats.ctimeNs}` : null
  } catch {
    return null
  }
}

async function copyTrouble(from: string, to: string): Promise<Error | null> {
  try {
    await cp(from, to, { recursive: true })
    return null
  } catch (error) {
    return error as Error
  }
}

async function renameUnlessTaken(from: string, to: string): Promise<void> {
  await rename(from, to).catch(demandCode('ENOTEMPTY', 'EEXIST'))
}

function demandCode(...codes: readonly string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
