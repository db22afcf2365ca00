import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import { openSpendBook } from '../generate/spend-book.ts'
import { baseOf } from './event.ts'
import type { Job } from './job.ts'

/** The spend book of a month, kept from run to run in the cache of GitHub Actions. */
export interface MonthBook {
  readonly file: string
  /**
   * Keeps, before anything is asked, that this run may spend so much: what a run that is killed spent, nobody else would know.
   * @throws BenchError `action/no-cache`: then the book could not be kept afterwards either.
   */
  begin(usd: number): Promise<void>
  /** Keeps what the run wrote. False when nothing could be kept. */
  save(): Promise<boolean>
}

type BookJob = Pick<Job, 'names' | 'scratch' | 'annotate' | 'api' | 'event' | 'keys'>

const NAME = 'spend.jsonl'
/** One book for all workflows of a repository: a name of a job in it would let the names of two begin alike. */
const PREFIX = 'vox-efficacy-spend-'

/**
 * The newest book of this repository; a new one where there is none. A cache entry never changes, so each attempt saves one of
 * its own. Runs at the same time do not see each other: workflows that spend want a concurrency group.
 * @throws BenchError `action/no-cache`, `action/book-lost`: without the book the cap of the month could not be kept.
 */
export async function openMonthBook(job: BookJob): Promise<MonthBook> {
  const { isFeatureAvailable, restoreCache, saveCache } = await import('@actions/cache')
  if (!isFeatureAvailable()) throw noCache('but this job has no cache that would keep the book of it')
  const { base, runId, attempt } = job.names
  const folder = path.join(job.scratch, 'spend')
  const file = path.join(folder, NAME)
  await mkdir(folder, { recursive: true })
  const key = `${PREFIX}${runId}-${attempt}-${base}`
  const found = await restoreCache([folder], key, [PREFIX])
  if (found === undefined) {
    await demandNoBook(job)
    job.annotate(
      'notice',
      'No spend book was found in the cache: the month is counted from here. Entries that are not used for a week are lost.',
    )
  }
  // What an earlier attempt of this run might have spent is known by now: its own book came with its files.
  const run = `run ${runId}`
  let begunMs = Number.NEGATIVE_INFINITY
  await rewrite(file, (lines) => lines.filter((line) => !line.includes(`"run":${JSON.stringify(run)}`)))
  return {
    file,
    async begin(usd) {
      const line = { at: new Date().toISOString(), run, kind: 'reserved', attempt: base, usd }
      const before = existsSync(file) ? await readFile(file) : null
      await appendFile(file, `${JSON.stringify(line)}\n`)
      const id = await saveCache([folder], `${key}-begun`).catch(() => -1)
      begunMs = Date.now()
      await (before === null ? rm(file) : writeFile(file, before))
      if (id === -1) throw noCache('and this job can keep nothing in the cache, where the book of it is')
    },
    async save() {
      if (!existsSync(file)) return true
      // Of two entries the newer is found, and their ages are told in seconds.
      await setTimeout(Math.max(0, begunMs + ENTRY_AGE_MS - Date.now()))
      return (await saveCache([folder], key)) !== -1
    },
  }
}

const ENTRY_AGE_MS = 1500

function noCache(why: string): BenchError {
  return new BenchError({
    code: 'action/no-cache',
    message: `There is a cap of the month, ${why}. So nothing is asked, which could pass the cap.`,
    hint: 'Give the input spend-file a file that outlives the job, as on a runner of your own, or leave the cap of the month out.',
  })
}

/** Changes the lines of a book that is there. */
async function rewrite(file: string, change: (lines: readonly string[]) => readonly string[]): Promise<void> {
  if (!existsSync(file)) return
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  const changed = change(lines)
  await (changed.length === 0 ? rm(file) : writeFile(file, `${changed.join('\n')}\n`))
}

const cachesSchema = z.object({ actions_caches: z.array(z.object({ key: z.string(), ref: z.string() })) })
const repositorySchema = z.object({ default_branch: z.string() })

