import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { isInside } from '../is-inside.ts'

export interface DataFile {
  /** Relative to what was named, with `/`; for a single file its name. */
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/** Something that was named or found and is not searched, or not in full. */
export interface Unsearched {
  readonly file: string
  readonly reason: string
}

export interface DataFiles {
  /** Without symbolic links; null when one file was named. */
  readonly folder: string | null
  /** Sorted by name, code unit by code unit. */
  readonly files: readonly DataFile[]
  readonly unsearched: readonly Unsearched[]
}

/**
 * Every file below a folder, or the file itself. Symbolic links are not followed: what they lead to inside the folder is
 * met anyway, what lies outside is told. Of hard links the first name counts.
 * @throws BenchError `training/not-found`.
 */
export async function listDataFiles(named: string): Promise<DataFiles> {
  const root = await realpath(named).catch((cause) => {
    throw new BenchError({
      code: 'training/not-found',
      message: `The training data ${named} cannot be opened (${reasonOf(cause)}).`,
      hint: 'Give the folder, or the file, that the model was trained on.',
      cause,
    })
  })
  const found = await stat(root)
  if (!found.isDirectory()) {
    if (found.isFile()) {
      return { folder: null, files: [{ name: path.basename(root), path: root, bytes: found.size }], unsearched: [] }
    }
    throw new BenchError({
      code: 'training/not-found',
      message: `The training data ${named} is neither a folder nor a regular file.`,
      hint: 'Give the folder, or the file, that the model was trained on.',
    })
  }
  const { entries, unsearched } = await walk(root)
  entries.sort(byName)
  const seen = new Set<string>()
  const files = entries.filter(({ identity }) => identity === null || seen.size !== seen.add(identity).size)
  return {
    folder: root,
    files: files.map(({ name, path, bytes }) => ({ name, path, bytes })),
    unsearched: unsearched.sort((a, b) => (a.file < b.file ? -1 : 1)),
  }
}

interface Entry extends DataFile {
  /** The file itself, where it may have several names. */
  readonly identity: string | null
}

/** By a list of folders to go, so that their depth does not matter. */
async function walk(root: string): Promise<{ readonly entries: Entry[]; readonly unsearched: Unsearched[] }> {
  const entries: Entry[] = []
  const unsearched: Unsearched[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let names: string[] = []
    try {
      names = await readdir(path.join(root, folder))
    } catch (error) {
      unsearched.push({ file: folder === '' ? '.' : folder, reason: `the folder cannot be read (${reasonOf(error)})` })
    }
    for (const base of names) {
      const name = folder === '' ? base : `${folder}/${base}`
      const full = path.join(root, name)
      try {
        const found = await lstat(full)
        if (found.isDirectory()) folders.push(name)
        else if (found.isSymbolicLink()) unsearched.push(...(await outsideLink(root, name)))
        else if (!found.isFile()) unsearched.push({ file: name, reason: 'it is no regular file' })
        else {
          const identity = found.nlink > 1 ? `${found.dev} ${found.ino}` : null
          entries.push({ name, path: full, bytes: found.size, identity })
        }
      } catch (error) {
        unsearched.push({ file: name, reason: `it cannot be read (${reasonOf(error)})` })
      }
    }
  }
  return { entries, unsearched }
}

/** A link that leads to nothing inside the folder. */
async function outsideLink(root: string, name: string): Promise<Unsearched[]> {
  const full = path.join(root, name)
  let target: string
  try {
    target = await realpath(full)
  } catch (error) {
    return [{ file: name, reason: `a link that leads nowhere (${reasonOf(error)})` }]
  }
  return isInside(target, root) ? [] : [{ file: name, reason: 'a link that leads out of the folder' }]
}

function byName(a: Entry, b: Entry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
