import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/parse-config.ts'
import type { SweepConfig } from '../../src/config/sweep-config.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { conditionProblem } from '../../src/generate/condition.ts'
import { buildPlan, chooseFixtures } from '../../src/sweep/build-plan.ts'
import { sampleSubject } from '../score/sample-run.ts'

const corpus = await loadCorpus(path.resolve(import.meta.dirname, '../../corpus'))

function configOf(given: Record<string, string | true> = {}): SweepConfig {
  return parseConfig({
    given: { 'from-dir': 'answers', ...given },
    file: null,
    nameOption: (name) => name,
    conditionProblem,
  }).config
}

function planOf(contestants: readonly (readonly [id: string, conditions: readonly string[]])[], config = configOf()) {
  const fixtures = chooseFixtures(corpus, config)
  const subjects = contestants.map(([id, conditions]) => ({ subject: sampleSubject(id), conditions }))
  return buildPlan(config, corpus, fixtures, subjects, 'run')
}

test('two subjects with one id are refused', async () => {
  const contestants = [['a', ['C1']] as const, ['b', ['C1']] as const, ['a', ['C0']] as const]
  await expect(planOf(contestants)).rejects.toMatchObject({
    code: 'config/shared-subject',
    message: expect.stringContaining('the id a,'),
  })
})

test.each([
  ['asked at an endpoint', {}, /^Give each a "checkpoint" of its own: a label .* would ask another model\.$/],
  ['read from files', { endpoint: null }, /^Give each a "model" \(the name of the row\) or a "checkpoint"/],
  [
    'served by the run',
    { served: { command: 's {port}', weights: 'a' } },
    /^A served checkpoint is named by its folder/,
  ],
])('two settings of one model that is %s are told how to be told apart', async (_how, changes, hint) => {
  const subject = { subject: sampleSubject('m', changes), conditions: ['C1'] }
  const plan = buildPlan(configOf(), corpus, corpus.fixtures.slice(0, 1), [subject, subject], 'run')
  await expect(plan).rejects.toMatchObject({ hint: expect.stringMatching(hint) })
})

test('two cells with one id are refused, before any help is read', async () => {
  const contestants = [['m file:p', ['C0']] as const, ['m', ['file:p C0']] as const]
  await expect(planOf(contestants)).rejects.toMatchObject({
    code: 'config/shared-cell',
    message: expect.stringContaining('"m file:p C0"'),
  })
})

test('each subject has a cell for each of its own conditions', async () => {
  const plan = await planOf([
    ['a', ['C0', 'C1']],
    ['b', ['C1@50']],
  ])
  expect(plan.cells.map(({ id }) => id)).toEqual(['a C0', 'a C1', 'b C1@50'])
  expect(plan.conditions.map(({ name }) => name)).toEqual(['C0', 'C1', 'C1@50'])
  expect(plan.prompts.length).toBe(3 * 40)
})

test('a condition named twice is one cell', async () => {
  const plan = await planOf([['a', ['C1', 'C1']]])
  expect(plan.cells.map(({ id }) => id)).toEqual(['a C1'])
})

test('a smoke run is over three fixtures', () => {
  expect(chooseFixtures(corpus, configOf({ smoke: true })).map(({ id }) => id)).toEqual(['001', '002', '003'])
  expect(chooseFixtures(corpus, configOf({ smoke: true, fixtures: '007,009' })).map(({ id }) => id)).toEqual([
    '007',
    '009',
  ])
})

test('every fixture that the split lacks is named', () => {
  expect(() => chooseFixtures(corpus, configOf({ fixtures: '001,999,042' }))).toThrow(/999, 042/)
})

test('the plan holds what decides whether two rows compare', async () => {
  const plan = await planOf([['a', ['C1']]], configOf({ n: '5', k: '1,5', seed: '9' }))
  expect(plan).toMatchObject({
    corpus: { hash: corpus.hash, split: 'held-out', total: 40, heldOut: 40 },
    samples: 5,
    k: [1, 5],
    seed: 9,
    versions: { template: 1, extraction: 1, policy: 2, composition: 2 },
  })
  expect(plan.fixtures[0]).toMatchObject({ id: '001', hash: corpus.fixtures[0]?.hash, trainingEligible: false })
})

test('the plan holds the caps, so that a killed run can tell them', async () => {
  const capped = configOf({ 'from-dir': 'answers', 'max-spend-usd': '2', 'max-spend-usd-per-month': '30' })
  expect((await planOf([['a', ['C1']]], capped)).caps).toEqual({ runUsd: 2, monthUsd: 30 })
  expect((await planOf([['a', ['C1']]])).caps).toEqual({ runUsd: null, monthUsd: null })
})

test('nothing of references or assertions is in the plan', async () => {
  const plan = JSON.stringify(await planOf([['a', ['C0', 'C3']]]))
  for (const { reference, assertions } of [corpus.fixtures[0], corpus.fixtures[39]].filter((x) => x !== undefined)) {
    expect(assertions).toBeGreaterThan(0)
    const lines = reference.split('\n').filter((line) => line.trim().length > 24 && !/^(\/\/|fn )/.test(line.trim()))
    for (const line of lines) expect(plan).not.toContain(JSON.stringify(line.trim()).slice(1, -1))
  }
})
