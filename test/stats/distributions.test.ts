import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invertRegularisedBeta, logGamma, regularisedBeta } from '../../src/stats/beta.ts'
import { averageOverBinomial, binomialCdf, logBinomialPmf } from '../../src/stats/binomial.ts'
import { invertNormalCdf, invertNormalUpperTail, normalCdf, normalUpperTail } from '../../src/stats/normal.ts'

// Below 1 the density is unbounded and a quantile's last bit alone moves its probability by more than 1e-9.
const shapes = fc.double({ min: 1, max: 500, noNaN: true })
const probabilities = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true })

describe('logGamma', () => {
  it('satisfies Γ(x + 1) = x Γ(x)', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e4, noNaN: true }), (x) => {
        const difference = logGamma(x + 1) - logGamma(x)
        expect(Math.abs(difference - Math.log(x))).toBeLessThan(1e-15 * (10 + 10 * Math.abs(logGamma(x + 1))))
      }),
    )
  })

  it.each([0, -1, Number.NaN])('refuses %d', (x) => {
    expect(() => logGamma(x)).toThrow(RangeError)
  })
})

describe('regularisedBeta', () => {
  it('mirrors: I_x(a, b) + I_{1-x}(b, a) = 1', () => {
    fc.assert(
      fc.property(probabilities, shapes, shapes, (x, a, b) => {
        expect(regularisedBeta(x, a, b) + regularisedBeta(1 - x, b, a)).toBeCloseTo(1, 9)
      }),
    )
  })

  it('is undone by its inverse', () => {
    fc.assert(
      fc.property(probabilities, shapes, shapes, (p, a, b) => {
        expect(Math.abs(regularisedBeta(invertRegularisedBeta(p, a, b), a, b) / p - 1)).toBeLessThan(1e-9)
      }),
    )
  })

  it('has 0 and 1 at its ends', () => {
    expect([regularisedBeta(0, 2, 3), regularisedBeta(1, 2, 3)]).toEqual([0, 1])
    expect([invertRegularisedBeta(0, 2, 3), invertRegularisedBeta(1, 2, 3)]).toEqual([0, 1])
  })

  it('refuses what is no shape, no probability, no number', () => {
    expect(() => regularisedBeta(0.5, 0, 1)).toThrow(RangeError)
    expect(() => regularisedBeta(Number.NaN, 1, 1)).toThrow(RangeError)
    expect(() => invertRegularisedBeta(1.1, 1, 1)).toThrow(RangeError)
  })
})

describe('binomial', () => {
  const trials = fc.record({ n: fc.integer({ min: 1, max: 200 }), p: fc.double({ min: 0, max: 1, noNaN: true }) })

  it('has a distribution function that sums its probabilities', () => {
    fc.assert(
      fc.property(trials, ({ n, p }) => {
        let sum = 0
        for (let k = 0; k <= n; k++) {
          sum += Math.exp(logBinomialPmf(k, n, p))
          expect(Math.abs(binomialCdf(k, n, p) - sum)).toBeLessThan(1e-11)
        }
      }),
    )
  })

  it('averages the identity to n p, certain outcomes included', () => {
    fc.assert(
      fc.property(trials, ({ n, p }) => {
        expect(averageOverBinomial(n, p, (k) => k / n)).toBeCloseTo(p, 12)
      }),
    )
    expect(averageOverBinomial(7, 1, (k) => (k === 7 ? 1 : 0))).toBe(1)
    expect(averageOverBinomial(7, 0, (k) => (k === 0 ? 1 : 0))).toBe(1)
  })

  it('is certain at its edges', () => {
    expect(logBinomialPmf(0, 5, 0)).toBe(0)
    expect(logBinomialPmf(5, 5, 1)).toBe(0)
    expect(logBinomialPmf(6, 5, 0.5)).toBe(Number.NEGATIVE_INFINITY)
    expect([binomialCdf(-1, 5, 0.5), binomialCdf(5, 5, 0.5)]).toEqual([0, 1])
  })

  it('refuses what is no count and no probability', () => {
    expect(() => binomialCdf(1, 2.5, 0.5)).toThrow(RangeError)
    expect(() => logBinomialPmf(1, 2, 1.5)).toThrow(RangeError)
  })
})

describe('normal', () => {
  it('has an upper tail that its inverse undoes', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 0.5, noNaN: true }), (tail) => {
        expect(Math.abs(normalUpperTail(invertNormalUpperTail(tail)) / tail - 1)).toBeLessThan(1e-11)
      }),
    )
  })

  it('has a distribution function that its inverse undoes, and that mirrors', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-9, noNaN: true }), (p) => {
        const z = invertNormalCdf(p)
        expect(Math.abs(normalCdf(z) - p)).toBeLessThan(1e-11)
        expect(normalCdf(z) + normalCdf(-z)).toBeCloseTo(1, 14)
      }),
    )
  })

  it('refuses tails that are none', () => {
    for (const tail of [0, 0.6, Number.NaN]) expect(() => invertNormalUpperTail(tail)).toThrow(RangeError)
    expect(() => normalUpperTail(-1)).toThrow(RangeError)
    for (const p of [0, 1, Number.NaN]) expect(() => invertNormalCdf(p)).toThrow(RangeError)
  })
})
