import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import { shortHash } from './cache-key.ts'
import { badRef, cloneSource } from './clone-source.ts'
import { isRemote } from './remote-location.ts'
import type { VoxDeps, VoxSource } from './vox-request.ts'

export interface SourceTree {
  /** Real path of its root. */
  readonly folder: string
  /** The same for every state of one source. */
  readonly name: string
}

/**
 * The tree to build from: a folder in place, or a shallow clone in the work folder.
 * @throws BenchError `vox/no-source`, `vox/bad-ref` for a folder with a ref, and what `cloneSource` throws
 */
export async function openSourceTree(source: VoxSource, deps: VoxDeps): Promise<SourceTree> {
  const { location, ref } = source
  if (isRemote(location)) return { folder: await cloneSource(location, ref, deps), name: nameOf(location) }
  if (ref !== undefined) throw badRef(ref, 'a folder is built as it lies')
  const folder = path.resolve(location)
  if (!existsSync(folder)) throw noSource(`there is no folder ${folder}`)
  const real = await realpath(folder)
  return { folder: real, name: nameOf(real) }
}

/** @throws BenchError `vox/no-source` when the tree cannot be one of vox. */
export function demandWorkspace({ folder }: SourceTree): void {
  if (!existsSync(path.join(folder, 'Cargo.toml'))) throw noSource(`${folder} has no Cargo.toml`)
}

const nameOf = (location: string) => shortHash(location, 12)

function noSource(why: string): BenchError {
  return new BenchError({
    code: 'vox/no-source',
    message: `vox cannot be built: ${why}.`,
    hint: 'Give the root folder of a vox checkout, or the URL of its repository.',
  })
}
