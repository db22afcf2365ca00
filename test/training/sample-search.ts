import path from 'node:path'
import type { Fixture } from '../../src/corpus/fixture.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import type { FixtureOverlap, Place } from '../../src/training/data-check.ts'
import { createFileSearch } from '../../src/training/file-search.ts'
import { indexHeldOut } from '../../src/training/ngram-index.ts'
import { createOverlapSearch } from '../../src/training/overlap.ts'
import { createTokenizer } from '../../src/training/tokenizer.ts'
import { createVocabulary } from '../../src/training/vocabulary.ts'

export const corpusDir = path.resolve(import.meta.dirname, '../../corpus')
export const corpus = await loadCorpus(corpusDir)
export const CANARY = '5c1d2f0e-8c1b-4e0f-9a55-6d0b7f3a41ce'

/** A shipped fixture, with other texts. */
export function fixtureWith(changes: Partial<Fixture>): Fixture {
  return { ...(corpus.fixtures[0] as Fixture), prompt: '', reference: '', tests: '', ...changes }
}

export function fixtureOf(id: string): Fixture {
  const fixture = corpus.fixtures.find((each) => each.id === id)
  if (fixture === undefined) throw new Error(`the corpus has no ${id}`)
  return fixture
}

/** The tokens of a text that comes in these parts, as texts, each with its line. */
export function tokensOf(...parts: readonly string[]): string[] {
  const vocabulary = createVocabulary()
  const texts = ['']
  const found: string[] = []
  const tokenizer = createTokenizer(
    (units, length, hash) => {
      const id = vocabulary.intern(units, length, hash)
      texts[id] = String.fromCharCode(...units.subarray(0, length))
      return id
    },
    (token, line) => found.push(`${line} ${texts[token]}`),
  )
  for (const part of parts) tokenizer.feed(part)
  tokenizer.end()
  return found
}

export interface Found {
  readonly overlaps: readonly FixtureOverlap[]
  readonly canaries: readonly Place[]
  readonly tokens: number
  readonly unsearched: string | null
}

const wholeIndex = indexHeldOut(corpus.fixtures)

/** What the search of one file for the shipped corpus finds. */
export function searchParts(name: string, parts: readonly Uint8Array[], index = wholeIndex): Found {
  const overlap = createOverlapSearch(index)
  const canaries: Place[] = []
  const search = createFileSearch(name, {
    index,
    overlap,
    canaries: [CANARY],
    onCanary: (place) => canaries.push(place),
  })
  for (const part of parts) search.push(part)
  return { ...search.end(), overlaps: overlap.overlaps(), canaries }
}

export function searchText(name: string, text: string | Uint8Array): Found {
  return searchParts(name, [Buffer.from(text as string)])
}

export function overlapOf(found: Found, id: string): FixtureOverlap {
  const overlap = found.overlaps.find((each) => each.id === id)
  if (overlap === undefined) throw new Error(`no fixture ${id}`)
  return overlap
}

/** The ids of the fixtures of which anything was found. */
export function foundIds(found: Found): string[] {
  return found.overlaps.filter((each) => each.found > 0).map(({ id }) => id)
}

/** `bytes` in parts that end at these places, wherever they lie. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...sorted, bytes.length].map((end, index) => bytes.subarray(sorted[index - 1] ?? 0, end))
}
