import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import type { Job } from './job.ts'

/** The spend book of a month, kept from run to run in the cache of GitHub Actions. */
export interface MonthBook {
  readonly file: string
  /** Keeps what the run wrote. False when nothing could be kept. */
  save(): Promise<boolean>
}

const NAME = 'spend.jsonl'

/**
 * The newest book of this workflow; a new one where there is none. A cache entry never changes, so each attempt saves one of
 * its own. Runs at the same time do not see each other: workflows that spend want a concurrency group.
 * @throws BenchError `action/no-cache`: without one the cap of the month could not be kept.
 */
export async function openMonthBook(job: Pick<Job, 'names' | 'scratch' | 'annotate'>): Promise<MonthBook> {
  const { isFeatureAvailable, restoreCache, saveCache } = await import('@actions/cache')
  if (!isFeatureAvailable()) {
    throw new BenchError({
      code: 'action/no-cache',
      message: 'There is a cap of the month, but this job has no cache that would keep the book of it.',
      hint: 'Give the input spend-file a file that outlives the job, as on a runner of your own, or leave the cap of the month out.',
    })
  }
  const { base, runId, attempt } = job.names
  const folder = path.join(job.scratch, 'spend')
  const file = path.join(folder, NAME)
  await mkdir(folder, { recursive: true })
  const prefix = `vox-efficacy-spend-${base}-`
  const key = `${prefix}${runId}-${attempt}`
  const found = await restoreCache([folder], key, [prefix])
  if (found === undefined) {
    job.annotate(
      'notice',
      'No spend book was found in the cache: the month is counted from here. Entries that are not used for a week are lost.',
    )
  }
  return {
    file,
    async save() {
      if (!existsSync(file)) return true
      return (await saveCache([folder], key)) !== -1
    },
  }
}

/** Puts the books of shards, which all began as one, together into `file`: every line once. */
export async function mergeBooks(files: readonly string[], file: string): Promise<void> {
  const lines = new Set<string>()
  for (const each of [file, ...files]) {
    if (!existsSync(each)) continue
    for (const line of (await readFile(each, 'utf8')).split('\n')) if (line !== '') lines.add(line)
  }
  if (lines.size > 0) await writeFile(file, `${[...lines].join('\n')}\n`)
}

/** A copy beside the journal, for the artifact. */
export async function copyBook(file: string, folder: string): Promise<string | null> {
  if (!existsSync(file)) return null
  const copy = path.join(folder, NAME)
  if (path.resolve(file) !== path.resolve(copy)) await copyFile(file, copy)
  return copy
}
