import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { isInside } from '../is-inside.ts'

/** Far above any fixture; keeps a wrong path from filling the memory. */
const MAX_FILE_BYTES = 1024 * 1024
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024

export type FileResult =
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly text: string }
  /** `message` names the path and says why it cannot be used. */
  | { readonly kind: 'unusable'; readonly message: string }

/** A corpus folder whose manifest has been read. */
export interface CorpusFolder {
  /** Without symbolic links. */
  readonly root: string
  readonly manifest: string
}

/** Opens a corpus. Throws a BenchError when `dir` is missing, no folder, or has no readable manifest.v1.yaml. */
export async function openCorpusFolder(dir: string): Promise<CorpusFolder> {
  const hint = 'Give the folder that holds manifest.v1.yaml with --corpus DIR.'
  let root: string
  try {
    root = await realpath(dir)
  } catch (cause) {
    throw new BenchError({
      code: 'corpus/not-found',
      message: `The corpus folder ${dir} cannot be opened (${reasonOf(cause)}).`,
      hint,
      cause,
    })
  }
  if (!(await stat(root)).isDirectory()) {
    throw new BenchError({ code: 'corpus/not-a-folder', message: `The corpus ${dir} is a file, not a folder.`, hint })
  }
  const file = await readWithin(root, 'manifest.v1.yaml', MAX_MANIFEST_BYTES)
  if (file.kind === 'read') return { root, manifest: file.text }
  throw new BenchError({
    code: 'corpus/no-manifest',
    message: `The corpus folder ${dir} has no usable manifest: ${file.message}.`,
    hint,
  })
}

/**
 * Reads a file that the manifest lists. Paths are relative to the manifest; one written from the root of a repository
 * (`contracts/…/problems/x`) is read from its `problems/` on. Nothing outside the corpus folder is ever read, not
 * through symbolic links either.
 */
export async function readListedFile(root: string, listed: string): Promise<FileResult> {
  const direct = await readWithin(root, listed, MAX_FILE_BYTES)
  const inner = listed.lastIndexOf('/problems/')
  if (direct.kind === 'read' || inner < 0 || !direct.message.endsWith(MISSING)) return direct
  const local = await readWithin(root, listed.slice(inner + 1), MAX_FILE_BYTES)
  return local.kind === 'read' ? local : direct
}

const MISSING = 'does not exist'

async function readWithin(root: string, listed: string, maxBytes: number): Promise<FileResult> {
  const unusable = (why: string): FileResult => ({ kind: 'unusable', message: `${listed} ${why}` })
  if (listed.includes('\0') || listed.includes('\\')) return unusable('is no path: use names joined by /')
  const target = path.resolve(root, listed)
  if (!isInside(target, root)) return unusable('lies outside the corpus folder')
  try {
    const real = await realpath(target)
    if (!isInside(real, root)) return unusable('leads outside the corpus folder through a symbolic link')
    const stats = await stat(real)
    if (!stats.isFile()) return unusable(stats.isDirectory() ? 'is a folder, not a file' : 'is no regular file')
    if (stats.size > maxBytes) return unusable(`has ${stats.size} bytes, more than the ${maxBytes} allowed`)
    const bytes = await readFile(real)
    if (bytes.length === 0) return unusable('is empty')
    return { kind: 'read', bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof TypeError) return unusable('is not UTF-8 text')
    const reason = reasonOf(error)
    return unusable(reason === 'ENOENT' || reason === 'ENOTDIR' ? MISSING : `cannot be read (${reason})`)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
