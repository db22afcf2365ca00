import { createHash } from 'node:crypto'

/** A seeded stream of numbers; the same seed text gives the same stream on every machine. */
export interface Random {
  /** A whole number in [0, bound); `bound` is at least 1 and at most 2^53. */
  below(bound: number): number
}

/**
 * sfc32 ("small fast counting", C. Doty-Humphrey, PractRand), seeded by the first 128 bits of the SHA-256 of `seed`.
 * For reproducible draws, not for secrets.
 */
export function createRandom(seed: string): Random {
  const digest = createHash('sha256').update(seed).digest()
  let a = digest.readUInt32LE(0)
  let b = digest.readUInt32LE(4)
  let c = digest.readUInt32LE(8)
  let counter = digest.readUInt32LE(12)
  const next = (): number => {
    const sum = (a + b + counter) >>> 0
    counter = (counter + 1) >>> 0
    a = (b ^ (b >>> 9)) >>> 0
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0
    return sum
  }
  for (let round = 0; round < 12; round++) next()
  return {
    below(bound) {
      // 53 bits, so that wide ranges reach every value; the bias of the product is below 2^-20 for the ranges in use.
      const fraction = (next() * 0x200000 + (next() >>> 11)) / 0x20000000000000
      return Math.floor(fraction * bound)
    },
  }
}
