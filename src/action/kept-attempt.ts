import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { shortHash } from '../engine/vox/cache-key.ts'
import type { ArtifactNames, ArtifactPart } from './artifact.ts'
import { cachesSchema, type GitHubApi, inForm } from './github-api.ts'
import { type Job, shortlyAfterCancel } from './job.ts'

/**
 * What of a paid attempt lies in the cache of GitHub Actions: of artifacts a job sees those of earlier attempts only where some jobs of
 * the run were run again, and never where all were.
 */
export type KeptAttempt =
  | { readonly kind: 'files'; readonly folder: string }
  /** It asked; of what came of that the cache has nothing. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'nothing' }

/** What an attempt leaves: before its first request, and when it publishes. */
type Entry = 'asking' | 'files'

type KeptJob = Pick<Job, 'names' | 'scratch' | 'cache' | 'signal'>

/** All that a re-run reads of an attempt, by the names that files have in its artifact: answers, and the book of the month. */
const FILES = ['attempts.jsonl', 'spend.jsonl']

/** GitHub drops an entry that was not used for seven days; one is for clocks and for a run that took long to begin. */
const MEMORY_MS = 6 * 24 * 3600 * 1000
/** It drops those that were not used for longest where a repository has 10 GB of them, and may then be well below that. */
const ROOM_BYTES = 5e9

/** @throws when an entry that is there cannot be had. */
export async function findKept(job: KeptJob, part: ArtifactPart, attempt: number): Promise<KeptAttempt> {
  const names = { ...job.names, attempt }
  const folder = folderOf(job, part)
  const has = async (entry: Entry) => {
    await rm(folder, { recursive: true, force: true })
    return job.cache.restore(keyOf(names, part, entry), folder)
  }
  if (await has('files')) {
    // Away from where this attempt's own entries are put together.
    const own = path.join(job.scratch, 'earlier', keyOf(names, part, 'files'))
    await mkdir(path.dirname(own), { recursive: true })
    await rm(own, { recursive: true, force: true })
    await rename(folder, own)
    return { kind: 'files', folder: own }
  }
  return { kind: (await has('asking')) ? 'asking' : 'nothing' }
}

/**
 * Why that the cache has nothing of an earlier attempt does not show that none asked; null where it does.
 * @throws where GitHub does not tell.
 */
export async function whyUntold(
  { names, api }: Pick<Job, 'names' | 'api'>,
  part: ArtifactPart,
): Promise<string | null> {
  const none = 'none of its files are there, and'
  if (!(await hasCache())) return `${none} this job has no cache that would tell of it`
  if (api === null) return `${none} there is no token to ask GitHub whether the cache would tell of it`
  const { created_at: createdAt } = await ask(api, `actions/runs/${names.runId}`, runSchema)
  if (!(Date.now() - Date.parse(createdAt) < MEMORY_MS)) {
    return `${none} the run is so old that the cache may have dropped what it had of them`
  }
  const { active_caches_size_in_bytes: bytes } = await ask(api, 'actions/cache/usage', usageSchema)
  if (bytes > ROOM_BYTES) return `${none} the cache is so full that it may have dropped what it had of them`
  return whyPassedOver({ names, api }, part, 0)
}

/**
 * Why what the cache has of an attempt may not be the last that the run came to: the toolkit tells trouble with an entry as it tells that
 * there is none. Null where it is.
 * @throws where GitHub does not tell.
 */
export async function whyPassedOver(
  { names, api }: Pick<Job, 'names' | 'api'>,
  part: ArtifactPart,
  attempt: number,
): Promise<string | null> {
  if (api === null) return `there is no token to ask GitHub whether the cache has more than of attempt ${attempt}`
  const prefix = prefixOf(names, part)
  const { actions_caches } = await ask(api, `actions/caches?key=${prefix}&per_page=100`, cachesSchema)
  const newer = actions_caches.find(({ key }) => Number.parseInt(key.slice(prefix.length), 10) > attempt)
  return newer === undefined ? null : `the cache has ${newer.key}, and this job did not get it out`
}

const runSchema = z.object({ created_at: z.string() })
const usageSchema = z.object({ active_caches_size_in_bytes: z.number() })

async function ask<Value>(api: GitHubApi, about: string, schema: z.ZodType<Value>): Promise<Value> {
  const answer = await api.get(about)
  if (answer.kind === 'failed') {
    throw new Error(`GitHub does not tell of it without "permissions: actions: read": ${answer.message}`)
  }
  const value = inForm(answer, schema)
  if (value.kind === 'failed') throw new Error(value.message)
  return value.value
}

/** Keeps, before anything is asked, that this attempt asks. It is asked all the same where that cannot be kept: there is the marker. */
export async function keepAsking(job: KeptJob & Pick<Job, 'annotate'>, part: ArtifactPart): Promise<void> {
  const why = await save(job, part, 'asking', (folder) =>
    writeFile(path.join(folder, 'asking.txt'), 'This attempt asked models that cost money.\n'),
  )
  if (why === null) return
  job.annotate(
    'warning',
    `The cache did not keep that this run asks its models: ${why}. "Re-run all jobs" of it would not know what it spent, and could spend up to the cap again: start a new run instead.`,
  )
}

/**
 * Keeps of the files that an attempt leaves what a re-run reads. Gives why it could not; null also where there is nothing to keep.
 * Never rejects.
 */
export async function keepFiles(
  job: KeptJob,
  part: ArtifactPart,
  { files, root }: { readonly files: readonly string[]; readonly root: string },
): Promise<string | null> {
  const kept = files.filter((file) => FILES.includes(path.basename(file)))
  if (kept.length === 0) return null
  return save(job, part, 'files', async (folder) => {
    for (const file of kept) {
      const copy = path.join(folder, path.relative(root, file))
      await mkdir(path.dirname(copy), { recursive: true })
      await copyFile(file, copy)
    }
  })
}

/** Gives why nothing was saved; null also where the job has no cache at all. Of a cancelled job it is given up after seconds. */
async function save(
  job: KeptJob,
  part: ArtifactPart,
  entry: Entry,
  fill: (folder: string) => Promise<void>,
): Promise<string | null> {
  const folder = folderOf(job, part)
  const work = async () => {
    try {
      if (!(await hasCache())) return null
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      await fill(folder)
      await job.cache.save(keyOf(job.names, part, entry), folder)
      return null
    } catch (error) {
      return (error as Error).message
    }
  }
  return shortlyAfterCancel(job, work(), 'the job was cancelled, and that did not end')
}

async function hasCache(): Promise<boolean> {
  return (await import('@actions/cache')).isFeatureAvailable()
}

/** The same one for all entries: its path is part of what the cache looks for. */
function folderOf({ names, scratch }: KeptJob, part: ArtifactPart): string {
  return path.join(scratch, 'kept', hashOf(names, part))
}

function keyOf(names: ArtifactNames, part: ArtifactPart, entry: Entry): string {
  return `${prefixOf(names, part)}${names.attempt}-${entry}`
}

function prefixOf(names: ArtifactNames, part: ArtifactPart): string {
  return `vox-efficacy-run-${names.runId}-${hashOf(names, part)}-`
}

/** Of two names one may be the beginning of the other, and the cache finds keys by how they begin. */
function hashOf({ base }: ArtifactNames, part: ArtifactPart): string {
  return shortHash([base, part])
}
