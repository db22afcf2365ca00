import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { removeFolder } from '../remove-folder.ts'
import { ownName, removeLeftovers, whileThere } from './leftovers.ts'

export interface TargetIdentity {
  /** The same for all states of a source. */
  readonly tree: string
  readonly state: string
  readonly variant: string
}

/**
 * A target folder for one state of a tree, as cargo believes what it finds there, whoever wrote it. It is removed when `use` has done with
 * it and kept when `use` fails, so that a retry goes on. Those of other states of the tree are removed first. None is removed that another
 * process uses.
 * @param workFolder which exists
 */
export async function inTargetFolder<T>(
  { tree, state, variant }: TargetIdentity,
  workFolder: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const [targets, users] = [path.join(workFolder, 'targets'), path.join(workFolder, 'targets-in-use')]
  const name = `${tree}-${state}-${variant}`
  await mkdir(targets, { recursive: true })
  await mkdir(users, { recursive: true })
  const mark = path.join(users, ownName(name))
  const result = await whileThere(mark, async () => {
    await writeFile(mark, '')
    for (const other of await readdir(targets)) {
      if (!other.startsWith(`${tree}-`)) continue
      if (other.includes('.')) await removeFolder(path.join(targets, other))
      else if (!other.startsWith(`${tree}-${state}-`)) await removeUnused(other)
    }
    return await use(path.join(targets, name))
  })
  await removeUnused(name)
  return result

  async function removeUnused(name: string): Promise<void> {
    await removeLeftovers(users, name)
    if ((await readdir(users)).some((user) => user.startsWith(`${name}.`))) return
    const folder = path.join(targets, name)
    if (!existsSync(folder)) return
    // Out of the way at once: it has many files, and another process may want the name.
    const removed = path.join(targets, ownName(name))
    await rename(folder, removed)
    await removeFolder(removed)
  }
}
