import { type FixtureOverlap, type Place, shareOf } from './data-check.ts'
import { NGRAM_TOKENS, type NgramIndex, roll } from './ngram-index.ts'

/** Collects what was found over all files. */
export interface OverlapSearch {
  /** Takes the tokens of a text in their order. A text is searched by itself: no n-gram lies across two of them. */
  openText(file: string): (token: number, line: number) => void
  /** Of every held-out fixture, in the order of the corpus. */
  overlaps(): FixtureOverlap[]
}

/** Tokens kept of a text; when they are full, the last n move to the front. */
const WINDOW = 1024

export function createOverlapSearch(index: NgramIndex): OverlapSearch {
  const isFound = new Uint8Array(index.size)
  const states = index.fixtures.map(() => ({
    found: 0,
    longestRun: 0,
    longestAt: null as Place | null,
    first: null as Place | null,
  }))

  function openText(file: string) {
    const tokens = new Int32Array(WINDOW)
    const lines = new Float64Array(WINDOW)
    let end = 0
    let known = 0
    let hash = 0
    let runOwner = -1
    let run = 0
    let runLine = 0

    return (token: number, line: number): void => {
      if (token === 0) {
        known = 0
        hash = 0
        runOwner = -1
        return
      }
      if (end === WINDOW) {
        tokens.copyWithin(0, WINDOW - NGRAM_TOKENS)
        lines.copyWithin(0, WINDOW - NGRAM_TOKENS)
        end = NGRAM_TOKENS
      }
      tokens[end] = token
      lines[end] = line
      hash = roll(hash, known >= NGRAM_TOKENS ? (tokens[end - NGRAM_TOKENS] as number) : 0, token)
      known++
      end++
      if (known < NGRAM_TOKENS) return
      const start = end - NGRAM_TOKENS
      const ngram = index.find(hash, tokens, start)
      if (ngram === 0) {
        runOwner = -1
        return
      }
      const owner = index.ownerOf(ngram)
      const state = states[owner]
      if (state === undefined) return
      if (owner === runOwner) run++
      else {
        runOwner = owner
        run = NGRAM_TOKENS
        runLine = lines[start] as number
      }
      if (isFound[ngram] === 0) {
        isFound[ngram] = 1
        state.found++
        state.first ??= { file, line: lines[start] as number }
      }
      if (run > state.longestRun) {
        state.longestRun = run
        state.longestAt = { file, line: runLine }
      }
    }
  }

  return {
    openText,
    overlaps: () =>
      index.fixtures.map(({ id, ngrams }, place) => {
        const state = states[place] as (typeof states)[0]
        return { id, share: shareOf(state.found, ngrams), ngrams, ...state }
      }),
  }
}
