import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { openSpendBook } from '../generate/spend-book.ts'
import { wordError } from './error-words.ts'
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
  /** Keeps what the run wrote, in place of what it said before. False when nothing could be kept. */
  save(): Promise<boolean>
}

type BookJob = Pick<Job, 'names' | 'scratch' | 'annotate' | 'api' | 'event' | 'keys'>

const NAME = 'spend.jsonl'
/** One book for all workflows of a repository: a name of a job in it would let the names of two begin alike. */
const PREFIX = 'vox-efficacy-spend-'
/** Of two entries the newer is found, and their ages are told in seconds. */
const ENTRY_AGE_MS = 1500

/**
 * The newest book of this repository; a new one where there is none. A cache entry never changes, so each attempt saves one of
 * its own. Runs at the same time do not see each other: workflows that spend want a concurrency group.
 * @param isResumed whether the files of the earlier attempt are there, which tell what it really spent
 * @param consequence what follows from there being no book
 * @throws BenchError `action/no-cache`, `action/book-lost`: without the book the cap of the month could not be kept.
 */
export async function openMonthBook(
  job: BookJob,
  { isResumed, consequence }: { readonly isResumed: boolean; readonly consequence: string },
): Promise<MonthBook> {
  const { isFeatureAvailable, restoreCache, saveCache } = await import('@actions/cache')
  const noCache = (why: string) =>
    new BenchError({
      code: 'action/no-cache',
      message: `There is a cap of the month, ${why}. ${consequence}`,
      hint: 'Give the input spend-file a file that outlives the job, as on a runner of your own, or leave the cap of the month out.',
    })
  if (!isFeatureAvailable()) throw noCache('but this job has no cache that would keep the book of it')
  const { base, runId, attempt } = job.names
  const folder = path.join(job.scratch, 'spend')
  const file = path.join(folder, NAME)
  await mkdir(folder, { recursive: true })
  // By how all keys begin: one of its own could be the beginning of an older one's.
  if ((await restoreCache([folder], PREFIX)) === undefined) {
    const problem = await findBook(job)
    if (problem !== null) throw bookLost(problem, consequence)
    job.annotate(
      'notice',
      'No spend book was found in the cache: the month is counted from here. Entries that are not used for a week are lost.',
    )
  }
  const reserved = { run: `run ${runId} ${base}`, kind: 'reserved' } as const
  if (isResumed) await dropLines(file, (line) => line.run.startsWith(`${reserved.run} `))
  const key = `${PREFIX}${runId}-${attempt}-${base}`
  let begunMs: number | null = null
  return {
    file,
    async begin(usd) {
      const line = { at: new Date().toISOString(), ...reserved, run: `${reserved.run} ${attempt}`, attempt: 'all', usd }
      const before = existsSync(file) ? await readFile(file) : null
      await appendFile(file, `${JSON.stringify(line)}\n`)
      const id = await saveCache([folder], `${key}-begun`).catch(() => -1)
      begunMs = Date.now()
      await (before === null ? rm(file) : writeFile(file, before))
      if (id === -1) throw noCache('and this job can keep nothing in the cache, where the book of it is')
    },
    async save() {
      if (begunMs === null && !existsSync(file)) return true
      // Where nothing was spent an empty book takes the place of what was reserved.
      await appendFile(file, '')
      if (begunMs !== null) await setTimeout(Math.max(0, begunMs + ENTRY_AGE_MS - Date.now()))
      return (await saveCache([folder], key)) !== -1
    },
  }
}

const lineSchema = z.object({ run: z.string() })

/** Of a book that is there; what is no line of one stays, for the reader who says so. */
async function dropLines(file: string, isDropped: (line: z.infer<typeof lineSchema>) => boolean): Promise<void> {
  if (!existsSync(file)) return
  const isKept = (text: string) => {
    try {
      return !isDropped(lineSchema.parse(JSON.parse(text)))
    } catch {
      return true
    }
  }
  const lines = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, lines.filter(isKept).join('\n'))
}

const OTHER_FORM = 'GitHub answers in another form than documented.'
const cachesSchema = z.object({ actions_caches: z.array(z.object({ key: z.string() })) })
const repositorySchema = z.object({ default_branch: z.string() })

/**
 * What speaks against there being no book; null where nothing does. The toolkit tells trouble as it tells that there is
 * nothing, and a month that began anew for that would pass its cap.
 */
