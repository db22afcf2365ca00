import { expect, test } from 'vitest'
import type { Subject } from '../../src/generate/plan.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { scoreCell } from '../../src/score/score-cell.ts'
import { judged, sampleLines, sampleSubject } from './sample-run.ts'
import { sampleTrainingData } from './sample-training-data.ts'

/** Of a row over four fixtures, all after the cutoff, all passed. */
async function uncontaminatedOf(trainingData: Subject['trainingData'], cutoff: string | null = '2026-06-30') {
  const subjects = [sampleSubject('model', { trainingData, cutoff: { date: cutoff, source: 'declared' } })]
  const options = { fixtures: 4, conditions: ['C0'], subjects, outcome: () => judged({ kind: 'passed' }) }
  const { planned, records } = await joinRecords(sampleLines(options))
  return scoreCell(planned.plan, planned.plan.cells[0]!, records).uncontaminated
}

const touched = [
  { id: '002', share: 0.4, longestRun: 60 },
  { id: '999', share: 1, longestRun: 60 },
]

test('a fixture that training data touched is contaminated, though the cutoff says otherwise', async () => {
  expect(await uncontaminatedOf(sampleTrainingData({ kind: 'overlap', touched }))).toMatchObject({
    kind: 'known',
    fixtures: 3,
    firstSample: { passed: 3, of: 3 },
  })
})

test('clean and unchecked training data change nothing', async () => {
  expect(await uncontaminatedOf(sampleTrainingData())).toMatchObject({ kind: 'known', fixtures: 4 })
  expect(await uncontaminatedOf(null)).toMatchObject({ kind: 'known', fixtures: 4 })
})

test('after a canary no fixture is known to be uncontaminated', async () => {
  const trainingData = sampleTrainingData({ kind: 'canary', canaries: { searched: 1, hits: 1 } })
  expect(await uncontaminatedOf(trainingData)).toEqual({
    kind: 'unknown',
    reason: 'a canary of the corpus stands in the training data of model, so any of its problems may',
  })
})

test('clean training data does not make up for an unknown cutoff', async () => {
  expect(await uncontaminatedOf(sampleTrainingData(), null)).toMatchObject({ kind: 'unknown' })
})

test('a plan from before there was such a search reads as without one', async () => {
  const lines = sampleLines({ fixtures: 1 })
  const old = JSON.parse(JSON.stringify(lines), (key, value) => (key === 'trainingData' ? undefined : value))
  const { planned } = await joinRecords(old)
  expect(planned.plan.subjects.map(({ trainingData }) => trainingData)).toEqual([null, null])
})
