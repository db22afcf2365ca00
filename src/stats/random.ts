/** A seeded source of random numbers. The same seed gives the same numbers on every platform. */
export type Random = {
  /** A whole number from 0 to 2^32 - 1, each equally likely. */
  readonly drawUint32: () => number
  /** A whole number from 0 to bound - 1, each equally likely; bound from 1 to 2^21. */
  readonly drawBelow: (bound: number) => number
  /** A number in [0, 1) in steps of 2^-53. */
  readonly drawUnit: () => number
  /** Draws as many places of `counts` as it has, with replacement, and overwrites it with how often each was drawn. */
  readonly drawCounts: (counts: Float64Array) => void
}

/** Products of a 32-bit number with a bound up to here are exact in doubles. */
const MAX_BOUND = 2 ** 21
const TWO_32 = 2 ** 32
/** Up to here half a word makes a draw, and fewer than one in 16 are refused. */
const MAX_HALF_WORD_BOUND = 2 ** 12

/**
 * The generator xoshiro128** 1.1 (Blackman and Vigna 2021, "Scrambled linear pseudorandom number generators"), its
 * state filled from the seed by SplitMix64 (Steele, Lea and Flood 2014) as its authors advise: two 64-bit numbers,
 * each giving its low word first. Seeds that differ, even by one, give unrelated sequences. Not for secrets.
 *
 * @throws RangeError unless the seed is a whole number from 0 to 2^53 - 1.
 */
export function createRandom(seed: number): Random {
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new RangeError(`a seed is a whole number from 0 to 2^53 - 1, got ${seed}`)
  }
  return createXoshiro128(spreadSeed(seed))
}

/**
 * The generator from a given state, for those who know it; `createRandom` is for all others.
 *
 * @param state four 32-bit words, not all 0
 */
export function createXoshiro128(state: readonly [number, number, number, number]): Random {
  let [s0, s1, s2, s3] = state.map((word) => word | 0) as [number, number, number, number]

  const drawUint32 = (): number => {
    const scrambled = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9)
    const shifted = s1 << 9
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = rotateLeft(s3, 11)
    return scrambled >>> 0
  }

  // Lemire 2019, "Fast random integer generation in an interval": the high word of a product is uniform once the
  // few products with a low word below 2^32 mod bound are refused.
  const drawBelow = (bound: number): number => {
    if (!(Number.isInteger(bound) && bound >= 1 && bound <= MAX_BOUND)) {
      throw new RangeError(`a bound is a whole number from 1 to 2^21, got ${bound}`)
    }
    for (;;) {
      const product = drawUint32() * bound
      const high = Math.floor(product / TWO_32)
      const low = product - high * TWO_32
      if (low >= bound || low >= TWO_32 % bound) return high
    }
  }

  const drawUnit = (): number => {
    const high = drawUint32() >>> 5
    const low = drawUint32() >>> 6
    return (high * 2 ** 26 + low) / 2 ** 53
  }

  // The state in local variables halves the time of a bootstrap.
  const drawCounts = (counts: Float64Array): void => {
    const bound = counts.length
    counts.fill(0)
    if (bound > MAX_HALF_WORD_BOUND) {
      for (let drawn = 0; drawn < bound; drawn++) count(counts, drawBelow(bound))
      return
    }
    const refused = 2 ** 16 % bound
    let a = s0
    let b = s1
    let c = s2
    let d = s3
    let drawn = 0
    while (drawn < bound) {
      const word = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9)
      const shifted = b << 9
      c ^= a
      d ^= b
      b ^= c
      a ^= d
      c ^= shifted
      d = rotateLeft(d, 11)
      const first = (word & 0xffff) * bound
      if ((first & 0xffff) >= refused) {
        count(counts, first >>> 16)
        drawn += 1
      }
      const second = (word >>> 16) * bound
      if ((second & 0xffff) >= refused && drawn < bound) {
        count(counts, second >>> 16)
        drawn += 1
      }
    }
    s0 = a
    s1 = b
    s2 = c
    s3 = d
  }

  return { drawUint32, drawBelow, drawUnit, drawCounts }
}

function count(counts: Float64Array, place: number): void {
  counts[place] = (counts[place] as number) + 1
}

function rotateLeft(word: number, places: number): number {
  return (word << places) | (word >>> (32 - places))
}

function spreadSeed(seed: number): [number, number, number, number] {
  let state = BigInt(seed)
  const next = (): bigint => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    const once = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n)
    const twice = BigInt.asUintN(64, (once ^ (once >> 27n)) * 0x94d049bb133111ebn)
    return twice ^ (twice >> 31n)
  }
  const [first, second] = [next(), next()]
  return [first, first >> 32n, second, second >> 32n].map((word) => Number(BigInt.asUintN(32, word))) as [
    number,
    number,
    number,
    number,
  ]
}
