import { createHash } from 'node:crypto'
import { BenchError } from '../bench-error.ts'
import { loadCorpus } from '../corpus/load-corpus.ts'
import { VERSION } from '../version.ts'
import { listCanaries } from './canaries.ts'
import { DATA_CHECK_VERSION, type DataCheck, kindOf, type Place, THRESHOLDS } from './data-check.ts'
import type { DataFiles, Unsearched } from './data-files.ts'
import { createFileSearch, type SearchedFor } from './file-search.ts'
import { indexHeldOut, NGRAM_TOKENS } from './ngram-index.ts'
import { createOverlapSearch } from './overlap.ts'
import { readDataFile } from './read-data-file.ts'

/** Of longer lists the first are told, so that the outcome stays a file to read. */
const SHOWN = 100

export interface SearchProgress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
}

export interface CheckDataOptions {
  readonly corpusDir: string
  readonly now: () => Date
  onProgress(progress: SearchProgress): void
}

/**
 * Searches training data for the canaries and the held-out problems of a corpus.
 * @throws BenchError for data that is not there or has no files, and for a corpus that is unsound or holds nothing out.
 */
export async function checkData(data: DataFiles, options: CheckDataOptions): Promise<DataCheck> {
  const at = options.now().toISOString()
  const corpus = await loadCorpus(options.corpusDir)
  const index = indexHeldOut(corpus.fixtures)
  if (index.fixtures.length === 0) {
    throw new BenchError({
      code: 'training/nothing-held-out',
      message: `The corpus ${corpus.name} has no held-out fixture, so training data cannot touch any.`,
      hint: 'Give the corpus that the model will be measured on with --corpus DIR.',
    })
  }
  const overlap = createOverlapSearch(index)
  const canaries = await listCanaries(options.corpusDir)
  const hits = createFirst<Place>()
  const found = await searchFiles(data, { index, overlap, canaries, onCanary: hits.add }, options)
  const details: Omit<DataCheck, 'kind'> = {
    schemaVersion: DATA_CHECK_VERSION,
    tool: { name: 'vox-efficacy', version: VERSION },
    at,
    corpus: { name: corpus.name, hash: corpus.hash },
    n: NGRAM_TOKENS,
    thresholds: THRESHOLDS,
    dataHash: found.dataHash,
    files: data.files.length,
    bytes: found.bytes,
    tokens: found.tokens,
    canaries: { searched: canaries.length, hits: hits.told() },
    fixtures: overlap.overlaps(),
    unsearched: found.unsearched,
  }
  return { kind: kindOf(details), ...details }
}

async function searchFiles(data: DataFiles, searched: SearchedFor, { onProgress }: CheckDataOptions) {
  const hash = createHash('sha256')
  const unsearched = createFirst<Unsearched>()
  for (const item of data.unsearched) unsearched.add(item)
  const totals = { totalFiles: data.files.length, totalBytes: data.files.reduce((sum, { bytes }) => sum + bytes, 0) }
  let [bytes, tokens, files] = [0, 0, 0]
  for (const { name, path } of data.files) {
    const search = createFileSearch(name, searched)
    const read = await readDataFile(path, search.push, (more) => {
      bytes += more
      onProgress({ files, bytes, ...totals })
    })
    const result = search.end()
    files++
    tokens += result.tokens
    // As JSON, so that no name can look like two.
    hash.update(`${JSON.stringify([name, read.sha256])}\n`)
    for (const reason of [read.problem, result.unsearched]) if (reason !== null) unsearched.add({ file: name, reason })
  }
  return { dataHash: hash.digest('hex'), bytes, tokens, unsearched: unsearched.told() }
}

function createFirst<Item>() {
  const first: Item[] = []
  let total = 0
  return {
    add(item: Item): void {
      total++
      if (first.length < SHOWN) first.push(item)
    },
    told: () => ({ total, first }),
  }
}
