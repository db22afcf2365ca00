import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import {
  type Artifact,
  type ArtifactNames,
  type ArtifactPart,
  artifactName,
  deleteArtifact,
  hasArtifacts,
  listArtifacts,
  uploadFolder,
} from './artifact.ts'
import { artifactOptions, type Job } from './job.ts'

/**
 * Stands beside what a paid sweep will publish, from before its first request until that is published: a re-run knows by it of
 * spending that nothing tells of.
 */
export interface AskingMarker {
  /** @throws BenchError `action/no-artifacts`: what is answered could not be published either. */
  set(): Promise<void>
  /** Takes it back. Where it cannot be, a reader only sees one artifact more: the files beside it are looked for first. */
  clear(): Promise<void>
}

export function createAskingMarker(job: Job, part: ArtifactPart): AskingMarker {
  const { names, scratch, keys } = job
  const name = askingName(names, part)
  let isSet = false
  return {
    async set() {
      if (!hasArtifacts(keys.env)) return
      const wanted = artifactName(names, part)
      if ((await listArtifacts()).some((artifact) => artifact.name === wanted)) {
        throw new BenchError({
          code: 'action/no-artifacts',
          message: `Another job or step of this run has published an artifact ${wanted}, so that this one could not publish what it pays for. Nothing was asked.`,
          hint: 'Give each of them an artifact-name of its own.',
        })
      }
      const file = path.join(scratch, 'asking.txt')
      await writeFile(file, 'A sweep that costs money asks its models. This goes when its files are published.\n')
      const uploaded = await uploadFolder(name, [file], scratch, artifactOptions(job))
      isSet = uploaded.kind === 'uploaded'
      if (uploaded.kind === 'uploaded') return
      throw new BenchError({
        code: 'action/no-artifacts',
        message: `Artifacts of this run cannot be written: ${uploaded.why}. What would be paid for could be lost, so nothing was asked.`,
        hint: 'Run it again. If that does not help, give each job of the run an artifact-name of its own.',
      })
    },
    async clear() {
      if (isSet) await deleteArtifact(name).catch(() => {})
    },
  }
}

/** Whether an attempt asked, of which there may be nothing else. */
export function hasAsked(artifacts: readonly Artifact[], names: ArtifactNames, part: ArtifactPart): boolean {
  return artifacts.some(({ name }) => name === askingName(names, part))
}

function askingName(names: ArtifactNames, part: ArtifactPart): string {
  return `${artifactName(names, part)}-asking`
}
