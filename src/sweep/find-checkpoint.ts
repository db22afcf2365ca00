import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { nearest } from '../config/nearest.ts'
import { findChange, hashCheckpoint, listCheckpointFiles } from '../models/checkpoint-files.ts'
import { findCheckpoint, listMensRuns, type MensCheckpoint, type MensRuns } from '../models/mens-runs.ts'

export interface Weights {
  /** SHA-256 over the files of the checkpoint; see `hashCheckpoint`. */
  readonly weights: string
  /** What of the files is no longer as it was when they were read; null when all are. */
  change(): Promise<string | null>
}

export interface FoundCheckpoint extends MensCheckpoint, Weights {}

/** Weights by the folder of their checkpoint, so that one of several subjects is read once. */
export type KnownWeights = Map<string, Promise<Weights>>

/**
 * The checkpoint of `model` (`mens/<run>`) that `label` names, or its last one.
 * @param label `final`, `checkpoint-<number>` or the number alone
 * @param known weights that were read before; those of this checkpoint are added
 * @throws BenchError `mens/no-runs`, `mens/unknown-run`, `mens/unknown-checkpoint` or `mens/changing`; unknown names come with
 *   those that there are.
 */
export async function findMensCheckpoint(
  folder: string,
  model: string,
  label: string | null,
  known: KnownWeights = new Map(),
): Promise<FoundCheckpoint> {
  const listed = await listMensRuns(folder)
  const run = listed.runs.find((each) => each.model === model)
  const models = listed.runs.map((each) => each.model)
  const runName = model.slice('mens/'.length)
  if (run === undefined) {
    throw new BenchError({
      code: 'mens/unknown-run',
      message: `There is no training run "${model}" in ${folder}.${reasonOf(listed, runName)}`,
      hint: hintOf('runs', models, nearest(model, models)),
    })
  }
  const checkpoint = findCheckpoint(run, label)
  const names = run.checkpoints.map(({ name }) => name)
  if (checkpoint === null) {
    const meant = label === null ? null : (nearest(label, names) ?? nearest(`checkpoint-${label}`, names))
    const leftOut = [label, `checkpoint-${label}`].map((name) => reasonOf(listed, path.join(run.name, name ?? '')))
    throw new BenchError({
      code: 'mens/unknown-checkpoint',
      message: `Subject ${model}@${label}: the run ${model} has no checkpoint "${label}".${leftOut.join('')}`,
      hint: hintOf('checkpoints', names, meant),
    })
  }
  const weights = known.get(checkpoint.folder) ?? readWeights(checkpoint.folder, listed.root)
  known.set(checkpoint.folder, weights)
  return { ...checkpoint, ...(await weights) }
}

async function readWeights(folder: string, root: string): Promise<Weights> {
  const before = await listCheckpointFiles(folder, root)
  if (before.kind === 'unusable') throw changedCheckpoint(folder, `it ${before.reason}`)
  async function change(): Promise<string | null> {
    const now = await listCheckpointFiles(folder, root)
    if (now.kind === 'unusable') return `it ${now.reason}`
    return before.kind === 'files' ? findChange(before.files, now.files) : null
  }
  const weights = await hashCheckpoint(before.files)
  const changed = await change()
  if (changed !== null) throw changedCheckpoint(folder, changed)
  return { weights, change }
}

/** @param change what of its files is no longer as it was, as a clause */
export function changedCheckpoint(folder: string, change: string): BenchError {
  return new BenchError({
    code: 'mens/changing',
    message: `The ${wordChange(folder, change)}.`,
    hint: 'Wait until the training has written it.',
  })
}

export function wordChange(folder: string, change: string): string {
  return `checkpoint ${folder} changed since its weights were read: ${change}`
}

function reasonOf({ leftOut }: MensRuns, name: string): string {
  const found = leftOut.find((each) => each.name === name)
  return found === undefined ? '' : ` ${found.name} is there, but ${found.reason}.`
}

const SHOWN = 20

function hintOf(what: string, names: readonly string[], meant: string | null): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  const list =
    names.length === 0 ? `It has no ${what} at all.` : `Its ${what}: ${names.slice(0, SHOWN).join(', ')}${more}.`
  return meant === null ? `${list} See: vox-efficacy mens list` : `Did you mean ${meant}? ${list}`
}
