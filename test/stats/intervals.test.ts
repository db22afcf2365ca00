import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { averageOverBinomial } from '../../src/stats/binomial.ts'
import { clopperPearson, type Interval, wilson } from '../../src/stats/intervals.ts'

const kinds = [
  ['clopperPearson', clopperPearson],
  ['wilson', wilson],
] as const

const rates = fc
  .integer({ min: 1, max: 500 })
  .chain((n) => fc.record({ n: fc.constant(n), successes: fc.integer({ min: 0, max: n }) }))
const alphas = fc.double({ min: 1e-6, max: 0.9, noNaN: true })

function boundsOf(interval: Interval | null): Interval {
  if (interval === null) throw new Error('no interval')
  return interval
}

describe.each(kinds)('%s', (_name, surround) => {
  it('is null without trials', () => {
    expect(surround(0, 0)).toBeNull()
  })

  it('contains the estimate and stays in [0, 1]', () => {
    fc.assert(
      fc.property(rates, alphas, ({ n, successes }, alpha) => {
        const { low, high } = boundsOf(surround(successes, n, alpha))
        expect(low).toBeGreaterThanOrEqual(0)
        expect(low).toBeLessThanOrEqual(successes / n)
        expect(high).toBeGreaterThanOrEqual(successes / n)
        expect(high).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('touches 0 exactly without a success and 1 exactly without a failure', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), alphas, (n, alpha) => {
        expect(boundsOf(surround(0, n, alpha)).low).toBe(0)
        expect(boundsOf(surround(n, n, alpha)).high).toBe(1)
      }),
    )
  })

  it('moves up on both sides with each success', () => {
    fc.assert(
      fc.property(rates, alphas, ({ n, successes }, alpha) => {
        fc.pre(successes < n)
        const here = boundsOf(surround(successes, n, alpha))
        const next = boundsOf(surround(successes + 1, n, alpha))
        expect(next.low).toBeGreaterThan(here.low)
        expect(next.high).toBeGreaterThan(here.high)
      }),
    )
  })

  it('mirrors when successes and failures are exchanged', () => {
    fc.assert(
      fc.property(rates, alphas, ({ n, successes }, alpha) => {
        const { low, high } = boundsOf(surround(successes, n, alpha))
        const mirrored = boundsOf(surround(n - successes, n, alpha))
        expect(mirrored.low).toBeCloseTo(1 - high, 12)
        expect(mirrored.high).toBeCloseTo(1 - low, 12)
      }),
    )
  })

  it('widens with confidence', () => {
    fc.assert(
      fc.property(rates, alphas, ({ n, successes }, alpha) => {
        const narrow = boundsOf(surround(successes, n, alpha))
        const wide = boundsOf(surround(successes, n, alpha / 2))
        expect(wide.low).toBeLessThanOrEqual(narrow.low)
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high)
      }),
    )
  })

  it.each([
    [3, 2, 0.05],
    [-1, 5, 0.05],
    [1, 2.5, 0.05],
    [Number.NaN, 5, 0.05],
    [1, 5, 0],
    [1, 5, 1],
  ])('refuses %d of %d at alpha %d', (successes, n, alpha) => {
    expect(() => surround(successes, n, alpha)).toThrow(RangeError)
  })
})

describe('coverage, by exact enumeration', () => {
  const cells = [20, 31, 60, 122, 208].flatMap((n) => [0.05, 0.3, 0.5, 0.9, 0.97].map((p) => ({ n, p })))

  function coverageOf(surround: (k: number, n: number) => Interval | null, n: number, p: number): number {
    return averageOverBinomial(n, p, (k) => {
      const { low, high } = boundsOf(surround(k, n))
      return low <= p && p <= high ? 1 : 0
    })
  }

  it.each(cells)('Clopper-Pearson covers at least 95 % at n = $n, p = $p', ({ n, p }) => {
    expect(coverageOf(clopperPearson, n, p)).toBeGreaterThanOrEqual(0.95)
  })

  it.each(cells)('Wilson covers between 92 and 98.5 % at n = $n, p = $p', ({ n, p }) => {
    const coverage = coverageOf(wilson, n, p)
    expect(coverage).toBeGreaterThanOrEqual(0.92)
    expect(coverage).toBeLessThanOrEqual(0.985)
  })
})

describe('known intervals', () => {
  it('Wilson on 10 of 10 is 72.2 % to 100 %', () => {
    const { low, high } = boundsOf(wilson(10, 10))
    expect([low.toFixed(3), high]).toEqual(['0.722', 1])
  })

  it('Wilson on 0 of 30 is 0 % to 11.4 %', () => {
    const { low, high } = boundsOf(wilson(0, 30))
    expect([low, high.toFixed(3)]).toEqual([0, '0.114'])
  })

  it('Wilson takes a sum of fixture means, Clopper-Pearson refuses it', () => {
    expect(boundsOf(wilson(12.6, 31)).low).toBeLessThan(12.6 / 31)
    expect(() => clopperPearson(12.6, 31)).toThrow(/whole number/)
  })
})