/** The toolkit tells trouble as it tells that there is nothing; a month that begins anew for that would pass its cap. */
async function demandNoBook({ api, event, keys }: BookJob): Promise<void> {
  if (api === null) throw bookLost('There is no token to ask GitHub whether there is one.')
  const [listed, repository] = [await api.get(`actions/caches?key=${PREFIX}&per_page=100`), await api.get('')]
  if (listed.kind === 'failed') throw bookLost(`Whether there is one cannot be asked: ${listed.message}.`)
  if (repository.kind === 'failed') throw bookLost(`Whether there is one cannot be asked: ${repository.message}.`)
  const { actions_caches: entries } = cachesSchema.parse(listed.value)
  const branches = [repositorySchema.parse(repository.value).default_branch]
  const base = baseOf(event)
  if (base !== null) branches.push(base.ref)
  // Of these a job reads the cache; a book of another branch is none of its own.
  const refs = new Set([keys.env.GITHUB_REF, ...branches.map((branch) => `refs/heads/${branch}`)])
  const own = entries.find(({ ref }) => refs.has(ref))
  if (own !== undefined) throw bookLost(`There is one, though: ${own.key}.`)
}

function bookLost(why: string): BenchError {
  return new BenchError({
    code: 'action/book-lost',
    message: `There is a cap of the month, and no spend book came out of the cache. ${why} So nothing is asked, which could pass the cap.`,
    hint: `Give the job "permissions: actions: read", and run it again: the cache may have been out of order. To begin a new book, delete the entries ${PREFIX}… on the page Actions > Caches.`,
  })
}

export interface BookChoice {
  /** What the month has left, in USD. */
  readonly left: number
  readonly options: Pick<SweepConfig, 'spend-file' | 'max-spend-usd-per-month'>
}

/**
 * Where a run writes what it spends, and what it may. A shard writes into a book of its own and has its part of what is left:
 * all shards begin with copies of one book, and see nothing of each other.
 */
export async function chooseBook(
  book: MonthBook,
  monthUsd: number,
  {
    shard,
    scratch,
    earlier,
  }: { readonly shard: string | null; readonly scratch: string; readonly earlier: string | null },
): Promise<BookChoice> {
  const file = shard === null ? book.file : path.join(scratch, NAME)
  const left = Math.max(0, monthUsd - spentIn(book.file))
  if (earlier !== null) await mergeBooks([path.join(earlier, NAME)], file)
  return { left, options: { 'spend-file': file, 'max-spend-usd-per-month': shard === null ? monthUsd : left } }
}

/** In this month, in USD. */
function spentIn(file: string): number {
  if (!existsSync(file)) return 0
  const book = openSpendBook({ file, capUsd: null, now: () => new Date() })
  try {
    return book.monthUsd()
  } finally {
    book.close()
  }
}

/** Puts the books of shards, and the one from before them, together into `file`: every line once. */
export async function mergeBooks(files: readonly string[], file: string): Promise<void> {
  const lines = new Set<string>()
  for (const each of [file, ...files]) {
    if (!existsSync(each)) continue
    for (const line of (await readFile(each, 'utf8')).split('\n')) if (line !== '') lines.add(line)
  }
  if (lines.size > 0) await writeFile(file, `${[...lines].join('\n')}\n`)
}

/** Puts together the books that shards left in their folders; null where none did. */
export async function joinBooks(job: BookJob, shards: readonly string[]): Promise<MonthBook | null> {
  const books = shards.map((shard) => path.join(shard, NAME)).filter(existsSync)
  if (books.length === 0) return null
  const book = await openMonthBook(job)
  await mergeBooks(books, book.file)
  return book
}

/** Keeps a book; gives why it could not be. */
export async function keepBook(book: MonthBook | null): Promise<string[]> {
  if (book === null || (await book.save())) return []
  return ['the spend book of the month was not kept, so that the next run would not know what this one spent']
}

/** A copy beside the journal, for the artifact; nothing where nothing was spent. */
export async function copyBook(file: string | undefined, folder: string): Promise<string[]> {
  if (file === undefined || !existsSync(file)) return []
  const copy = path.join(folder, NAME)
  if (path.resolve(file) !== path.resolve(copy)) {
    await mkdir(folder, { recursive: true })
    await copyFile(file, copy)
  }
  return [copy]
}
