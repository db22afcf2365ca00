import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { mayCost } from '../config/subject-source.ts'
import { purposeOf } from '../config/sweep-config.ts'
import { planSweep } from '../sweep/plan-sweep.ts'
import { loadSweepCatalogue } from '../sweep/sweep-catalogue.ts'
import { type CorpusSweep, reportEntryOf, rootOf } from './action-config.ts'
import {
  type ArtifactPart,
  artifactName,
  downloadEarlierAttempt,
  downloadPlan,
  markAsking,
  partOf,
  unmarkAsking,
} from './artifact.ts'
import { deliver, judgeScored } from './deliver.ts'
import type { Job } from './job.ts'
import { type Baseline, checkRows, openBaseline } from './judge.ts'
import { type BookChoice, chooseBook, copyBook, keepBook, type MonthBook, openMonthBook } from './month-book.ts'
import { SNAPSHOT } from './plan-mode.ts'
import type { Judged } from './publish.ts'
import { scoreCorpus } from './score-corpus.ts'

/** A sweep, or a shard of it, over each corpus. Gives why the step fails. */
export async function sweepMode(job: Job, sweeps: readonly CorpusSweep[]): Promise<string[]> {
  const [first] = sweeps
  if (first === undefined) throw new Error('there is no corpus')
  const shard = first.config.shard ?? null
  const part = partOf(shard)
  const root = rootOf(sweeps)
  const earlier = await loadEarlier(job, sweeps, part)
  const baselines = await openBaselines(job, sweeps, root)
  const opened = await openBook(job, first, { shard, earlier })
  const { book, options } = opened
  const catalogue = shard === null ? {} : await takeCatalogue(job, first)
  const beforeAsking = createMarker(job, sweeps, { ...opened, part })
  const judged: Judged[] = []
  const failures: string[] = []
  const further: string[] = []
  for (const sweep of sweeps) {
    const within = sweeps.length > 1 ? sweep.name : ''
    const own = path.join(earlier ?? '', within, 'attempts.jsonl')
    const journal = earlier !== null && existsSync(own) ? own : null
    if (job.signal.aborted) {
      failures.push(`${sweep.name} was not begun, since the job was cancelled`)
      if (journal !== null) further.push(await keepJournal(journal, path.join(root, within)))
      continue
    }
    const config = { ...sweep.config, ...options, ...catalogue }
    const scored = await scoreCorpus(job, { ...sweep, config }, { earlierJournal: journal, beforeAsking })
    judged.push(await judgeScored(job, scored, async () => baselines.get(sweep) ?? null, sweep))
  }
  // Shards began with one book and each wrote on: who merges them keeps all of it.
  if (shard === null) failures.push(...(await keepBook(book)))
  if (book !== null) further.push(...(await copyBook(options?.['spend-file'], root)))
  const delivered = await deliver(job, judged, { root, name: artifactName(job.names, part), further, failures })
  if (delivered.isUploaded) await unmarkAsking(job.names, part)
  return delivered.failures
}

/** The baseline of each corpus, with which it is clear what will be compared. */
async function openBaselines(
  job: Job,
  sweeps: readonly CorpusSweep[],
  root: string,
): Promise<ReadonlyMap<CorpusSweep, Baseline>> {
  const baselines = new Map<CorpusSweep, Baseline>()
  for (const sweep of sweeps) {
    const { config, folder } = sweep
    const baseline = await openBaseline(job, reportEntryOf(root, config.output))
    if (baseline === null) continue
    const { plan } = await planSweep(config, purposeOf(config), folder, {
      env: job.keys.env,
      loadCatalogue: () => loadSweepCatalogue(config, job.scratch),
    })
    checkRows(job, baseline, plan)
    baselines.set(sweep, baseline)
  }
  return baselines
}

/**
 * The files of the newest earlier attempt of this run; null where this is the first, or where it is to begin anew.
 * @throws BenchError `action/nothing-to-resume`: what the earlier attempt spent is not known.
 */
