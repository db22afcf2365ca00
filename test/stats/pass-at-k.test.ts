import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allPassAtK, passAtK } from '../../src/stats/pass-at-k.ts'

const ROUNDING = 1e-12

function passRate(n: number, c: number, k: number): number {
  const result = passAtK(n, c, k)
  if (result.kind !== 'value') throw new Error(result.reason)
  return result.value
}

const samples = fc
  .integer({ min: 1, max: 300 })
  .chain((n) => fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }), k: fc.integer({ min: 1, max: n }) }))

describe('passAtK', () => {
  it('is defined for every k up to n, n included', () => {
    expect([1, 2, 3, 4, 5].map((k) => passAtK(5, 1, k).kind)).toEqual(Array(5).fill('value'))
    expect(passRate(5, 1, 5)).toBe(1)
  })

  it.each([
    [10, 0, 10, 0],
    [5, 1, 5, 1],
    [5, 2, 1, 0.4],
    [3, 1, 2, 2 / 3],
    [3, 2, 1, 2 / 3],
  ])('n = %i, c = %i, k = %i gives %d to the bit', (n, c, k, wanted) => {
    expect(passRate(n, c, k)).toBe(wanted)
  })

  it.each([
    [20, 0, 100, 'k = 100 needs at least 100 samples, there are n = 20'],
    [0, 0, 1, 'there are no samples (n = 0)'],
    [5, 2, 0, 'k = 0 is not a whole number of at least 1'],
    [5, 2, 1.5, 'k = 1.5 is not a whole number of at least 1'],
    [5, 6, 1, 'c = 6 passes out of n = 5 samples'],
    [5, -1, 1, 'c = -1 is not a count of passes'],
    [5, 1.5, 1, 'c = 1.5 is not a count of passes'],
    [Number.NaN, 0, 1, 'n = NaN is not a count of samples'],
    [-3, 0, 1, 'n = -3 is not a count of samples'],
    [5, 6, 9, 'c = 6 passes out of n = 5 samples; k = 9 needs at least 9 samples, there are n = 5'],
  ])('n = %d, c = %d, k = %d is undefined, with every reason', (n, c, k, reason) => {
    expect(passAtK(n, c, k)).toEqual({ kind: 'undefined', reason })
  })

  it('is c / n for k = 1', () => {
    fc.assert(fc.property(samples, ({ n, c }) => passRate(n, c, 1) === c / n))
  })

  it('lies in [0, 1], is 0 without a pass and 1 when too few samples failed', () => {
    fc.assert(
      fc.property(samples, ({ n, c, k }) => {
        const value = passRate(n, c, k)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
        if (c === 0) expect(value).toBe(0)
        if (n - c < k) expect(value).toBe(1)
      }),
    )
  })

  it('does not fall when one more sample passes', () => {
    fc.assert(
      fc.property(samples, ({ n, c, k }) => {
        fc.pre(c < n)
        expect(passRate(n, c + 1, k)).toBeGreaterThanOrEqual(passRate(n, c, k) - ROUNDING)
      }),
    )
  })

  it('does not fall when one more draw is allowed', () => {
    fc.assert(
      fc.property(samples, ({ n, c, k }) => {
        fc.pre(k < n)
        expect(passRate(n, c, k + 1)).toBeGreaterThanOrEqual(passRate(n, c, k))
      }),
    )
  })

  it('averages to the true pass@k over binomial passes: it is unbiased', () => {
    // Exhaustive over all 2^n outcomes of n samples that each pass with probability p.
    const [n, k, p] = [12, 3, 0.3]
    let mean = 0
    for (let outcome = 0; outcome < 2 ** n; outcome++) {
      const c = outcome.toString(2).replaceAll('0', '').length
      mean += p ** c * (1 - p) ** (n - c) * passRate(n, c, k)
    }
    expect(mean).toBeCloseTo(1 - (1 - p) ** k, 12)
  })
})

describe('allPassAtK', () => {
  function allPassRate(n: number, c: number, k: number): number {
    const result = allPassAtK(n, c, k)
    if (result.kind !== 'value') throw new Error(result.reason)
    return result.value
  }

  it.each([
    [10, 10, 10, 1],
    [5, 4, 5, 0],
    [5, 2, 1, 0.4],
    [4, 2, 2, 1 / 6],
  ])('n = %i, c = %i, k = %i gives %d', (n, c, k, wanted) => {
    expect(allPassRate(n, c, k)).toBeCloseTo(wanted, 15)
  })

  it('is undefined for what pass@k is, with the same reasons', () => {
    for (const [n, c, k] of [
      [20, 0, 100],
      [0, 0, 1],
      [5, 6, 9],
    ] as const) {
      expect(allPassAtK(n, c, k)).toEqual(passAtK(n, c, k))
    }
  })

  it('is the chance that not even one of k fails', () => {
    fc.assert(
      fc.property(samples, ({ n, c, k }) => {
        expect(allPassRate(n, c, k)).toBeCloseTo(1 - passRate(n, n - c, k), 10)
      }),
    )
  })

  it('is c / n for k = 1, and does not rise when one more draw must pass', () => {
    fc.assert(
      fc.property(samples, ({ n, c, k }) => {
        expect(allPassRate(n, c, 1)).toBe(c / n)
        if (k < n) expect(allPassRate(n, c, k + 1)).toBeLessThanOrEqual(allPassRate(n, c, k))
      }),
    )
  })

  it('averages to the true chance that k pass over binomial passes: it is unbiased', () => {
    const [n, k, p] = [12, 3, 0.3]
    let mean = 0
    for (let outcome = 0; outcome < 2 ** n; outcome++) {
      const c = outcome.toString(2).replaceAll('0', '').length
      mean += p ** c * (1 - p) ** (n - c) * allPassRate(n, c, k)
    }
    expect(mean).toBeCloseTo(p ** k, 12)
  })
})
