import { existsSync } from 'node:fs'
import path from 'node:path'
import { mayCost } from '../config/subject-source.ts'
import { purposeOf } from '../config/sweep-config.ts'
import { CATALOGUE_FILE } from '../models/load-catalogue.ts'
import type { OutputFolder } from '../sweep/output-folder.ts'
import { planSweep } from '../sweep/plan-sweep.ts'
import { loadSweepCatalogue } from '../sweep/sweep-catalogue.ts'
import { artifactName, downloadArtifact, findNewest, listArtifacts, partOf } from './artifact.ts'
import { createAskingMarker } from './asking-marker.ts'
import type { CorpusSweep, Sweeps } from './corpora.ts'
import { deliver } from './deliver.ts'
import { type EarlierAttempt, findSpent, keepJournal, loadEarlier, refuseOtherJournals } from './earlier-attempt.ts'
import { cancelled, type Job, shortlyAfterCancel, untilCancelled } from './job.ts'
import { checkRows, type Judged, judgeScored } from './judge.ts'
import { keepAsking, keepFiles } from './kept-attempt.ts'
import { type BookChoice, chooseBook, keepBook, type MonthBook, openMonthBook } from './month-book.ts'
import { type Baseline, openBaseline } from './open-baseline.ts'
import { reportEntryOf, rootOf } from './output-paths.ts'
import { claimOutput, scoreCorpus } from './score-corpus.ts'

/** A sweep, or a shard of it, over each corpus. Gives why the step fails. */
export async function sweepMode(job: Job, sweeps: Sweeps): Promise<string[]> {
  const [first] = sweeps
  const shard = first.config.shard ?? null
  const part = partOf(shard)
  const root = rootOf(sweeps)
  const earlier = await untilCancelled(job, () => loadEarlier(job, sweeps, part))
  const baselines = await untilCancelled(job, () => openBaselines(job, sweeps, root))
  const spending = await untilCancelled(job, () => openBook(job, first, { shard, earlier }))
  const catalogue = shard === null ? {} : await untilCancelled(job, () => takeCatalogue(job, first))
  // All of them before anything is asked: one that cannot be written would end the step after it was paid for.
  const claimed: { sweep: CorpusSweep; output: OutputFolder; earlierJournal: string | null }[] = []
  for (const sweep of sweeps) {
    const journal = path.join(earlier?.folder ?? '', withinOf(sweeps, sweep), 'attempts.jsonl')
    const earlierJournal = earlier !== null && existsSync(journal) ? journal : null
    claimed.push({ sweep, output: await claimOutput(sweep), earlierJournal })
  }
  if (earlier !== null)
    await refuseOtherJournals(
      earlier.folder,
      claimed.map(({ earlierJournal }) => earlierJournal),
    )
  const isPaid = sweeps.some(({ config }) => config.subjects.some(mayCost))
  const marker = createAskingMarker(job, part)
  const beforeAsking = once(async () => {
    if (isPaid) await marker.set()
    // Shards see nothing of each other: who merges them keeps their books.
    if (shard === null) await spending?.book.begin(Math.min(spending.left, sumOfCaps(sweeps)))
    // Last, since it cannot be taken back: a re-run would be refused for what was never asked.
    if (isPaid) await keepAsking(job, part)
  })
  const judged: Judged[] = []
  const failures: string[] = []
  const further: string[] = []
  for (const { sweep, output, earlierJournal } of claimed) {
    if (job.signal.aborted) {
      if (earlierJournal !== null) further.push(await keepJournal(earlierJournal, output))
      judged.push({
        name: sweep.name,
        output,
        report: null,
        files: [],
        error: cancelled(`${sweep.name} was not begun, since the job was cancelled`),
        comparison: null,
        judgeError: null,
      })
      continue
    }
    const config = { ...sweep.config, ...catalogue, ...(spending === null ? {} : { 'spend-file': spending.file }) }
    const monthLeftUsd = spending === null || shard === null ? {} : { monthLeftUsd: spending.left }
    const scored = await scoreCorpus(
      job,
      { ...sweep, config },
      { output, earlierJournal, beforeAsking, ...monthLeftUsd },
    )
    judged.push(await judgeScored(job, scored, async () => baselines.get(sweep) ?? null, sweep))
  }
  if (spending !== null) {
    // Shards began with one book and each wrote on in one of its own: who merges them keeps all.
    const own = shard === null ? spending.book : { file: spending.file, save: async () => true }
    const kept = await shortlyAfterCancel(job, keepBook(own, root), {
      failures: ['the spend book of the month was not kept: the job was cancelled'],
      further: [],
    })
    failures.push(...kept.failures)
    further.push(...kept.further)
  }
  const files = [...judged.flatMap((each) => each.files), ...further]
  // At the same time: a cancelled job has seconds for both.
  const [delivered, notKept] = await Promise.all([
    deliver(job, judged, { root, name: artifactName(job.names, part), further, failures }),
    isPaid ? keepFiles(job, part, { files, root }) : null,
  ])
  if (notKept !== null) tellNotKept(job, notKept, delivered.isUploaded)
  // Where no corpus came to a journal nothing was asked.
  if (delivered.isUploaded || judged.every(({ files }) => files.length === 0)) await marker.clear()
  return delivered.failures
}

