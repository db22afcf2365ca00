import { createPlaces } from './hash-places.ts'

/** The distinct tokens of some texts, numbered from 1. */
export interface Vocabulary {
  /** The number of the token that is the first `length` code units of `units`; 0 for one it does not have. */
  find(units: Uint16Array, length: number, hash: number): number
  /** As `find`, taking in a token that it does not have yet. */
  intern(units: Uint16Array, length: number, hash: number): number
}

/** Hash of no code units; see `hashUnit`. */
export const EMPTY_HASH = 0x811c9dc5 | 0

/** The hash of some code units and one more: 32-bit FNV-1a over code units. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

/** An empty vocabulary. Tokens of one hash are told apart by their code units. */
export function createVocabulary(): Vocabulary {
  const tokens: Uint16Array[] = [new Uint16Array(0)]
  const hashes: number[] = [0]
  const places = createPlaces()

  function find(units: Uint16Array, length: number, hash: number): number {
    let place = places.start(hash)
    for (let id = places.at(place); id !== 0; id = places.at(place)) {
      if (hashes[id] === hash && isSame(tokens[id] as Uint16Array, units, length)) return id
      place = places.next(place)
    }
    return 0
  }

  return {
    find,
    intern(units, length, hash) {
      const known = find(units, length, hash)
      if (known !== 0) return known
      const id = tokens.push(units.slice(0, length)) - 1
      hashes.push(hash)
      places.add(id, hashes)
      return id
    },
  }
}

function isSame(token: Uint16Array, units: Uint16Array, length: number): boolean {
  if (token.length !== length) return false
  for (let at = 0; at < length; at++) if (token[at] !== units[at]) return false
  return true
}
