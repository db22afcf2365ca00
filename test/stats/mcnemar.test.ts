import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcnemarP, midP, walkCriticalCounts } from '../../src/stats/mcnemar.ts'

const counts = fc.integer({ min: 0, max: 400 })

function criticalCounts(alpha: number, most: number): number[] {
  const walk = walkCriticalCounts(alpha)
  return Array.from({ length: most + 1 }, () => walk.next().value)
}

describe('mcnemarP', () => {
  it.each([
    [0, 0, 1],
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [7, 1, 0.0703125],
    [1, 1, 1],
  ])('%i to %i is %d to the bit', (b, c, p) => {
    expect(mcnemarP(b, c)).toBe(p)
  })

  it('lies in (0, 1] and does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(counts, counts, (b, c) => {
        const p = mcnemarP(b, c)
        expect(p).toBeGreaterThan(0)
        expect(p).toBeLessThanOrEqual(1)
        expect(mcnemarP(c, b)).toBe(p)
      }),
    )
  })

  it('falls as the commoner direction grows', () => {
    fc.assert(
      fc.property(counts, counts, (rarer, surplus) => {
        const commoner = rarer + surplus
        expect(mcnemarP(rarer, commoner + 1)).toBeLessThanOrEqual(mcnemarP(rarer, commoner))
      }),
    )
  })

  it('underflows to 0 rather than to a wrong number', () => {
    expect(mcnemarP(0, 1074)).toBe(2 ** -1073)
    expect(mcnemarP(0, 5000)).toBe(0)
  })

  it.each([
    [-1, 2],
    [1.5, 2],
    [Number.NaN, 0],
  ])('refuses %d and %d', (b, c) => {
    expect(() => mcnemarP(b, c)).toThrow(RangeError)
  })
})

describe('midP', () => {
  it.each([
    [0, 0, 1],
    [5, 0, 0.03125],
    [6, 0, 0.015625],
    [7, 1, 0.0390625],
    [1, 1, 0.75],
  ])('%i to %i is %d to the bit', (b, c, p) => {
    expect(midP(b, c)).toBe(p)
  })

  it('is the exact p-value less half the chance of what is as extreme as the outcome', () => {
    fc.assert(
      fc.property(counts, counts, (b, c) => {
        fc.pre(b !== c)
        const [rarer, commoner] = [Math.min(b, c), Math.max(b, c)]
        const moreExtreme = rarer === 0 ? 0 : mcnemarP(rarer - 1, commoner + 1)
        expect(midP(b, c) / ((mcnemarP(b, c) + moreExtreme) / 2) - 1).toBeCloseTo(0, 12)
      }),
    )
  })

  it('lies below the exact p-value and does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(counts, counts, (b, c) => {
        fc.pre(b + c > 0)
        expect(midP(b, c)).toBeLessThan(mcnemarP(b, c))
        expect(midP(c, b)).toBe(midP(b, c))
      }),
    )
  })

  it('refuses what is no count', () => {
    expect(() => midP(-1, 2)).toThrow(RangeError)
    expect(() => midP(1.5, 2)).toThrow(RangeError)
  })
})

describe('walkCriticalCounts', () => {
  it('starts at six unanimous pairs for alpha 0.05', () => {
    expect(criticalCounts(0.05, 9)).toEqual([-1, -1, -1, -1, -1, -1, 0, 0, 0, 1])
  })

  it('rejects at p = alpha and not just below it', () => {
    expect(criticalCounts(0.0625, 5).at(-1)).toBe(0)
    expect(criticalCounts(0.0625 - 2 ** -57, 5).at(-1)).toBe(-1)
  })

  it('is where p crosses alpha', () => {
    const alphas = fc.double({ min: 1e-9, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(alphas, fc.integer({ min: 0, max: 200 }), (alpha, pairs) => {
        const count = criticalCounts(alpha, pairs).at(-1) as number
        if (count >= 0) expect(mcnemarP(count, pairs - count)).toBeLessThanOrEqual(alpha)
        expect(mcnemarP(count + 1, Math.max(count + 1, pairs - count - 1))).toBeGreaterThan(alpha)
      }),
    )
  })

  it.each([0, 1, Number.NaN])('refuses alpha %d', (alpha) => {
    expect(() => walkCriticalCounts(alpha).next()).toThrow(RangeError)
  })
})
