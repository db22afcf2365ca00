import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { folderOf } from '../sweep/output-folder.ts'
import { readSweeps } from './action-config.ts'
import { artifactName, downloadShards } from './artifact.ts'
import { deliver } from './deliver.ts'
import type { Job } from './job.ts'
import { type Judged, judgeScored } from './judge.ts'
import { joinBooks } from './month-book.ts'
import { openBaseline } from './open-baseline.ts'
import { reportEntryOf } from './output-paths.ts'
import { mergeCorpus } from './score-corpus.ts'

/** Joins the shards of this run. Gives why the step fails. */
export async function mergeMode(job: Job): Promise<string[]> {
  const { inputs, names, scratch, workspace } = job
  const folder = inputs.mergeFrom === null ? path.join(scratch, 'shards') : path.resolve(workspace, inputs.mergeFrom)
  const shards = inputs.mergeFrom === null ? await downloadShards(names, folder) : await foldersIn(folder)
  if (shards.length === 0) {
    throw new BenchError({
      code: 'action/no-shards',
      message: `There is no shard in ${inputs.mergeFrom ?? `the artifacts ${inputs.artifactName}-… of this run`}.`,
      hint: 'Run mode shard in an earlier job, with the same input artifact-name, or give merge-from.',
    })
  }
  // Before anything can fail: what was spent is known from here on only.
  const target = path.resolve(workspace, String(inputs.given.output ?? 'out'))
  const root = folderOf(target)
  const { failures, further } = await joinBooks(job, shards, root)
  // A downloaded baseline is verified with what the sweep was.
  const sweeps = inputs.baseline.kind === 'auto' ? await readSweeps(job) : null
  const corpora = await corporaIn(shards)
  const judged: Judged[] = []
  for (const corpus of corpora) {
    const sweep = corpus === '' ? sweeps?.[0] : sweeps?.find(({ name }) => name === corpus)
    const output = corpus === '' ? target : path.join(root, corpus)
    const folders = shards.map((each) => path.join(each, corpus))
    const scored = await mergeCorpus(corpus === '' ? null : corpus, output, folders)
    const baseline = () => openBaseline(job, reportEntryOf(root, output))
    judged.push(await judgeScored(job, scored, baseline, sweep ?? null))
  }
  const name = artifactName(names, { kind: 'whole' })
  return (await deliver(job, judged, { root, name, further, failures })).failures
}

/** Folders of corpora within those of shards; the shards' own where each has one corpus. */
async function corporaIn(shards: readonly string[]): Promise<string[]> {
  const names = new Set<string>()
  for (const shard of shards) {
    for (const folder of await foldersIn(shard)) {
      // What a run set aside when it began in a folder that had one.
      if (/^earlier-\d+$/.test(path.basename(folder))) continue
      if (existsSync(path.join(folder, 'attempts.jsonl'))) names.add(path.basename(folder))
    }
  }
  return names.size === 0 ? [''] : [...names].sort()
}

async function foldersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const isFolder = (each: string) => statSync(each, { throwIfNoEntry: false })?.isDirectory() ?? false
  return names
    .map((name) => path.join(folder, name))
    .filter(isFolder)
    .sort()
}
