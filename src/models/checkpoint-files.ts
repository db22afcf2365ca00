import { createHash } from 'node:crypto'
import { type BigIntStats, createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { isInside } from '../is-inside.ts'

export interface CheckpointFile {
  /** Relative to the checkpoint, with `/` between folders on every platform. */
  readonly name: string
  /** As it really is, with no links in it. */
  readonly file: string
  readonly bytes: number
  /** Another one after every write to the file and for every other file; times to the nanosecond. */
  readonly stamp: string
}

export type CheckpointFiles =
  | { readonly kind: 'files'; readonly files: readonly CheckpointFile[] }
  | { readonly kind: 'unusable'; readonly reason: string }

/** More than any checkpoint has; a folder of more is something else. */
const MAX_FILES = 10_000
/** Links to folders can multiply without going round. */
const MAX_FOLDERS = 1000
const MAX_DEPTH = 16

/**
 * The files of a checkpoint, sorted by name. A link is followed as long as it stays within `root`, both without links;
 * one that leads out, and anything that is neither file nor folder, makes the checkpoint unusable.
 */
export async function listCheckpointFiles(folder: string, root: string): Promise<CheckpointFiles> {
  const files: CheckpointFile[] = []
  let folders = 0

  /** The reason why the checkpoint is unusable, or null. */
  async function walk(place: string, prefix: string, depth: number): Promise<string | null> {
    folders += 1
    if (depth > MAX_DEPTH) return `holds folders more than ${MAX_DEPTH} deep`
    if (folders > MAX_FOLDERS) return `holds more than ${MAX_FOLDERS} folders`
    for (const entry of await readdir(place)) {
      const name = `${prefix}${entry}`
      let file: string
      let found: BigIntStats
      try {
        file = await realpath(path.join(place, entry))
        found = await stat(file, { bigint: true })
      } catch (error) {
        return `holds ${name}, which cannot be read (${(error as NodeJS.ErrnoException).code})`
      }
      if (!isInside(file, root)) return `holds ${name}, a link that leads out of the folder of runs`
      if (found.isFile()) files.push({ name, file, bytes: Number(found.size), stamp: stampOf(found) })
      else if (!found.isDirectory()) return `holds ${name}, which is neither a file nor a folder`
      else {
        const reason = await walk(file, `${name}/`, depth + 1)
        if (reason !== null) return reason
      }
      if (files.length > MAX_FILES) return `holds more than ${MAX_FILES} files`
    }
    return null
  }

  let reason: string | null
  try {
    reason = await walk(folder, '', 0)
  } catch (error) {
    reason = `cannot be read (${(error as NodeJS.ErrnoException).code})`
  }
  if (reason !== null) return { kind: 'unusable', reason }
  return { kind: 'files', files: files.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** The first difference between two lists of the files of a checkpoint, to follow its name; null when there is none. */
export function findChange(before: readonly CheckpointFile[], after: readonly CheckpointFile[]): string | null {
  const left = new Map(after.map((each) => [each.name, each]))
  for (const { name, file, stamp } of before) {
    const now = left.get(name)
    if (now === undefined) return `${name} is gone`
    if (now.file !== file || now.stamp !== stamp) return `${name} is another file or has other bytes`
    left.delete(name)
  }
  const [added] = left.keys()
  return added === undefined ? null : `${added} is new`
}

/**
 * SHA-256 in hex digits over the relative names, sizes and bytes of files in the order given; they are streamed.
 * @throws BenchError `mens/changing` when a file grows or shrinks meanwhile.
 */
export async function hashCheckpoint(files: readonly CheckpointFile[]): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, file, bytes } of files) {
    // A name can hold anything but a NUL, so that no two lists of files read alike.
    hash.update(`${name}\0${bytes}\0`)
    let read = 0
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
      hash.update(piece as Buffer)
      read += (piece as Buffer).length
    }
    if (read !== bytes) throw changing(file)
  }
  return hash.digest('hex')
}

function changing(file: string): BenchError {
  return new BenchError({
    code: 'mens/changing',
    message: `${file} changed while it was read, so that nothing could say later which weights were measured.`,
    hint: 'Wait until the training has written the checkpoint.',
  })
}
