import type { Fixture } from '../corpus/fixture.ts'
import { createPlaces } from './hash-places.ts'
import { createTokenizer, type NumberToken } from './tokenizer.ts'
import { createVocabulary } from './vocabulary.ts'

/**
 * Tokens of an n-gram. 13 is the largest that GPT-3's search for test data in training data used: Brown et al. 2020,
 * "Language Models are Few-Shot Learners", appendix C, where N lies between 8 and 13. Their tokens are words without
 * punctuation; here punctuation counts, since most of a program is just that.
 */
export const NGRAM_TOKENS = 13

/** The n-grams by which held-out problems are known. */
export interface NgramIndex {
  readonly numberOf: NumberToken
  /** For each held-out fixture, by its place in the corpus's order. */
  readonly fixtures: readonly { readonly id: string; readonly ngrams: number }[]
  /** More than the number of any n-gram. */
  readonly size: number
  /** The number of an n-gram; 0 when it is none of a fixture alone. */
  find(hash: number, tokens: Int32Array, at: number): number
  /** The place in `fixtures` of the fixture an n-gram is of. */
  ownerOf(ngram: number): number
}

const BOILERPLATE = -1
const BASE = 0x9e3779b1 | 0
const TOP_POWER = power(NGRAM_TOKENS - 1)

/**
 * The n-grams of prompt, reference and tests of each held-out fixture. Those that stand in two or more of them, or in a
 * training-eligible one, say nothing of a problem and count for none.
 */
export function indexHeldOut(fixtures: readonly Fixture[]): NgramIndex {
  const vocabulary = createVocabulary()
  const heldOut = fixtures.filter(({ trainingEligible }) => !trainingEligible)
  /** All texts, a 0 between them. */
  const text: number[] = []
  // By the number of the n-gram, which begins at 1.
  const starts: number[] = [0]
  const owners: number[] = [BOILERPLATE]
  const hashes: number[] = [0]
  const places = createPlaces()

  function findAny(hash: number, tokens: ArrayLike<number>, at: number): number {
    let place = places.start(hash)
    for (let ngram = places.at(place); ngram !== 0; ngram = places.at(place)) {
      if (hashes[ngram] === hash && isSame(text, starts[ngram] as number, tokens, at)) return ngram
      place = places.next(place)
    }
    return 0
  }

  function add(owner: number, source: string): void {
    const start = text.length
    const tokenizer = createTokenizer(vocabulary.intern, (token) => text.push(token))
    tokenizer.feed(source)
    tokenizer.end()
    let [hash, known] = [0, 0]
    for (let end = start; end < text.length; end++) {
      const token = text[end] as number
      hash = roll(hash, known >= NGRAM_TOKENS ? (text[end - NGRAM_TOKENS] as number) : 0, token)
      known = token === 0 ? 0 : known + 1
      if (token === 0) hash = 0
      if (known < NGRAM_TOKENS) continue
      const at = end - NGRAM_TOKENS + 1
      const ngram = findAny(hash, text, at)
      if (ngram !== 0) {
        if (owners[ngram] !== owner) owners[ngram] = BOILERPLATE
        continue
      }
      starts.push(at)
      owners.push(owner)
      places.add(hashes.push(hash) - 1, hashes)
    }
    text.push(0)
  }

  for (const fixture of fixtures) {
    const owner = fixture.trainingEligible ? BOILERPLATE : heldOut.indexOf(fixture)
    for (const source of [fixture.prompt, fixture.reference, fixture.tests]) add(owner, source)
  }
  const counts = heldOut.map(() => 0)
  for (const owner of owners) if (owner >= 0) counts[owner] = (counts[owner] as number) + 1
  return {
    numberOf: vocabulary.find,
    fixtures: heldOut.map(({ id }, place) => ({ id, ngrams: counts[place] as number })),
    size: starts.length,
    find(hash, tokens, at) {
      const ngram = findAny(hash, tokens, at)
      return owners[ngram] === BOILERPLATE ? 0 : ngram
    },
    ownerOf: (ngram) => owners[ngram] as number,
  }
}

/**
 * The hash of a window of n tokens that moves by one: a polynomial modulo 2^32. It only finds candidates; their tokens
 * are compared.
 * @param leaving the token that leaves the window; 0 when it was not full
 */
export function roll(hash: number, leaving: number, entering: number): number {
  return (Math.imul(hash - Math.imul(scatter(leaving), TOP_POWER), BASE) + scatter(entering)) | 0
}

function scatter(token: number): number {
  const mixed = Math.imul(token ^ (token >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 12)
}

function power(exponent: number): number {
  let result = 1
  for (let step = 0; step < exponent; step++) result = Math.imul(result, BASE)
  return result
}

function isSame(text: readonly number[], start: number, tokens: ArrayLike<number>, at: number): boolean {
  for (let step = 0; step < NGRAM_TOKENS; step++) if (text[start + step] !== tokens[at + step]) return false
  return true
}
