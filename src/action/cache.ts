import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Cache } from '../engine/ports.ts'

/**
 * The cache of GitHub Actions. An entry never changes: saving under a key that has one rejects. So does saving where there is no such cache,
 * while restoring there finds nothing. The toolkit writes its troubles to the job's log and then tells no more than that there is nothing,
 * or that nothing was saved; of an upload that fails on an Enterprise Server it does not even tell that. It gives tar and zstd the whole
 * environment of this process.
 */
export function createActionsCache(): Cache {
  return {
    async restore(key, folder) {
      const { isFeatureAvailable, restoreCache } = await loadToolkit()
      if (!isFeatureAvailable()) return false
      const wasThere = existsSync(folder)
      const found = await restoreCache([toPattern(folder)], key)
      if (found === key) {
        if (existsSync(folder)) return true
        throw new Error(
          `the entry ${key} did not fill ${folder}: it was saved by a job whose workspace lies elsewhere in relation to it`,
        )
      }
      // Half of a damaged archive, or an entry whose key only begins with ours.
      if (!wasThere) await rm(folder, { recursive: true, force: true })
      return false
    },
    async save(key, folder) {
      const { isFeatureAvailable, saveCache } = await loadToolkit()
      if (!isFeatureAvailable()) throw new Error('there is no cache of GitHub Actions outside of its jobs')
      const id = await saveCache([toPattern(folder)], key)
      if (id === -1) throw new Error(`nothing was saved as ${key}: there is such an entry, or the log says why`)
    },
  }
}

/** Loaded when needed: a step that needs no cache starts sooner. */
function loadToolkit() {
  return import('@actions/cache')
}

/** A pattern that matches one path alone: the toolkit takes patterns. */
function toPattern(folder: string): string {
  return folder.replaceAll(/[[*?]/g, '[$&]')
}
