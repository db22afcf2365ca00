import { existsSync } from 'node:fs'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { isPaid } from '../config/subject-source.ts'
import type { CorpusSweep } from './action-config.ts'
import { artifactName, downloadEarlierAttempt } from './artifact.ts'
import { deliver, judgeScored } from './deliver.ts'
import type { Job } from './job.ts'
import { copyBook, type MonthBook, mergeBooks, openMonthBook } from './month-book.ts'
import type { Judged } from './publish.ts'
import { scoreCorpus } from './score-corpus.ts'

/** A sweep, or a shard of it, over each corpus. Gives why the step fails. */
export async function sweepMode(job: Job, sweeps: readonly CorpusSweep[]): Promise<string[]> {
  const shard = sweeps[0]?.config.shard ?? null
  const root = rootOf(sweeps)
  const earlier = await loadEarlier(job, sweeps, shard)
  const book = await bookOf(job, sweeps, earlier)
  const judged: Judged[] = []
  const failures: string[] = []
  for (const sweep of sweeps) {
    if (job.signal.aborted) failures.push(`${sweep.name} was not begun, since the job was cancelled`)
    if (job.signal.aborted) continue
    const own = path.join(earlier ?? '', sweeps.length > 1 ? sweep.name : '', 'attempts.jsonl')
    const config = book === null ? sweep.config : { ...sweep.config, 'spend-file': book.file }
    const scored = await scoreCorpus(job, { ...sweep, config }, earlier !== null && existsSync(own) ? own : null)
    judged.push(await judgeScored(job, scored, sweep, { root, isJudged: shard === null }))
  }
  const further: string[] = []
  if (book !== null) {
    // Shards began with one book and each wrote on: who merges them keeps all of it.
    if (shard === null && !(await book.save()))
      failures.push('the spend book of the month was not kept, so that the next run would not know what this one spent')
    const copy = await copyBook(book.file, root)
    if (copy !== null) further.push(copy)
  }
  return deliver(job, judged, { root, name: artifactName(job.names, shard), further, failures })
}

/**
 * The files of the newest earlier attempt of this run; null where this is the first, or where it is to begin anew.
 * @throws BenchError `action/nothing-to-resume`: what the earlier attempt spent is not known.
 */
async function loadEarlier(job: Job, sweeps: readonly CorpusSweep[], shard: string | null): Promise<string | null> {
  const { names, inputs } = job
  if (names.attempt === 1 || inputs.rerun === 'fresh') return null
  let why = 'it left no artifact'
  try {
    const folder = await downloadEarlierAttempt(names, shard, path.join(job.scratch, 'earlier'))
    if (folder !== null) return folder
  } catch (error) {
    why = `its artifact cannot be had (${(error as Error).message})`
  }
  if (sweeps.some(({ config }) => config.subjects.some(isPaid))) {
    throw new BenchError({
      code: 'action/nothing-to-resume',
      message: `This is attempt ${names.attempt} of the run, and what an earlier one spent is not known: ${why}. So nothing is asked, which could pass the cap.`,
      hint: 'Start a new run of the workflow; or set the input rerun to "fresh" to spend up to the cap again.',
    })
  }
  job.annotate('notice', `The earlier attempt is not resumed: ${why}. The run begins anew; nothing in it costs money.`)
  return null
}

/** The book of the month where there is a cap of it and no file of the user's own. */
async function bookOf(job: Job, sweeps: readonly CorpusSweep[], earlier: string | null): Promise<MonthBook | null> {
  const config = sweeps[0]?.config
  if (config?.['max-spend-usd-per-month'] === undefined || config['spend-file'] !== undefined) return null
  const book = await openMonthBook(job)
  if (earlier !== null) await mergeBooks([path.join(earlier, 'spend.jsonl')], book.file)
  return book
}

function rootOf(sweeps: readonly CorpusSweep[]): string {
  const outputs = sweeps.map(({ config }) =>
    config.output.endsWith('.json') ? path.dirname(config.output) : config.output,
  )
  return outputs.length === 1 ? (outputs[0] ?? '.') : path.dirname(outputs[0] ?? '.')
}
