import type { Subject } from '../../src/generate/plan.ts'

type TrainingData = NonNullable<Subject['trainingData']>

/** A search that found nothing, but for `changes`. */
export function sampleTrainingData(changes: Partial<TrainingData> = {}): TrainingData {
  return {
    kind: 'clean',
    at: '2026-11-30T12:00:00.000Z',
    corpusHash: 'c'.repeat(64),
    dataHash: 'd'.repeat(64),
    files: 12,
    bytes: 1_234_567,
    n: 13,
    canaries: { searched: 1, hits: 0 },
    touched: [],
    unsearched: { files: 0, fixtures: [] },
    ...changes,
  }
}
