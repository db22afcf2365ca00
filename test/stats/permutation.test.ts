import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcnemarP } from '../../src/stats/mcnemar.ts'
import { type SignFlipTest, signFlipTest, sumSignFlips } from '../../src/stats/permutation.ts'

const options = { seed: 1 }
const tenths = fc.array(fc.integer({ min: -10, max: 10 }), { maxLength: 60 })
/** Multiples of no fraction, with ties between their sums. */
const reals = fc.array(
  fc.integer({ min: -1000, max: 1000 }).map((value) => (value * Math.SQRT2) / 1000),
  { maxLength: 12 },
)

function exactP(test: SignFlipTest): number {
  if (test.kind !== 'exact') throw new Error('not exact')
  return test.p
}

function repeat(value: number, count: number): number[] {
  return new Array<number>(count).fill(value)
}

describe('signFlipTest', () => {
  it.each([
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [7, 1, 0.0703125],
  ])('%i to %i outcomes is %d to the bit', (b, c, p) => {
    expect(signFlipTest([...repeat(1, b), ...repeat(-1, c), 0, 0], options)).toEqual({ kind: 'exact', p })
  })

  it('is the exact McNemar test for outcomes, to 1e-12', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }), (b, c) => {
        const p = exactP(signFlipTest([...repeat(1, b), ...repeat(-1, c)], options))
        expect(Math.abs(p / mcnemarP(b, c) - 1)).toBeLessThan(1e-12)
      }),
    )
  })

  it('lies in (0, 1] and does not depend on the order of the rows or of the units', () => {
    fc.assert(
      fc.property(tenths, (differences) => {
        const p = exactP(
          signFlipTest(
            differences.map((value) => value / 10),
            options,
          ),
        )
        expect(p).toBeGreaterThan(0)
        expect(p).toBeLessThanOrEqual(1)
        const swapped = differences.map((value) => -value / 10).toReversed()
        expect(exactP(signFlipTest(swapped, options))).toBeCloseTo(p, 12)
      }),
    )
  })

  it('does not depend on the scale: tenths and whole numbers agree', () => {
    fc.assert(
      fc.property(tenths, fc.integer({ min: 1, max: 60 }), (differences, samples) => {
        const scaled = differences.map((value) => value / samples)
        expect(exactP(signFlipTest(scaled, options))).toBe(sumSignFlips(differences))
      }),
    )
  })

  it('is 1 without a difference', () => {
    expect(signFlipTest([], options)).toEqual({ kind: 'exact', p: 1 })
    expect(signFlipTest([0, 0], options)).toEqual({ kind: 'exact', p: 1 })
  })

  it('is at least 1 / 2^(units - 1), and that where all units agree', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        expect(exactP(signFlipTest(sizes, options))).toBe(2 ** (1 - sizes.length))
      }),
    )
  })

  it('enumerates up to 20 differences of any value, and agrees with every flip summed one by one', () => {
    fc.assert(
      fc.property(reals, (drawn) => {
        const differences = drawn.filter((value) => value !== 0)
        let hits = 0
        const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0))
        for (let flips = 0; flips < 2 ** differences.length; flips++) {
          const sum = differences.reduce((total, value, at) => total + ((flips >> at) & 1 ? value : -value), 0)
          if (Math.abs(sum) >= observed - 1e-12) hits += 1
        }
        expect(exactP(signFlipTest(differences, options))).toBeCloseTo(hits / 2 ** differences.length, 12)
      }),
    )
  })

  describe('where no exact value is affordable', () => {
    const many = Array.from({ length: 40 }, (_, index) => Math.sin(index + 1) + 0.2)

    it('estimates from seeded flips, with its standard error', () => {
      const test = signFlipTest(many, { seed: 7, resamples: 20_000 })
      if (test.kind !== 'estimated') throw new Error('exact')
      expect(signFlipTest(many, { seed: 7, resamples: 20_000 })).toEqual(test)
      const other = signFlipTest(many, { seed: 8, resamples: 20_000 })
      expect(other.p).not.toBe(test.p)
      expect(Math.abs(other.p - test.p)).toBeLessThan(6 * test.standardError)
      expect(test.standardError).toBeCloseTo(Math.sqrt((test.p * (1 - test.p)) / 20_000), 12)
    })

    it('does not fill the memory for two far multiples of a small fraction', () => {
      const far = [...new Array<number>(21).fill(1 / 2999), 1 / 2003, 1 - 1 / 2999]
      expect(signFlipTest(far, { seed: 7, resamples: 99 }).kind).toBe('estimated')
    })

    it('never says 0: the observed flip counts as one', () => {
      const sure = many.map((value) => Math.abs(value) + 1)
      expect(signFlipTest(sure, { seed: 7, resamples: 999 }).p).toBe(1 / 1000)
    })
  })

  it('does not lose a difference that is tiny beside the others', () => {
    expect(exactP(signFlipTest([1, 1e-12], options))).toBe(0.5)
    expect(exactP(signFlipTest([1e-12, 1e-12], options))).toBe(0.5)
    expect(exactP(signFlipTest([1, 1, -1e-9], options))).toBe(0.5)
  })

  it('takes differences of family means with several denominators exactly', () => {
    const differences = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? 1 / 3 : index % 3 === 1 ? -3 / 40 : 0.25,
    )
    const inUnitsOf120 = differences.map((value) => Math.round(value * 120))
    expect(exactP(signFlipTest(differences, options))).toBe(sumSignFlips(inUnitsOf120))
  })

  it.each([[[Number.NaN]], [[1, Number.POSITIVE_INFINITY]]])('refuses %j', (differences) => {
    expect(() => signFlipTest(differences, options)).toThrow(RangeError)
  })

  it('refuses no resamples', () => {
    expect(() => signFlipTest([1], { seed: 1, resamples: 0 })).toThrow(/resamples/)
  })
})
