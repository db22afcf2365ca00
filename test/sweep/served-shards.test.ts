import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SubjectOptions, sweepFileSchema } from '../../src/config/sweep-config.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openJournal } from '../../src/generate/journal.ts'
import { shardOf } from '../../src/generate/shard.ts'
import { mergeRuns } from '../../src/sweep/merge-runs.ts'
import { reportOf } from '../../src/sweep/report-files.ts'
import { runSweep } from '../../src/sweep/run-sweep.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { folderWith } from '../models/temp-folder.ts'
import { smallCorpus, temporaryFolder } from './small-corpus.ts'

const script = path.join(import.meta.dirname, '../models/model-server-script.mjs')
const SHARDS = 4

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

test('each shard serves a checkpoint itself, and one with nothing to ask starts no server', async () => {
  const runs = folderWith({ 'nova/checkpoint-900/model.safetensors': 'weights' })
  const corpus = smallCorpus(2)
  const cell = 'mens/nova@checkpoint-900 C1'
  const busy = new Set(['001', '002'].map((fixture) => shardOf(cell, fixture, SHARDS)))
  expect(busy.size).toBeLessThan(SHARDS)
  const log = path.join(temporaryFolder(), 'log')
  // The command is part of the plan, and so is the same for all shards.
  const subject: SubjectOptions = {
    model: 'mens/nova',
    checkpoint: '900',
    'mens-serve': `'${process.execPath}' '${script}' --port {port} --name {checkpoint} --log '${log}'`,
  }
  const started = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((note) => note.startsWith('start')).length
      : 0
  const folders: string[] = []
  for (let index = 1; index <= SHARDS; index++) {
    const folder = temporaryFolder()
    const before = started()
    const config = { subjects: [subject], 'mens-runs': runs, 'mens-ready-s': 20, shard: `${index}/${SHARDS}` }
    await runSweep(sweepFileSchema.parse(config), 'run', corpus, {
      loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
      openEngine: async () => ({ ...engine, close: async () => {} }),
      openJournal: () => openJournal(path.join(folder, 'attempts.jsonl')),
      env: { PATH: process.env.PATH },
      signal: new AbortController().signal,
      onEvent() {},
    })
    expect(started() - before).toBe(busy.has(index) ? 1 : 0)
    folders.push(folder)
  }
  const merged = temporaryFolder()
  const journal = path.join(merged, 'attempts.jsonl')
  await mergeRuns(folders, { folder: merged, startJournal: () => journal })
  const report = await reportOf(journal)
  expect(report.run).toMatchObject({ complete: true, endedBecause: null })
  expect(report.attempts.map(({ completion }) => completion.kind)).toEqual(['answered', 'answered'])
})
