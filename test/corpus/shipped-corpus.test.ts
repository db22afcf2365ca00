import { expect, test } from 'vitest'
import { drawInputs } from '../../src/corpus/draw.ts'
import { toLiteral } from '../../src/corpus/literal.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { isWithin } from './shape-check.ts'

const corpus = await loadCorpus('corpus')

test('the shipped corpus is sound and has no findings', () => {
  expect(corpus.name).toBe('vox-efficacy-original')
  expect(corpus.warnings).toEqual([])
  expect(corpus.fixtures).toHaveLength(40)
  expect(corpus.fixtures.filter(({ trainingEligible }) => trainingEligible)).toEqual([])
})

test('it is decisive: eight assertions or more each, and some problems are long', () => {
  expect(corpus.fixtures.filter(({ assertions }) => assertions < 8)).toEqual([])
  const isLong = (source: string) => source.split('\n').filter((line) => line.trim() !== '').length >= 80
  expect(corpus.fixtures.filter(({ reference }) => isLong(reference)).length).toBeGreaterThanOrEqual(6)
})

test.for(corpus.fixtures.map((fixture) => [fixture.id, fixture] as const))(
  '%s gives fresh inputs that its parameters can take',
  ([, { domain, entry }]) => {
    const tuples = drawInputs(domain ?? [], 'fresh', 30)

    expect(tuples).toHaveLength(30)
    for (const tuple of tuples) {
      for (const [at, value] of tuple.entries()) {
        expect(isWithin(domain![at]!.shape, value)).toBe(true)
        expect(toLiteral(value, entry.params[at]!.type)).not.toBe('')
      }
    }
  },
)

test.for(corpus.fixtures.map((fixture) => [fixture.id, fixture] as const))(
  '%s carries the canary in its programs',
  ([, { reference, tests }]) => {
    for (const text of [reference, tests]) expect(text.split('\n')[1]).toMatch(/^\/\/ canary: 5c1d2f0e-/)
  },
)
