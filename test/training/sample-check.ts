import { type DataCheck, kindOf, THRESHOLDS } from '../../src/training/data-check.ts'
import { NGRAM_TOKENS } from '../../src/training/ngram-index.ts'

/** The outcome of a search that found nothing, but for `changes`; its kind follows from them. */
export function sampleCheck(changes: Partial<DataCheck> = {}): DataCheck {
  const check: Omit<DataCheck, 'kind'> = {
    schemaVersion: 1,
    tool: { name: 'vox-efficacy', version: '0.1.0' },
    at: '2026-11-30T12:00:00.000Z',
    corpus: { name: 'corpus', hash: 'c'.repeat(64) },
    n: NGRAM_TOKENS,
    thresholds: THRESHOLDS,
    dataHash: 'd'.repeat(64),
    files: 2,
    bytes: 1_234_567,
    tokens: 300_000,
    canaries: { searched: 1, hits: { total: 0, first: [] } },
    fixtures: [sampleOverlap('001'), sampleOverlap('002')],
    unsearched: { total: 0, first: [] },
    ...changes,
  }
  return { ...check, kind: kindOf(check) }
}

/** A fixture of which `found` of 100 n-grams were found. */
export function sampleOverlap(id: string, found = 0): DataCheck['fixtures'][number] {
  const first = found === 0 ? null : { file: 'train.jsonl', line: 7 }
  return {
    id,
    share: found / 100,
    ngrams: 100,
    found,
    longestRun: found === 0 ? 0 : 12 + found,
    longestAt: first,
    first,
  }
}