async function findBook({ api, event, keys }: BookJob): Promise<string | null> {
  if (api === null) return 'There is no token to ask GitHub whether there is one.'
  const repository = await api.get('')
  if (repository.kind === 'failed') return `Whether there is one cannot be asked: ${repository.message}.`
  const about = repositorySchema.safeParse(repository.value)
  if (!about.success) return OTHER_FORM
  // Of these a job reads the cache; a book of another branch is none of its own.
  const branches = [about.data.default_branch, baseOf(event)?.ref].filter((branch) => branch !== undefined)
  const refs = [keys.env.GITHUB_REF ?? '', ...branches.map((branch) => `refs/heads/${branch}`)]
  for (const ref of new Set(refs.filter((each) => each !== ''))) {
    const listed = await api.get(`actions/caches?key=${PREFIX}&ref=${encodeURIComponent(ref)}&per_page=1`)
    if (listed.kind === 'failed') return `Whether there is one cannot be asked: ${listed.message}.`
    const entries = cachesSchema.safeParse(listed.value)
    if (!entries.success) return OTHER_FORM
    const [own] = entries.data.actions_caches
    if (own !== undefined) return `There is one, though: ${own.key}.`
  }
  return null
}

function bookLost(why: string, consequence: string): BenchError {
  return new BenchError({
    code: 'action/book-lost',
    message: `There is a cap of the month, and no spend book came out of the cache. ${why} ${consequence}`,
    hint: `Give the job "permissions: actions: read", and run it again: the cache may have been out of order. A book also stays hidden from a runner of another system, or with another temporary folder (RUNNER_TEMP). To begin a new one, delete the entries ${PREFIX}… on the page Actions > Caches.`,
  })
}

/** Where a run writes what it spends, and what the month has left for it and all others. */
export interface BookChoice {
  readonly file: string
  readonly left: number
}

/**
 * A shard writes into a book of its own: all shards begin with copies of one book, and see nothing of each other.
 * @param earlier folder with the files of the earlier attempt, which may hold its book
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
  return { file, left }
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

/**
 * Puts the books of shards, and the one from before them, together into `file`: every line once.
 * @throws BenchError as `openSpendBook`.
 */
export async function mergeBooks(files: readonly string[], file: string): Promise<void> {
  const lines = new Set<string>()
  for (const each of [file, ...files]) {
    if (!existsSync(each)) continue
    // What a killed run left of a line, which is no line of any book.
    openSpendBook({ file: each, capUsd: null, now: () => new Date() }).close()
    for (const line of (await readFile(each, 'utf8')).split('\n')) if (line !== '') lines.add(line)
  }
  if (lines.size > 0) await writeFile(file, `${[...lines].join('\n')}\n`)
}

export interface KeptBook {
  /** Why it could not be kept. */
  readonly failures: string[]
  /** A copy for the artifact. */
  readonly further: string[]
}

/** Keeps a book, and puts a copy into a folder; trouble with that keeps nothing from being published. */
export async function keepBook(book: Pick<MonthBook, 'file' | 'save'>, folder: string): Promise<KeptBook> {
  const failures: string[] = []
  const further: string[] = []
  try {
    if (!(await book.save())) failures.push('the spend book of the month was not kept as it is now')
    if (existsSync(book.file)) {
      const copy = path.join(folder, NAME)
      await mkdir(folder, { recursive: true })
      if (path.resolve(book.file) !== path.resolve(copy)) {
        // Whole or not at all; and whatever lies there, a link too, is not written through.
        const part = `${copy}.${randomUUID()}.part`
        await copyFile(book.file, part)
        await rename(part, copy)
      }
      further.push(copy)
    }
  } catch (error) {
    failures.push(`the spend book of the month was not kept: ${(error as Error).message}`)
  }
  return { failures, further }
}

/** Puts together the books that shards left in their folders, and keeps that; nothing where none did. Never rejects. */
export async function joinBooks(
  job: BookJob & Pick<Job, 'note'>,
  shards: readonly string[],
  folder: string,
): Promise<KeptBook> {
  const books = shards.map((shard) => path.join(shard, NAME)).filter(existsSync)
  if (books.length === 0) return { failures: [], further: [] }
  try {
    const consequence = 'What the shards spent is not in the book, and the next run would not know of it.'
    const book = await openMonthBook(job, { isResumed: false, consequence })
    await mergeBooks(books, book.file)
    return await keepBook(book, folder)
  } catch (error) {
    return { failures: [wordError(error)], further: [] }
  }
}
