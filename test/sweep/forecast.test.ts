import { expect, test } from 'vitest'
import { worstCaseUsd } from '../../src/generate/cost.ts'
import { messagesOf } from '../../src/generate/prompt.ts'
import { listComparisons, statePowers } from '../../src/report/planned-comparisons.ts'
import { estimateTokens } from '../../src/sweep/context-fit.ts'
import { forecast } from '../../src/sweep/forecast.ts'
import { FOLDER_SUBJECT, samplePlan, samplePrice, sampleSubject } from '../score/sample-run.ts'
import { sampleTrainingData } from '../score/sample-training-data.ts'

const options = { expectedTokens: 600, requestsPerSample: 4 }

test('the worst case is what the ledger would reserve for every attempt', async () => {
  const plan = samplePlan({ fixtures: 3, samples: 2, conditions: ['C0', 'C1'], subjects: [sampleSubject('m')] })
  const [subject] = plan.subjects
  if (subject === undefined) throw new Error('no subject')
  const reserved = plan.prompts.map((prompt) => 2 * (worstCaseUsd(subject, messagesOf(prompt), 4) ?? Number.NaN))
  const { worstUsd, attempts } = await forecast(plan, options)
  expect(attempts).toBe(12)
  expect(worstUsd).toBeCloseTo(
    reserved.reduce((sum, usd) => sum + usd),
    10,
  )
})

test('the expected cost counts prompt tokens, the expected answer and the request', async () => {
  const price = samplePrice({ promptUsdPerM: 2, completionUsdPerM: 10, requestUsd: 0.01 })
  const plan = samplePlan({ fixtures: 1, conditions: ['C0'], subjects: [sampleSubject('m', { price })] })
  const [prompt] = plan.prompts
  if (prompt === undefined) throw new Error('no prompt')
  const tokens = await estimateTokens(prompt)
  const { subjects, expectedUsd } = await forecast(plan, options)
  expect(expectedUsd).toBeCloseTo((tokens * 2 + 600 * 10) / 1e6 + 0.01, 10)
  expect(subjects[0]?.promptTokens).toBe(tokens)
})

test('an answer is not expected to be longer than it may be', async () => {
  const sampling = { temperature: 0, topP: null, maxTokens: 100, reasoningEffort: null }
  const price = samplePrice({ promptUsdPerM: 0, completionUsdPerM: 1e6 })
  const plan = samplePlan({ fixtures: 1, conditions: ['C0'], subjects: [sampleSubject('m', { price, sampling })] })
  expect((await forecast(plan, options)).expectedUsd).toBe(100)
})

test('without a price costs are unknown, and answers from files cost nothing', async () => {
  const plan = samplePlan({
    fixtures: 1,
    conditions: ['C0'],
    subjects: [sampleSubject('m', { price: null }), FOLDER_SUBJECT],
  })
  const { subjects, expectedUsd, worstUsd } = await forecast(plan, options)
  expect([expectedUsd, worstUsd]).toEqual([null, null])
  expect(subjects[1]).toMatchObject({ isAsked: false, expectedUsd: 0, worstUsd: 0 })
})

test('problems after the cutoff are counted, and unknown where it is', async () => {
  const cutoff = (date: string | null) => ({ cutoff: { date, source: 'declared by the user' } })
  const plan = samplePlan({
    fixtures: 3,
    subjects: [
      sampleSubject('early', cutoff('2026-01-01')),
      sampleSubject('late', cutoff('2026-11-29')),
      sampleSubject('unknown', cutoff(null)),
    ],
  })
  const { subjects } = await forecast(plan, options)
  expect(subjects.map(({ uncontaminated }) => uncontaminated)).toEqual([3, 0, null])
})

test('problems that training data touches are not uncontaminated, and none is known to be after a canary', async () => {
  const touched = [{ id: '002', share: 1, longestRun: 50 }]
  const canaries = { searched: 1, hits: 1 }
  const plan = samplePlan({
    fixtures: 3,
    subjects: [
      sampleSubject('touched', { trainingData: sampleTrainingData({ kind: 'overlap', touched }) }),
      sampleSubject('canary', { trainingData: sampleTrainingData({ kind: 'canary', canaries }) }),
    ],
  })
  const { subjects } = await forecast(plan, options)
  expect(subjects.map(({ uncontaminated }) => uncontaminated)).toEqual([2, null])
})

test('subjects are compared under one condition, and conditions of a subject with its least help', () => {
  const plan = samplePlan({ conditions: ['C1', 'C0'], subjects: [sampleSubject('a'), sampleSubject('b')] })
  expect(listComparisons(plan)).toEqual([
    { kind: 'subjects', cells: ['a C1', 'b C1'] },
    { kind: 'subjects', cells: ['a C0', 'b C0'] },
    { kind: 'help', cells: ['a C1', 'a C0'] },
    { kind: 'help', cells: ['b C1', 'b C0'] },
  ])
})

test('two checkpoints of a model are compared as such', () => {
  const checkpoints = ['1', '2'].map((checkpoint) => sampleSubject(`m@${checkpoint}`, { model: 'm', checkpoint }))
  expect(listComparisons(samplePlan({ conditions: ['C0'], subjects: checkpoints }))).toEqual([
    { kind: 'checkpoints', cells: ['m@1 C0', 'm@2 C0'] },
  ])
})

test('power is stated for each kind at alpha by the number of all comparisons', () => {
  const plan = samplePlan({
    fixtures: 40,
    conditions: ['C0', 'C1'],
    subjects: [sampleSubject('a'), sampleSubject('b')],
  })
  const powers = statePowers(plan, listComparisons(plan))
  expect(powers.map(({ kind, comparisons }) => [kind, comparisons])).toEqual([
    ['subjects', 2],
    ['help', 2],
  ])
  for (const { alpha, n } of powers.flatMap(({ statements }) => statements)) expect([alpha, n]).toEqual([0.0125, 40])
})

test('a ranking of six models at 10 points takes the published number of problems', () => {
  const subjects = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => sampleSubject(id))
  const plan = samplePlan({ fixtures: 31, conditions: ['C0'], subjects })
  const [power] = statePowers(plan, listComparisons(plan))
  expect(power?.statements[0]).toMatchObject({ n: 31, gap: 0.1, neededN: { min: 209 } })
})

test('a family of problems counts once', () => {
  const plan = samplePlan({ fixtures: 10, conditions: ['C0'], subjects: [sampleSubject('a'), sampleSubject('b')] })
  const related = { ...plan, fixtures: plan.fixtures.map((fixture) => ({ ...fixture, family: 'one' })) }
  expect(statePowers(related, listComparisons(related))[0]?.statements[0]?.n).toBe(1)
})
