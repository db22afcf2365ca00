import { existsSync } from 'node:fs'
import { copyFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { mayCost } from '../config/subject-source.ts'
import type { OutputFolder } from '../sweep/output-folder.ts'
import { type ArtifactPart, artifactName, downloadArtifact, listArtifacts } from './artifact.ts'
import { hasAsked } from './asking-marker.ts'
import type { CorpusSweep } from './corpora.ts'
import type { Job } from './job.ts'

/**
 * The files of the newest earlier attempt of this run; null where this is the first, or where it is to begin anew.
 * @throws BenchError `action/nothing-to-resume`: what the earlier attempt spent is not known.
 */
export async function loadEarlier(
  job: Job,
  sweeps: readonly CorpusSweep[],
  part: ArtifactPart,
): Promise<string | null> {
  const { names, inputs } = job
  if (names.attempt === 1 || inputs.rerun === 'fresh') return null
  const earlier = await download(job, part)
  if (earlier.kind === 'found') return earlier.folder
  if (earlier.kind === 'nothing') {
    job.note('No earlier attempt of this run asked anything: it begins anew.')
    return null
  }
  if (sweeps.some(({ config }) => config.subjects.some(mayCost))) {
    throw new BenchError({
      code: 'action/nothing-to-resume',
      message: `This is attempt ${names.attempt} of the run, and what an earlier one spent is not known: ${earlier.why}. So nothing is asked, which could pass the cap.`,
      hint: 'Start a new run of the workflow; or set the input rerun to "fresh" to spend up to the cap again.',
    })
  }
  job.annotate(
    'notice',
    `The earlier attempt is not resumed: ${earlier.why}. The run begins anew; nothing in it costs money.`,
  )
  return null
}

type Earlier =
  | { readonly kind: 'found'; readonly folder: string }
  /** No earlier attempt asked anything. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly why: string }

async function download({ names, scratch }: Job, part: ArtifactPart): Promise<Earlier> {
  try {
    const artifacts = await listArtifacts()
    for (let attempt = names.attempt - 1; attempt >= 1; attempt--) {
      const those = { ...names, attempt }
      const found = artifacts.find(({ name }) => name === artifactName(those, part))
      if (found !== undefined) {
        return { kind: 'found', folder: await downloadArtifact(found, path.join(scratch, 'earlier')) }
      }
      if (hasAsked(artifacts, those, part)) return { kind: 'unknown', why: 'it asked, and left no files' }
    }
    return { kind: 'nothing' }
  } catch (error) {
    return { kind: 'unknown', why: `its artifact cannot be had (${(error as Error).message})` }
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
    message: `The earlier attempt of this run measured another corpus, or others: ${left.map((each) => path.relative(earlier, each)).join(', ')} of its artifact belongs to none of this attempt.`,
    hint: 'Bring back what was changed, or start a new run of the workflow.',
  })
}

/** Publishes again what was paid for before, so that the attempt after this one has it. Gives the copy. */
export async function keepJournal(journal: string, output: OutputFolder): Promise<string> {
  const copy = output.startJournal()
  await copyFile(journal, copy)
  return copy
}
