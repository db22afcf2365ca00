import { expect, test } from 'vitest'
import { indexHeldOut } from '../../src/training/ngram-index.ts'
import { createOverlapSearch } from '../../src/training/overlap.ts'
import { createTokenizer } from '../../src/training/tokenizer.ts'
import { fixtureWith } from './sample-search.ts'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `w${from + at}`).join(' ')

function overlapsIn(fixtures: Parameters<typeof indexHeldOut>[0], text: string) {
  const index = indexHeldOut(fixtures)
  const search = createOverlapSearch(index)
  const tokenizer = createTokenizer(index.numberOf, search.openText('data'))
  tokenizer.feed(text)
  tokenizer.end()
  return search.overlaps()
}

const own = fixtureWith({ id: 'a', prompt: range(0, 20) })

test('a text of t tokens has t - 12 distinct n-grams, and repeating one adds none', () => {
  expect(indexHeldOut([own]).fixtures).toEqual([{ id: 'a', ngrams: 8 }])
  expect(indexHeldOut([{ ...own, reference: range(0, 20) }]).fixtures).toEqual([{ id: 'a', ngrams: 8 }])
})

test('prompt, reference and tests are texts of their own', () => {
  expect(indexHeldOut([{ ...own, prompt: range(0, 12), tests: range(12, 24) }]).fixtures[0]?.ngrams).toBe(0)
})

test('n-grams of two held-out fixtures count for neither', () => {
  const other = fixtureWith({ id: 'b', prompt: `${range(0, 15)} ${range(100, 110)}` })
  expect(indexHeldOut([own, other]).fixtures).toEqual([
    { id: 'a', ngrams: 5 },
    { id: 'b', ngrams: 10 },
  ])
  const [a, b] = overlapsIn([own, other], range(0, 15))
  expect([a?.found, b?.found, a?.longestRun]).toEqual([0, 0, 0])
})

test.each(['before', 'after'])('n-grams of a training-eligible fixture that stands %s do not count', (place) => {
  const eligible = fixtureWith({ id: 'b', prompt: range(0, 15), trainingEligible: true })
  const fixtures = place === 'before' ? [eligible, own] : [own, eligible]
  expect(indexHeldOut(fixtures).fixtures).toEqual([{ id: 'a', ngrams: 5 }])
  expect(overlapsIn(fixtures, range(0, 15))[0]).toMatchObject({ found: 0 })
})

test('share and longest run are of what stands in the data, and a token that is not known ends a run', () => {
  expect(overlapsIn([own], range(3, 18))[0]).toMatchObject({ found: 3, longestRun: 15 })
  expect(overlapsIn([own], `${range(0, 13)} other ${range(4, 20)}`)[0]).toMatchObject({ found: 5, longestRun: 16 })
  expect(overlapsIn([own], range(0, 12))[0]).toMatchObject({ found: 0, longestRun: 0, first: null, longestAt: null })
})

test('a known word in the wrong place ends a run too', () => {
  expect(overlapsIn([own], `${range(0, 14)} w3 ${range(5, 20)}`)[0]).toMatchObject({ found: 5, longestRun: 15 })
})

test('the first hit and the longest run are named by the line in which they begin', () => {
  const text = `x\n${range(0, 13)}\ny\n${range(2, 10)}\n${range(10, 20)}`
  expect(overlapsIn([own], text)[0]).toMatchObject({
    first: { file: 'data', line: 2 },
    longestAt: { file: 'data', line: 4 },
    longestRun: 18,
  })
})

test('a run far longer than the window is measured in full', () => {
  const long = fixtureWith({ id: 'a', prompt: range(0, 5000) })
  expect(overlapsIn([long], `${range(4000, 5000)} ${range(0, 5000)}`)[0]).toMatchObject({
    found: 4988,
    longestRun: 5000,
  })
})

test('no n-gram lies across two texts', () => {
  const index = indexHeldOut([own])
  const search = createOverlapSearch(index)
  for (const text of [range(0, 12), range(12, 20)]) {
    const tokenizer = createTokenizer(index.numberOf, search.openText('data'))
    tokenizer.feed(text)
    tokenizer.end()
  }
  expect(search.overlaps()[0]?.found).toBe(0)
})
