import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { readNamedReport } from '../sweep/named-report.ts'
import { prepareOutput } from '../sweep/output-folder.ts'
import { type CorpusSweep, readSweeps } from './action-config.ts'
import { artifactName, downloadShards } from './artifact.ts'
import { deliver, gateFailures, judgeScored } from './deliver.ts'
import { wordError } from './error-words.ts'
import type { Job } from './job.ts'
import { copyBook, mergeBooks, openMonthBook } from './month-book.ts'
import { annotateFindings, comment, type Judged, setOutputs, writeJobSummary } from './publish.ts'
import { mergeCorpus, type Scored } from './score-corpus.ts'

/** Joins the shards of this run. Gives why the step fails. */
export async function mergeMode(job: Job): Promise<string[]> {
  const { inputs, names, scratch, workspace } = job
  const folder = inputs.mergeFrom === null ? path.join(scratch, 'shards') : path.resolve(workspace, inputs.mergeFrom)
  const shards =
    inputs.mergeFrom === null ? await downloadShards(names, inputs.shards, folder) : await foldersIn(folder)
  if (shards.length === 0) {
    throw new BenchError({
      code: 'action/no-shards',
      message: `There is no shard in ${inputs.mergeFrom ?? `the artifacts ${inputs.artifactName}-… of this run`}.`,
      hint: 'Run mode shard in an earlier job, with the same inputs artifact-name and shards, or give merge-from.',
    })
  }
  const sweeps = await sweepsForBaseline(job)
  const target = path.resolve(workspace, String(inputs.given.output ?? sweeps[0]?.config.output ?? 'out'))
  const root = target.endsWith('.json') ? path.dirname(target) : target
  const judged: Judged[] = []
  for (const corpus of await corporaIn(shards)) {
    const output = corpus === '' ? target : path.join(root, corpus)
    const scored = await mergeCorpus(
      corpus === '' ? 'merged' : corpus,
      output,
      shards.map((each) => path.join(each, corpus)),
    )
    const sweep = corpus === '' ? sweeps[0] : sweeps.find(({ name }) => name === corpus)
    judged.push(await judgeScored(job, scored, sweep ?? null, { root, isJudged: true }))
  }
  const further: string[] = []
  const failures: string[] = []
  const books = shards.map((each) => path.join(each, 'spend.jsonl')).filter(existsSync)
  if (books.length > 0) {
    const book = await openMonthBook(job)
    await mergeBooks(books, book.file)
    if (!(await book.save())) failures.push('the spend book of the month was not kept')
    const copy = await copyBook(book.file, root)
    if (copy !== null) further.push(copy)
  }
  return deliver(job, judged, { root, name: artifactName(names, null), further, failures })
}

/** Folders of corpora within those of shards; the shards' own where each has one corpus. */
async function corporaIn(shards: readonly string[]): Promise<string[]> {
  const names = new Set<string>()
  for (const shard of shards) {
    for (const folder of await foldersIn(shard)) {
      if (existsSync(path.join(folder, 'attempts.jsonl'))) names.add(path.basename(folder))
    }
  }
  return names.size === 0 ? [''] : [...names].sort()
}

/** What a downloaded baseline is verified with; nothing where there is none to be. */
async function sweepsForBaseline(job: Job): Promise<CorpusSweep[]> {
  return job.inputs.baseline.kind === 'auto' ? readSweeps(job) : []
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(folder, name))
    .sort()
}

/** Compares a report that is there already. Gives why the step fails. */
export async function compareMode(job: Job): Promise<string[]> {
  const file = path.resolve(job.workspace, job.inputs.reportPath ?? '')
  const report = await readNamedReport(file)
  const output = await prepareOutput(path.resolve(job.workspace, String(job.inputs.given.output ?? 'out')))
  const scored: Scored = { name: report.plan.corpus.name, output: { ...output, report: file }, report, error: null }
  const root = path.dirname(file)
  const [sweep = null] = await sweepsForBaseline(job)
  const judged = await judgeScored(job, scored, sweep, { root, isJudged: true })
  const failures = judged.judgeError === null ? gateFailures(job, [judged]) : [wordError(judged.judgeError)]
  annotateFindings(job, [judged])
  await writeJobSummary(job, [judged], failures)
  const uploaded = { kind: 'failed', why: 'nothing new was made' } as const
  setOutputs(job, [judged], uploaded)
  await comment(job, [judged], uploaded)
  return failures
}
