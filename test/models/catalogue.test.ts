import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type CatalogueModel, nameCatalogue, readCatalogue } from '../../src/models/catalogue.ts'

const text = readFileSync(path.join(import.meta.dirname, 'small-catalogue.json'), 'utf8')
const catalogue = readCatalogue(text, 'small-catalogue.json')

function listOf(...data: readonly object[]): string {
  return JSON.stringify({ data })
}

function readOne(entry: object): CatalogueModel | undefined {
  return readCatalogue(listOf({ id: 'a/b', ...entry }), 'x').models.get('a/b')
}

test('a model is read with all parts of its price, for a million tokens', () => {
  expect(catalogue.models.get('orchard/quince-2')).toEqual({
    id: 'orchard/quince-2',
    name: 'Orchard: Quince 2',
    contextTokens: 131_072,
    maxCompletionTokens: 32_768,
    price: {
      promptUsdPerM: 0.15,
      completionUsdPerM: 0.6,
      reasoningUsdPerM: null,
      cachedPromptUsdPerM: 0.075,
      cacheWriteUsdPerM: 0.1875,
      requestUsd: null,
    },
    knowledgeCutoff: '2026-02-28',
    supportedParameters: ['max_tokens', 'temperature', 'top_p', 'seed'],
  })
})

test('prices of thinking and of a request are read where there are any', () => {
  expect(catalogue.models.get('orchard/medlar-think')?.price).toMatchObject({ reasoningUsdPerM: 6, requestUsd: 0.002 })
})

test('a snapshot says where and when it was taken, and its hash is that of its bytes', () => {
  expect(catalogue).toMatchObject({
    source: 'https://models.example/api/v1/models',
    fetchedAt: '2026-11-28T09:30:00.000Z',
    sha256: createHash('sha256').update(text).digest('hex'),
  })
  expect(nameCatalogue(catalogue)).toBe('catalogue of 2026-11-28')
})

test('a plain answer of the endpoint is a snapshot of an unknown date', () => {
  const plain = readCatalogue(listOf({ id: 'a/b' }), 'models.json')
  expect(plain).toMatchObject({ source: 'models.json', fetchedAt: null })
  expect(nameCatalogue(plain)).toBe('catalogue of an unknown date')
})

test('entries that are odd, and second ones with an id, are skipped and counted', () => {
  expect([...catalogue.models.keys()]).toEqual([
    'orchard/quince-2',
    'orchard/medlar-think',
    'orchard/sloe-mini',
    'orchard/crab-nano',
    'orchard/any',
  ])
  expect(catalogue.skipped).toBe(4)
  expect(catalogue.models.get('orchard/quince-2')?.contextTokens).toBe(131_072)
})

test('a price that varies is unknown, a price of 0 is 0', () => {
  expect(catalogue.models.get('orchard/any')?.price).toBeNull()
  expect(catalogue.models.get('orchard/sloe-mini')?.price).toMatchObject({ promptUsdPerM: 0, completionUsdPerM: 0 })
})

test('the context is that of the provider where the model tells none', () => {
  expect(readOne({ top_provider: { context_length: 4096 } })?.contextTokens).toBe(4096)
  expect(readOne({})?.contextTokens).toBeNull()
})

test.each([
  ['2026-02', '2026-02-28'],
  ['2024-02', '2024-02-29'],
  ['2025-12', '2025-12-31'],
  ['2026-01-15', '2026-01-15'],
  ['2026-01-15T00:00:00Z', '2026-01-15'],
  ['2026-02-30', null],
  ['2026-13', null],
  ['last summer', null],
  ['2025', null],
  [null, null],
])('the cutoff %s is the day %s', (told, date) => {
  expect(readOne({ knowledge_cutoff: told })?.knowledgeCutoff).toBe(date)
})

test.each([
  ['no JSON', '<html>'],
  ['no list', '{"models": []}'],
  ['an empty list', '{"data": []}'],
  ['a list without a readable entry', '{"data": [1, {"id": 5}]}'],
  ['nothing', 'null'],
])('%s is refused by name', (_what, wrong) => {
  expect(() => readCatalogue(wrong, 'models.json')).toThrow(/^models.json is no list of models/)
})
