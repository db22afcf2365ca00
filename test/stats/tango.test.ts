import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Interval } from '../../src/stats/intervals.ts'
import { invertNormalUpperTail } from '../../src/stats/normal.ts'
import { tango, tangoLowerBound, tangoScore } from '../../src/stats/tango.ts'

const tables = fc
  .record({
    b: fc.integer({ min: 0, max: 60 }),
    c: fc.integer({ min: 0, max: 60 }),
    rest: fc.integer({ min: 0, max: 300 }),
  })
  .filter(({ b, c, rest }) => b + c + rest > 0)
  .map(({ b, c, rest }) => ({ b, c, n: b + c + rest }))
const alphas = fc.double({ min: 1e-6, max: 0.9, noNaN: true })

function boundsOf(interval: Interval | null): Interval {
  if (interval === null) throw new Error('no interval')
  return interval
}

describe('tango', () => {
  it('is null without fixtures', () => {
    expect(tango(0, 0, 0)).toBeNull()
    expect(tangoLowerBound(0, 0, 0)).toBeNull()
  })

  it('contains the observed difference and stays in [-1, 1]', () => {
    fc.assert(
      fc.property(tables, alphas, ({ b, c, n }, alpha) => {
        const { low, high } = boundsOf(tango(b, c, n, alpha))
        expect(low).toBeGreaterThanOrEqual(-1)
        expect(low).toBeLessThanOrEqual((b - c) / n)
        expect(high).toBeGreaterThanOrEqual((b - c) / n)
        expect(high).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('mirrors to the bit when the rows are swapped', () => {
    fc.assert(
      fc.property(tables, alphas, ({ b, c, n }, alpha) => {
        const { low, high } = boundsOf(tango(b, c, n, alpha))
        expect(tango(c, b, n, alpha)).toEqual({ low: -high, high: -low })
      }),
    )
  })

  it('ends where the score test has the p-value alpha', () => {
    fc.assert(
      fc.property(tables, alphas, ({ b, c, n }, alpha) => {
        const z = invertNormalUpperTail(alpha / 2)
        const { low, high } = boundsOf(tango(b, c, n, alpha))
        if (low > -1) expect(tangoScore(b, c, n, low)).toBeCloseTo(z, 5)
        if (high < 1) expect(tangoScore(b, c, n, high)).toBeCloseTo(-z, 5)
      }),
    )
  })

  it('is found to 1e-12: the score changes sides there', () => {
    fc.assert(
      fc.property(tables, alphas, ({ b, c, n }, alpha) => {
        const z = invertNormalUpperTail(alpha / 2)
        const { high } = boundsOf(tango(b, c, n, alpha))
        fc.pre(high < 1 - 2e-12 && high > (b - c) / n + 1e-9)
        expect(tangoScore(b, c, n, high + 1e-12)).toBeLessThanOrEqual(-z)
        expect(tangoScore(b, c, n, high - 1e-12)).toBeGreaterThanOrEqual(-z)
      }),
    )
  })

  it('widens with confidence', () => {
    fc.assert(
      fc.property(tables, alphas, ({ b, c, n }, alpha) => {
        const narrow = boundsOf(tango(b, c, n, alpha))
        const wide = boundsOf(tango(b, c, n, alpha / 2))
        expect(wide.low).toBeLessThanOrEqual(narrow.low)
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high)
      }),
    )
  })

  it('moves up on both sides when one more fixture falls to the first row', () => {
    fc.assert(
      fc.property(tables, alphas, ({ b, c, n }, alpha) => {
        fc.pre(b + c < n)
        const here = boundsOf(tango(b, c, n, alpha))
        const next = boundsOf(tango(b + 1, c, n, alpha))
        expect(next.low).toBeGreaterThanOrEqual(here.low)
        expect(next.high).toBeGreaterThanOrEqual(here.high)
      }),
    )
  })

  it('is an interval around 0 where the rows never differ: z² / (n + z²) to both sides', () => {
    const z = invertNormalUpperTail(0.025)
    const { low, high } = boundsOf(tango(0, 0, 31))
    expect(high).toBeCloseTo((z * z) / (31 + z * z), 14)
    expect(low).toBe(-high)
  })

  it('ends at 1 exactly where the first row alone passes all', () => {
    const { low, high } = boundsOf(tango(31, 0, 31))
    expect(high).toBe(1)
    expect(low).toBeCloseTo((31 - 1.959963984540054 ** 2) / (31 + 1.959963984540054 ** 2), 14)
    expect(boundsOf(tango(1, 0, 1)).high).toBe(1)
  })

  it('takes sums of parts of differences', () => {
    const whole = boundsOf(tango(3, 1, 40))
    const more = boundsOf(tango(3.5, 1, 40))
    expect(more.low).toBeGreaterThan(whole.low)
    expect(more.high).toBeGreaterThan(whole.high)
  })

  it.each([
    [-1, 2, 5, 0.05],
    [3, 3, 5, 0.05],
    [1, 1, 2.5, 0.05],
    [Number.NaN, 0, 5, 0.05],
    [1, 1, 5, 0],
    [1, 1, 5, 1],
  ])('refuses %d and %d of %d at alpha %d', (b, c, n, alpha) => {
    expect(() => tango(b, c, n, alpha)).toThrow(RangeError)
  })
})

describe('tangoLowerBound', () => {
  it('is the low end of the two-sided interval of twice its alpha', () => {
    expect(tangoLowerBound(9, 2, 50, 0.025)).toBe(boundsOf(tango(9, 2, 50, 0.05)).low)
  })

  it.each([0, 0.5, Number.NaN])('refuses alpha %d', (alpha) => {
    expect(() => tangoLowerBound(1, 1, 5, alpha)).toThrow(/one-sided/)
  })
})

describe('tangoScore', () => {
  it('is the McNemar statistic at no difference', () => {
    expect(tangoScore(9, 2, 50, 0)).toBeCloseTo((9 - 2) / Math.sqrt(9 + 2), 14)
  })

  it('is 0 at the observed difference, also where nothing varies', () => {
    expect(tangoScore(9, 2, 50, 7 / 50)).toBeCloseTo(0, 14)
    expect(tangoScore(5, 0, 5, 1)).toBe(0)
    expect(tangoScore(0, 0, 5, 0)).toBe(0)
  })

  it('is infinite where the hypothesis leaves no variance', () => {
    expect(tangoScore(4, 0, 5, 1)).toBe(Number.NEGATIVE_INFINITY)
  })

  it('falls as the hypothesis rises', () => {
    const differences = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(tables, differences, differences, ({ b, c, n }, one, other) => {
        fc.pre(one !== other)
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        expect(tangoScore(b, c, n, high)).toBeLessThanOrEqual(tangoScore(b, c, n, low) + 1e-9)
      }),
    )
  })

  it('refuses no fixtures and a difference outside [-1, 1]', () => {
    expect(() => tangoScore(0, 0, 0, 0)).toThrow(RangeError)
    expect(() => tangoScore(1, 1, 5, 1.1)).toThrow(RangeError)
  })
})
