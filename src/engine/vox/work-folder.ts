import { constants, existsSync } from 'node:fs'
import { access, mkdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import { isInside } from '../../is-inside.ts'
import { noRoom } from './disk-space.ts'

/**
 * Makes a folder where there is none, and returns its one real name, as caches and cargo go by paths.
 * @throws BenchError `vox/cache-folder`, `infra/vox-disk`
 */
export async function openWorkFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
    return await realpath(folder)
  } catch (error) {
    throw storageTrouble(error, folder) ?? error
  }
}

/** One level at a time: where a file system makes no folders, Node's own way tries for ever. */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = []
  let place = path.resolve(folder)
  while (!existsSync(place) && place !== path.dirname(place)) {
    missing.unshift(place)
    place = path.dirname(place)
  }
  for (const name of missing) {
    await mkdir(name).catch(async (error: NodeJS.ErrnoException) => {
      // Another process may be as far.
      if (error.code !== 'EEXIST' || !(await isFolder(name))) throw error
    })
  }
  if (!(await isFolder(folder))) throw Object.assign(new Error('it is a file'), { code: 'ENOTDIR', path: folder })
}

/** The error for what a file system refused in the work folder; null where it is not about that. */
export function storageTrouble(error: unknown, folder: string): BenchError | null {
  const { code = '', path: file, message } = error as NodeJS.ErrnoException
  if (error instanceof BenchError) return null
  if (['ENOSPC', 'EDQUOT'].includes(code)) return noRoom(folder)
  if (file === undefined || !(isInside(file, folder) || isInside(folder, file))) return null
  return new BenchError({
    code: 'vox/cache-folder',
    message: `the folder ${folder} cannot be used: ${REASONS[code] ?? message}${file === folder ? '' : ` (${file})`}.`,
    hint: 'Point --vox-cache to a folder that can be written, or to a place where one can be made.',
    cause: error,
  })
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: 'there is a file in the place of a folder',
  EEXIST: 'there is a file in the place of a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
}

async function isFolder(name: string): Promise<boolean> {
  return (await stat(name).catch(() => null))?.isDirectory() === true
}