function tellNotKept(job: Job, why: string, isUploaded: boolean): void {
  const what = `The cache did not keep the journal of this attempt: ${why}.`
  if (isUploaded)
    job.note(`${what} The artifact has it, which "Re-run failed jobs" sees, and "Re-run all jobs" does not.`)
  else job.annotate('warning', `${what} Nor was it uploaded: a re-run has none of its answers.`)
}

/** The folder of a sweep within an artifact. */
function withinOf(sweeps: Sweeps, { name }: CorpusSweep): string {
  return sweeps.length > 1 ? name : ''
}

/** Does `act` when it is first called for; whoever calls gets what came of that. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= act()
    return done
  }
}

function sumOfCaps(sweeps: Sweeps): number {
  return sweeps.reduce((sum, { config }) => sum + (config['max-spend-usd'] ?? Number.POSITIVE_INFINITY), 0)
}

/** The baseline of each corpus, with which it is clear what will be compared. */
async function openBaselines(job: Job, sweeps: Sweeps, root: string): Promise<ReadonlyMap<CorpusSweep, Baseline>> {
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

/** The book of the month where there is a cap of it and no file of the user's own; else null. */
async function openBook(
  job: Job,
  { config }: CorpusSweep,
  { shard, earlier }: { readonly shard: string | null; readonly earlier: EarlierAttempt | null },
): Promise<(BookChoice & { readonly book: MonthBook }) | null> {
  const monthUsd = config['max-spend-usd-per-month']
  if (monthUsd === undefined || config['spend-file'] !== undefined) return null
  const book = await openMonthBook(job, {
    resumed: earlier,
    consequence: 'So nothing is asked, which could pass the cap.',
  })
  const spent = earlier?.folder ?? (shard === null ? null : await findSpent(job, partOf(shard)))
  return { book, ...(await chooseBook(book, monthUsd, { shard, scratch: job.scratch, earlier: spent })) }
}

/** The list of models that the shards were planned with: one that changed meanwhile would make them different sweeps. */
async function takeCatalogue(job: Job, { config }: CorpusSweep): Promise<{ readonly catalogue?: string }> {
  if (config.catalogue !== 'auto') return {}
  try {
    const found = findNewest(await listArtifacts(), job.names, { kind: 'plan' })
    if (found === null) return {}
    const folder = await downloadArtifact(found, path.join(job.scratch, 'plan'))
    return { catalogue: path.join(folder, CATALOGUE_FILE) }
  } catch (error) {
    job.note(`What mode plan left cannot be had: ${(error as Error).message}`)
    return {}
  }
}