async function loadEarlier(job: Job, sweeps: readonly CorpusSweep[], part: ArtifactPart): Promise<string | null> {
  const { names, inputs } = job
  if (names.attempt === 1 || inputs.rerun === 'fresh') return null
  const isOnePaid = sweeps.some(({ config }) => config.subjects.some(mayCost))
  let why: string
  try {
    const earlier = await downloadEarlierAttempt(names, part, path.join(job.scratch, 'earlier'))
    if (earlier.kind === 'found') return earlier.folder
    if (earlier.kind === 'nothing') {
      job.note('No earlier attempt of this run asked anything: it begins anew.')
      return null
    }
    why = 'it asked, and left no files'
  } catch (error) {
    why = `its artifact cannot be had (${(error as Error).message})`
  }
  if (isOnePaid) {
    throw new BenchError({
      code: 'action/nothing-to-resume',
      message: `This is attempt ${names.attempt} of the run, and what an earlier one spent is not known: ${why}. So nothing is asked, which could pass the cap.`,
      hint: 'Start a new run of the workflow; or set the input rerun to "fresh" to spend up to the cap again.',
    })
  }
  job.annotate('notice', `The earlier attempt is not resumed: ${why}. The run begins anew; nothing in it costs money.`)
  return null
}

interface OpenBook extends Partial<BookChoice> {
  readonly book: MonthBook | null
}

/** The book of the month where there is a cap of it and no file of the user's own. */
async function openBook(
  job: Job,
  { config }: CorpusSweep,
  { shard, earlier }: { readonly shard: string | null; readonly earlier: string | null },
): Promise<OpenBook> {
  const monthUsd = config['max-spend-usd-per-month']
  if (monthUsd === undefined || config['spend-file'] !== undefined) return { book: null }
  const book = await openMonthBook(job)
  return { book, ...(await chooseBook(book, monthUsd, { shard, scratch: job.scratch, earlier })) }
}

/** The list of models that the shards were planned with: one that changed meanwhile would make them different sweeps. */
async function takeCatalogue(job: Job, { config }: CorpusSweep): Promise<{ readonly catalogue?: string }> {
  if (config.catalogue !== 'auto') return {}
  const folder = await downloadPlan(job.names, path.join(job.scratch, 'plan')).catch((error: Error) => {
    job.note(`What mode plan left cannot be had: ${error.message}`)
    return null
  })
  return folder === null ? {} : { catalogue: path.join(folder, SNAPSHOT) }
}

/** Says, before the first request of a sweep that may cost money, that it is made, and what it may come to. */
function createMarker(
  job: Job,
  sweeps: readonly CorpusSweep[],
  { part, book, left = 0 }: OpenBook & { readonly part: ArtifactPart },
): () => Promise<void> {
  let isMarked = false
  return async () => {
    if (isMarked) return
    isMarked = true
    if (sweeps.some(({ config }) => config.subjects.some(mayCost))) await markPaid(job, part)
    // Shards see nothing of each other: who merges them keeps their books.
    if (book === null || part.kind === 'shard') return
    const caps = sweeps.map(({ config }) => config['max-spend-usd'] ?? Number.POSITIVE_INFINITY)
    await book.begin(
      Math.min(
        left,
        caps.reduce((sum, cap) => sum + cap, 0),
      ),
    )
  }
}

async function markPaid(job: Job, part: ArtifactPart): Promise<void> {
  const { env } = job.keys
  const marked = await markAsking(job.names, part, job.scratch, { env, retentionDays: job.inputs.retentionDays })
  if (marked.kind !== 'failed') return
  throw new BenchError({
    code: 'action/no-artifacts',
    message: `Artifacts of this run cannot be written: ${marked.why}. What would be paid for could be lost, so nothing was asked.`,
    hint: 'Run it again. If that does not help, give each job of the run an artifact-name of its own.',
  })
}

/** What was paid for before is published again, so that the attempt after this one has it. */
async function keepJournal(journal: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const copy = path.join(folder, 'attempts.jsonl')
  await copyFile(journal, copy)
  return copy
}
