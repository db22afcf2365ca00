import type { Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { compareText } from '../compare-text.ts'
import { isInside } from '../is-inside.ts'
import { listCheckpointFiles } from './checkpoint-files.ts'

/** One state of a model, as a folder of weights. */
export interface MensCheckpoint {
  /** Name of the folder: `final` or `checkpoint-<number>`. */
  readonly name: string
  /** As it really is, with no links in it. */
  readonly folder: string
  /** Of all its files together. */
  readonly bytes: number
}

/** One training run. */
export interface MensRun {
  readonly name: string
  /** `mens/<name>`. */
  readonly model: string
  /** In the order of training: by number, `final` last. Never empty. */
  readonly checkpoints: readonly MensCheckpoint[]
}

/** What lies among runs or checkpoints and is none; the name is untrusted. */
export interface LeftOut {
  /** Relative to the folder of runs. */
  readonly name: string
  readonly reason: string
}

export interface MensRuns {
  /** The folder of runs as it really is. */
  readonly root: string
  /** Sorted by name. */
  readonly runs: readonly MensRun[]
  readonly leftOut: readonly LeftOut[]
}

/** They become part of ids, rows and commands. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const CHECKPOINT = /^checkpoint-(\d{1,15})$/

/**
 * The training runs below `folder`: `<name>/final` and `<name>/checkpoint-<number>`. What is no run is left out with its
 * reason: files, empty folders, names of other characters, links that lead out of `folder`.
 * @throws BenchError `mens/no-runs` when `folder` is missing or no folder.
 */
export async function listMensRuns(folder: string): Promise<MensRuns> {
  const root = await realpath(folder).catch(() => null)
  const found = root === null ? null : await stat(root)
  if (root === null || !found?.isDirectory()) {
    throw new BenchError({
      code: 'mens/no-runs',
      message: `The folder of training runs ${folder} ${found === null ? 'does not exist' : 'is a file'}.`,
      hint: 'Name it with --mens-runs; each run is a folder in it that holds final or checkpoint-<number>.',
    })
  }
  const runs: MensRun[] = []
  const leftOut: LeftOut[] = []
  for (const name of await namesIn(root)) {
    const place = await placeOf(root, root, name)
    if (place.kind === 'none') leftOut.push({ name, reason: place.reason })
    else {
      const checkpoints = await listCheckpoints(root, name, place.folder, leftOut)
      if (checkpoints.length > 0) runs.push({ name, model: `mens/${name}`, checkpoints })
      else leftOut.push({ name, reason: 'holds neither final nor any checkpoint-<number>' })
    }
  }
  return { root, runs, leftOut }
}

/** The checkpoint that a person means: its folder's name, or its number alone. Without a label the last one. */
export function findCheckpoint({ checkpoints }: MensRun, label: string | null): MensCheckpoint | null {
  if (label === null) return checkpoints.at(-1) ?? null
  return checkpoints.find(({ name }) => name === label || name === `checkpoint-${label}`) ?? null
}

async function listCheckpoints(
  root: string,
  run: string,
  folder: string,
  leftOut: LeftOut[],
): Promise<readonly MensCheckpoint[]> {
  const checkpoints: MensCheckpoint[] = []
  for (const name of await namesIn(folder)) {
    // Logs and settings of the training lie beside its checkpoints.
    if (name !== 'final' && !name.startsWith('checkpoint-')) continue
    const place = await checkpointAt(root, folder, name)
    if (place.kind === 'none') leftOut.push({ name: path.join(run, name), reason: place.reason })
    else checkpoints.push({ name, folder: place.folder, bytes: place.bytes })
  }
  return checkpoints.sort((a, b) => stepOf(a) - stepOf(b) || compareText(a.name, b.name))
}

interface None {
  readonly kind: 'none'
  readonly reason: string
}

interface Folder {
  readonly kind: 'folder'
  readonly folder: string
}

async function checkpointAt(
  root: string,
  folder: string,
  name: string,
): Promise<None | (Folder & { readonly bytes: number })> {
  if (name !== 'final' && !CHECKPOINT.test(name)) return { kind: 'none', reason: 'is not named checkpoint-<number>' }
  const place = await placeOf(root, folder, name)
  if (place.kind === 'none') return place
  const listed = await listCheckpointFiles(place.folder, root)
  if (listed.kind === 'unusable') return { kind: 'none', reason: listed.reason }
  if (listed.files.length === 0) return { kind: 'none', reason: 'holds no files' }
  return { ...place, bytes: listed.files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

async function placeOf(root: string, parent: string, name: string): Promise<None | Folder> {
  if (!NAME.test(name)) {
    const reason = 'has another name than up to 100 letters, digits, dots, underscores and hyphens, the first no dot'
    return { kind: 'none', reason }
  }
  let folder: string
  let found: Stats
  try {
    folder = await realpath(path.join(parent, name))
    found = await stat(folder)
  } catch (error) {
    return { kind: 'none', reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
  if (!isInside(folder, root)) return { kind: 'none', reason: 'is a link that leads out of the folder of runs' }
  if (!found.isDirectory()) return { kind: 'none', reason: 'is not a folder' }
  return { kind: 'folder', folder }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort(compareText)
}

function stepOf({ name }: MensCheckpoint): number {
  const [, digits] = CHECKPOINT.exec(name) ?? []
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits)
}
