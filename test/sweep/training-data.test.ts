import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sweepFileSchema } from '../../src/config/sweep-config.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { planSweep } from '../../src/sweep/plan-sweep.ts'
import type { DataCheck } from '../../src/training/data-check.ts'
import { sampleCheck, sampleOverlap } from '../training/sample-check.ts'
import { smallCorpus, temporaryFolder } from './small-corpus.ts'

const loadCatalogue = async () => ({ catalogue: null, warnings: [] })

/** The plan of a sweep over one scripted subject with that file on its training data. */
async function planWith(check: Partial<DataCheck> | string, corpus = smallCorpus(2)) {
  const folder = temporaryFolder()
  const script = path.join(folder, 'script.yml')
  writeFileSync(script, 'rules:\n  - answer: I cannot say.\n')
  const file = path.join(folder, 'training-data.json')
  if (typeof check === 'string') writeFileSync(file, check)
  else {
    const { hash, name } = await loadCorpus(corpus)
    writeFileSync(file, JSON.stringify(sampleCheck({ corpus: { name, hash }, ...check })))
  }
  const config = sweepFileSchema.parse({ subjects: [{ script, model: 'mens/demo', 'training-data': file }] })
  const { plan } = await planSweep(config, 'run', corpus, { loadCatalogue, env: {} })
  return plan.subjects[0]?.trainingData
}

test('the plan says what the search came to', async () => {
  const fixtures = [sampleOverlap('001', 40), sampleOverlap('002')]
  const canaries = { searched: 1, hits: { total: 2, first: [{ file: 'a', line: 1 }] } }
  const unsearched = { total: 7, first: [] }
  expect(await planWith({ fixtures, canaries, unsearched })).toMatchObject({
    kind: 'canary',
    at: '2026-11-30T12:00:00.000Z',
    dataHash: 'd'.repeat(64),
    files: 2,
    bytes: 1_234_567,
    n: 13,
    canaries: { searched: 1, hits: 2 },
    touched: [{ id: '001', share: 0.4, longestRun: 52 }],
    unsearched: { files: 7, fixtures: [] },
  })
})

test('a small overlap touches nothing', async () => {
  expect(await planWith({ fixtures: [sampleOverlap('001', 2), sampleOverlap('002')] })).toMatchObject({
    kind: 'clean',
    touched: [],
  })
})

test('a search for the problems of another corpus is refused, naming both', async () => {
  const corpus = smallCorpus(2)
  const { hash } = await loadCorpus(corpus)
  await expect(planWith({ corpus: { name: 'other', hash: 'e'.repeat(64) } }, corpus)).rejects.toMatchObject({
    code: 'training/other-corpus',
    message: expect.stringMatching(new RegExp(`${hash}[^]*mens/demo: .*${'e'.repeat(64)}`)),
  })
})

test.each([
  ['a problem of the corpus is missing', ['001'], /mens\/demo: 002 is missing/],
  ['a problem is none of the corpus', ['001', '002', '999'], /mens\/demo: 999 is none/],
])('a search for other problems than the held-out ones is refused: %s', async (_what, ids, reason) => {
  const fixtures = ids.map((id) => sampleOverlap(id))
  await expect(planWith({ fixtures })).rejects.toMatchObject({
    code: 'training/other-corpus',
    message: expect.stringMatching(reason),
  })
})

test('a file that is no outcome of a search is refused', async () => {
  await expect(planWith('{"kind": "clean"}')).rejects.toMatchObject({
    code: 'training/invalid',
    message: expect.stringMatching(/^Subject mens\/demo: /),
  })
})

test('a file that is not there is refused', async () => {
  const config = sweepFileSchema.parse({ subjects: [{ 'from-dir': temporaryFolder(), 'training-data': '/no/such' }] })
  await expect(planSweep(config, 'run', smallCorpus(1), { loadCatalogue, env: {} })).rejects.toMatchObject({
    code: 'training/unreadable',
    message: expect.stringMatching(/^Subject vox-sweep.*: .*\/no\/such/),
  })
})
