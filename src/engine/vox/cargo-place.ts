import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { CargoFolders } from './cargo-folders.ts'
import { gitFilesOf } from './git-configs.ts'
import type { Place } from './isolated-place.ts'

/**
 * Where cargo works: it writes its folders and what else is named, and reads the rest, but for homes and for what the tree's repository is
 * configured with.
 */
export async function cargoPlace(
  tree: string,
  folders: CargoFolders,
  writable: readonly string[],
  env: Readonly<Record<string, string>>,
  workFolder: string,
): Promise<Place> {
  const git = await gitFilesOf(tree, path.join(workFolder, 'git-configs'))
  return {
    cwd: await realpath(tree),
    readable: [tree, folders.root, ...git.readable],
    writable: [...writable, ...folders.writable],
    replaced: git.replaced,
    env,
  }
}
