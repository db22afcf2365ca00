import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom, createXoshiro128 } from '../../src/stats/random.ts'

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** The sum of (seen - expected)² / expected; its mean is the number of cells less one. */
function chiSquare(seen: ArrayLike<number>): number {
  const counts = Array.from(seen)
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/** Ten standard deviations above the mean: seeds are fixed, so this fails for a defect only. */
function isUniform(seen: ArrayLike<number>): boolean {
  const degrees = seen.length - 1
  return chiSquare(seen) < degrees + 10 * Math.sqrt(2 * degrees)
}

describe('createXoshiro128', () => {
  it('gives the sequence of the published algorithm from the state 1, 2, 3, 4', () => {
    const { drawUint32 } = createXoshiro128([1, 2, 3, 4])
    expect(Array.from({ length: 4 }, drawUint32)).toEqual([11520, 0, 5927040, 70819200])
  })
})

describe('createRandom', () => {
  it('repeats itself for the same seed and not for the next', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const draw = (from: number) => Array.from({ length: 4 }, createRandom(from).drawUint32)
        expect(draw(seed)).toEqual(draw(seed))
        expect(draw(seed)).not.toEqual(draw(seed === 0 ? 1 : seed - 1))
      }),
    )
  })

  it.each([-1, 1.5, 2 ** 53, Number.NaN])('refuses the seed %d', (seed) => {
    expect(() => createRandom(seed)).toThrow(/seed/)
  })

  it('draws numbers below the bound, and all of them', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 40 }), (seed, bound) => {
        const { drawBelow } = createRandom(seed)
        const seen = new Set(Array.from({ length: 40 * bound }, () => drawBelow(bound)))
        expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: bound }, (_, index) => index))
      }),
    )
  })

  it('refuses the words that would favour some numbers, and no other', () => {
    const bound = 3 * 2 ** 19
    const { drawBelow } = createRandom(8)
    const { drawUint32 } = createRandom(8)
    let refused = 0
    for (let draw = 0; draw < 40_000; draw++) {
      let product = BigInt(drawUint32()) * BigInt(bound)
      while (BigInt.asUintN(32, product) < 2n ** 32n % BigInt(bound)) {
        refused += 1
        product = BigInt(drawUint32()) * BigInt(bound)
      }
      if (drawBelow(bound) !== Number(product >> 32n)) expect.unreachable(`draw ${draw}`)
    }
    expect(refused).toBeGreaterThan(0)
  })

  it.each([0, -1, 1.5, 2 ** 21 + 1, Number.NaN])('refuses the bound %d', (bound) => {
    expect(() => createRandom(1).drawBelow(bound)).toThrow(/bound/)
  })

  it('draws units in [0, 1), evenly', () => {
    const { drawUnit } = createRandom(3)
    const tenths = new Array<number>(10).fill(0)
    for (let draw = 0; draw < 100_000; draw++) {
      const unit = drawUnit()
      if (!(unit >= 0 && unit < 1)) expect.unreachable(`${unit}`)
      tenths[Math.floor(10 * unit)] = (tenths[Math.floor(10 * unit)] as number) + 1
    }
    expect(isUniform(tenths)).toBe(true)
  })

  it.each([1, 2, 7, 338, 4095, 4096, 4097, 6000])('counts as many draws as there are places: %i', (places) => {
    const counts = new Float64Array(places).fill(9)
    createRandom(5).drawCounts(counts)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(places)
    expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true)
  })

  it.each([7, 338, 3000, 5000])('counts no place of %i more often than another', (places) => {
    const random = createRandom(11)
    const counts = new Float64Array(places)
    const total = new Float64Array(places)
    for (let round = 0; round < 600; round++) {
      random.drawCounts(counts)
      for (const [place, count] of counts.entries()) total[place] = (total[place] as number) + count
    }
    expect(isUniform(total)).toBe(true)
  })

  it.each([7, 338, 3000, 4096])(
    'counts %i places by the halves of words, low one first, but for those that would favour some',
    (places) => {
      const random = createRandom(2)
      const { drawUint32 } = createRandom(2)
      let refused = 0
      for (let round = 0; round < 20; round++) {
        const wanted = new Float64Array(places)
        let drawn = 0
        while (drawn < places) {
          const word = drawUint32()
          for (const half of [word % 2 ** 16, Math.floor(word / 2 ** 16)]) {
            const product = half * places
            const isRefused = product % 2 ** 16 < 2 ** 16 % places
            if (isRefused) refused += 1
            if (isRefused || drawn === places) continue
            wanted[Math.floor(product / 2 ** 16)]! += 1
            drawn += 1
          }
        }
        const counts = new Float64Array(places)
        random.drawCounts(counts)
        expect(counts).toEqual(wanted)
      }
      expect(refused > 0).toBe(2 ** 16 % places !== 0 && places > 7)
      // Both have used as many words.
      expect(random.drawUint32()).toBe(drawUint32())
    },
  )
})
