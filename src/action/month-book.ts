import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { parseShard } from '../generate/shard.ts'
import { openSpendBook } from '../generate/spend-book.ts'
import type { EarlierAttempt } from './earlier-attempt.ts'
import { wordError } from './error-words.ts'
import { baseOf } from './event.ts'
import { cachesSchema } from './github-api.ts'
import type { Job } from './job.ts'

/** The spend book of a month, kept from run to run in the cache of GitHub Actions. */
export interface MonthBook {
  readonly file: string
  /**
   * Keeps, before anything is asked, that this run may spend so much: what a run that is killed spent, nobody else would know.
   * @throws BenchError `action/no-cache`: then the book could not be kept afterwards either.
   */
  begin(usd: number): Promise<void>
  /** Keeps what the run wrote, in place of what it said before, and what others saved. False when nothing could be kept. */
  save(): Promise<boolean>
}

type BookJob = Pick<Job, 'names' | 'scratch' | 'annotate' | 'api' | 'event' | 'keys' | 'signal'>

const NAME = 'spend.jsonl'
/** One book for all workflows of a repository: a name of a job in it would let the names of two begin alike. */
const PREFIX = 'vox-efficacy-spend-'
/** Of two entries the newer is found, and their ages are told in seconds. */
const ENTRY_AGE_MS = 1500

/**
 * The newest book of this repository; a new one where there is none. A cache entry never changes, so each attempt saves one of
 * its own, with what others saved meanwhile; lines are only added, so that books can be put together in any order. What two save
 * in the same seconds they do not see: workflows that spend want a concurrency group.
 * @param resumed the earlier attempt that goes on: its own book, where it left one, tells what it really spent
 * @param consequence what follows from there being no book
 * @throws BenchError `action/no-cache`, `action/book-lost`: without the book the cap of the month could not be kept.
 */
export async function openMonthBook(
  job: BookJob,
  { resumed, consequence }: { readonly resumed: EarlierAttempt | null; readonly consequence: string },
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
  const nameOf = (of: number) => `run ${runId} ${base} ${of}`
  if (resumed !== null && existsSync(path.join(resumed.folder, NAME))) {
    await settleReserved(file, nameOf(resumed.attempt))
  }
  const key = `${PREFIX}${runId}-${attempt}-${base}`
  let begun: { readonly line: Reserved; readonly ms: number } | null = null
  const takeNewest = async () => {
    // Not in the few seconds that a cancelled job has; and with any trouble the book is that of this run.
    if (!job.signal.aborted) await addNewest(file, job.scratch, () => restoreCache([folder], PREFIX)).catch(() => {})
  }
  return {
    file,
    async begin(usd) {
      await takeNewest()
      const line: Reserved = {
        ...{ at: new Date().toISOString(), run: nameOf(attempt), kind: 'reserved', attempt: 'all', usd },
      }
      const before = existsSync(file) ? await readFile(file) : null
      await appendFile(file, `${JSON.stringify(line)}\n`)
      const id = await saveCache([folder], `${key}-begun`).catch(() => -1)
      begun = { line, ms: Date.now() }
      // While it runs: it may spend what it keeps from others.
      await (before === null ? rm(file) : writeFile(file, before))
      if (id === -1) throw noCache('and this job can keep nothing in the cache, where the book of it is')
    },
    async save() {
      if (begun === null && !existsSync(file)) return true
      if (begun !== null) await setTimeout(Math.max(0, begun.ms + ENTRY_AGE_MS - Date.now()))
      await takeNewest()
      if (begun !== null) await addLines(file, [JSON.stringify(begun.line), settlementOf(begun.line)])
      return (await saveCache([folder], key)) !== -1
    },
  }
}

const reservedSchema = z.object({
  at: z.string(),
  run: z.string(),
  kind: z.literal('reserved'),
  attempt: z.string(),
  usd: z.number(),
})
type Reserved = z.infer<typeof reservedSchema>

/** What a run kept is over: its book has what it spent. Always the same line, so that it is there once, whoever writes it. */
function settlementOf(line: Reserved): string {
  return JSON.stringify({ ...line, kind: 'settled', usd: 0 })
}

/** Of what an attempt of a run kept. @param name that it has in the book */
async function settleReserved(file: string, name: string): Promise<void> {
  const lines = (await linesIn(file)).map((text) => reservedSchema.safeParse(JSON.parse(text)).data)
  await addLines(
    file,
    lines.flatMap((line) => (line?.run === name ? [settlementOf(line)] : [])),
  )
}

/** Adds what the newest entry of the cache has more. The cache gives it to that folder alone from which it was saved. */
async function addNewest(file: string, scratch: string, restore: () => Promise<string | undefined>): Promise<void> {
  const aside = path.join(scratch, 'spend-aside.jsonl')
  const newest = path.join(scratch, 'spend-newest.jsonl')
  const isThere = existsSync(file)
  // Moved, not copied: a run has it open.
  if (isThere) await rename(file, aside)
  try {
    if ((await restore()) === undefined) return
    await rename(file, newest)
  } finally {
    await rm(file, { force: true })
    if (isThere) await rename(aside, file)
  }
  await mergeBooks([newest], file)
}

const OTHER_FORM = 'GitHub answers in another form than documented.'
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

/** Where a run writes what it spends. */
export interface BookChoice {
  readonly file: string
  /** What the month has left for it; of a shard the whole of which `file` may come to its part. */
  readonly left: number
}

/**
 * A shard writes into a book of its own, since shards see nothing of each other. Each may add its part of what the month has left
 * to what the book of the month holds: also where it is run again, which any number of them may be. What its earlier attempt
 * spent is in its own book, and in that of the month if a merge put it there.
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
  const spent = spentIn(book.file)
  const left = Math.max(0, monthUsd - spent)
  const join = (file: string) => (earlier === null ? undefined : mergeBooks([path.join(earlier, NAME)], file))
  await join(book.file)
  if (shard === null) return { file: book.file, left }
  // One for each shard of a job that makes several.
  const file = path.join(scratch, `spend-${shard.replace('/', '-of-')}.jsonl`)
  await join(file)
  const held = Math.max(0, spent + spentIn(file) - spentIn(book.file))
  return { file, left: left + held * (parseShard(shard)?.count ?? 1) }
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
 * Puts books together in `file`, every line once.
 * @throws BenchError as `openSpendBook`.
 */
export async function mergeBooks(files: readonly string[], file: string): Promise<void> {
  const lines: string[] = []
  for (const each of files) lines.push(...(await linesIn(each)))
  await addLines(file, lines)
}

async function linesIn(file: string): Promise<string[]> {
  if (!existsSync(file)) return []
  // What a killed run left of a line, which is no line of any book.
  openSpendBook({ file, capUsd: null, now: () => new Date() }).close()
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
}

/** Adds those that the book lacks, and changes nothing of it: a run may have it open. */
async function addLines(file: string, lines: readonly string[]): Promise<void> {
  const known = new Set(await linesIn(file))
  const missing = [...new Set(lines)].filter((line) => !known.has(line))
  if (missing.length > 0) await appendFile(file, missing.map((line) => `${line}\n`).join(''))
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
    const book = await openMonthBook(job, { resumed: null, consequence })
    await mergeBooks(books, book.file)
    return await keepBook(book, folder)
  } catch (error) {
    return { failures: [wordError(error)], further: [] }
  }
}
