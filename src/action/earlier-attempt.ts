import { existsSync } from 'node:fs'
import { copyFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { mayCost } from '../config/subject-source.ts'
import type { OutputFolder } from '../sweep/output-folder.ts'
import {
  type Artifact,
  type ArtifactPart,
  artifactName,
  downloadArtifact,
  hasArtifacts,
  listArtifacts,
} from './artifact.ts'
import { hasAsked } from './asking-marker.ts'
import type { CorpusSweep } from './corpora.ts'
import type { Job } from './job.ts'
import { findKept, whyPassedOver, whyUntold } from './kept-attempt.ts'

/** What an earlier attempt left. */
export interface EarlierAttempt {
  readonly attempt: number
  /** With its files as they lie in its artifact. */
  readonly folder: string
}

/**
 * The newest earlier attempt of this run; null where this is the first, or where it is to begin anew.
 * @throws BenchError `action/nothing-to-resume`: what the earlier attempt spent is not known.
 */
export async function loadEarlier(
  job: Job,
  sweeps: readonly CorpusSweep[],
  part: ArtifactPart,
): Promise<EarlierAttempt | null> {
  const { names, inputs } = job
  if (names.attempt === 1 || inputs.rerun === 'fresh') return null
  const isPaid = sweeps.some(({ config }) => config.subjects.some(mayCost))
  const earlier = await find(job, part, isPaid)
  if (earlier.kind === 'found') return earlier
  if (earlier.kind === 'nothing') {
    job.note('No earlier attempt of this run asked anything: it begins anew.')
    return null
  }
  if (isPaid) {
    throw new BenchError({
      code: 'action/nothing-to-resume',
      message: `This is attempt ${names.attempt} of the run, and what an earlier one spent is not known: ${earlier.why}. So nothing is asked, which could pass the cap.`,
      hint: 'Start a new run of the workflow. Where the input rerun comes from a variable, "fresh" in it spends up to the cap again.',
    })
  }
  job.annotate(
    'notice',
    `The earlier attempt is not resumed: ${earlier.why}. The run begins anew; nothing in it costs money.`,
  )
  return null
}

/**
 * Where the run begins anew, the folder whose book tells what its earlier attempts spent; null where there is none. The book of the month
 * has that of a shard only if a merge put it there.
 */
export async function findSpent(job: Job, part: ArtifactPart): Promise<string | null> {
  if (job.names.attempt === 1 || job.inputs.rerun !== 'fresh') return null
  const earlier = await find(job, part, true)
  if (earlier.kind === 'found') return earlier.folder
  if (earlier.kind === 'unknown') {
    job.annotate('warning', `The month is counted without what an earlier attempt spent: ${earlier.why}.`)
  }
  return null
}

type Earlier =
  | ({ readonly kind: 'found' } & EarlierAttempt)
  /** No earlier attempt asked anything. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly why: string }

/** Of the newest attempt that left something: its artifact, or else what the cache has of it. Only a paid one left anything there. */
async function find(job: Job, part: ArtifactPart, isPaid: boolean): Promise<Earlier> {
  const { names, scratch, keys } = job
  const noArtifact = (error: unknown) => `its artifact cannot be had (${(error as Error).message})`
  let artifacts: readonly Artifact[] = []
  let trouble: string | null = null
  try {
    if (hasArtifacts(keys.env)) artifacts = await listArtifacts()
  } catch (error) {
    trouble = noArtifact(error)
  }
  try {
    for (let attempt = names.attempt - 1; attempt >= 1; attempt--) {
      const those = { ...names, attempt }
      const found = artifacts.find(({ name }) => name === artifactName(those, part))
      if (found !== undefined) {
        try {
          // A folder of its own: another step of the job may have one there too.
          const folder = await downloadArtifact(found, path.join(scratch, 'earlier', found.name))
          return { kind: 'found', attempt, folder }
        } catch (error) {
          trouble = noArtifact(error)
        }
      }
      const kept = isPaid ? await findKept(job, part, attempt) : null
      if (kept?.kind === 'files') {
        const why = attempt === names.attempt - 1 ? null : await whyPassedOver(job, part, attempt)
        return why === null ? { kind: 'found', attempt, folder: kept.folder } : { kind: 'unknown', why }
      }
      if (found !== undefined) break
      if (kept?.kind === 'asking' || hasAsked(artifacts, those, part)) {
        return { kind: 'unknown', why: 'it asked, and left no files' }
      }
    }
    const why = trouble ?? (isPaid ? await whyUntold(job, part) : 'none of its files are there')
    return why === null ? { kind: 'nothing' } : { kind: 'unknown', why }
  } catch (error) {
    return { kind: 'unknown', why: `what the cache has of it cannot be had (${(error as Error).message})` }
  }
}

/**
 * Journals of the earlier attempt that nobody takes over hold answers that were paid for, and that this attempt would pay for again.
 * @throws BenchError `action/nothing-to-resume`
 */
export async function refuseOtherJournals(earlier: string, taken: readonly (string | null)[]): Promise<void> {
  const names = ['', ...(await readdir(earlier))]
  const journals = names.map((name) => path.join(earlier, name, 'attempts.jsonl')).filter((each) => existsSync(each))
  const left = journals.filter((journal) => !taken.includes(journal))
  if (left.length === 0) return
  throw new BenchError({
    code: 'action/nothing-to-resume',
    message: `The earlier attempt of this run measured another corpus, or others: ${left.map((each) => path.relative(earlier, each)).join(', ')} of what it left belongs to none of this attempt.`,
    hint: 'Bring back what was changed, or start a new run of the workflow.',
  })
}

/** Publishes again what was paid for before, so that the attempt after this one has it. Gives the copy. */
export async function keepJournal(journal: string, output: OutputFolder): Promise<string> {
  const copy = output.startJournal()
  await copyFile(journal, copy)
  return copy
}
