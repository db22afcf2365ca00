import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countPairs, holm, shareAlpha } from '../../src/stats/holm.ts'
import { findPushAlpha, findScheduledAlpha, sumPushAlphas } from '../../src/stats/looks.ts'
import { listRankIntervals, maxTIntervals, type PairInterval } from '../../src/stats/max-t.ts'
import { invertNormalUpperTail } from '../../src/stats/normal.ts'
import { createRandom } from '../../src/stats/random.ts'

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 })

describe('holm', () => {
  it('multiplies the smallest by their number, the next by one less, and never falls', () => {
    expect(holm([0.01, 0.04, 0.03]).map(({ adjustedP }) => adjustedP)).toEqual([0.03, 0.06, 0.06])
    expect(holm([0.01, 0.04, 0.03]).map(({ isRejected }) => isRejected)).toEqual([true, false, false])
  })

  it('lies between p and Bonferroni, and keeps the order', () => {
    fc.assert(
      fc.property(pValues, (values) => {
        const decisions = holm(values)
        for (const [index, p] of values.entries()) {
          const { adjustedP } = decisions[index]!
          expect(adjustedP).toBeGreaterThanOrEqual(p)
          expect(adjustedP).toBeLessThanOrEqual(Math.min(1, p * values.length))
          for (const [other, otherP] of values.entries()) {
            if (p <= otherP) expect(adjustedP).toBeLessThanOrEqual(decisions[other]!.adjustedP)
          }
        }
      }),
    )
  })

  it('rejects what the step-down procedure does', () => {
    fc.assert(
      fc.property(pValues, (values) => {
        const order = [...values].sort((a, b) => a - b)
        const kept = order.findIndex((p, rank) => (values.length - rank) * p > 0.05)
        const rejected = kept === -1 ? values.length : kept
        expect(holm(values).filter(({ isRejected }) => isRejected)).toHaveLength(rejected)
      }),
    )
  })

  it('does not depend on the order given', () => {
    fc.assert(
      fc.property(pValues, (values) => {
        expect(holm(values.toReversed())).toEqual(holm(values).toReversed())
      }),
    )
  })

  it('is empty for no comparisons, and refuses what is no p-value', () => {
    expect(holm([])).toEqual([])
    expect(() => holm([1.2])).toThrow(/p-value/)
    expect(() => holm([0.1], 0)).toThrow(/alpha/)
  })
})

describe('shareAlpha', () => {
  it('is alpha / 15 for six models in pairs', () => {
    expect(shareAlpha(0.05, countPairs(6))).toBe(0.05 / 15)
  })

  it.each([0, 1.5, Number.NaN])('refuses %d comparisons', (comparisons) => {
    expect(() => shareAlpha(0.05, comparisons)).toThrow(/comparisons/)
  })
})

describe('looks', () => {
  const alphas = fc.double({ min: 1e-6, max: 0.5, noNaN: true })

  it('scheduled ones spend alpha together', () => {
    fc.assert(
      fc.property(alphas, fc.integer({ min: 1, max: 1000 }), (alpha, horizon) => {
        expect(findScheduledAlpha(alpha, horizon) * horizon).toBeCloseTo(alpha, 14)
      }),
    )
  })

  it('pushes never spend alpha, however many, and nearly all of it in the end', () => {
    fc.assert(
      fc.property(alphas, fc.integer({ min: 1, max: 5000 }), (alpha, j) => {
        expect(sumPushAlphas(alpha, j)).toBeLessThan(alpha)
        expect(sumPushAlphas(alpha, j + 1)).toBeGreaterThan(sumPushAlphas(alpha, j))
      }),
    )
    expect(sumPushAlphas(0.05, 100_000)).toBeGreaterThan(0.05 * 0.99999)
  })

  it('the first push gets 61 % of alpha, the second a quarter of that', () => {
    expect(findPushAlpha(0.05, 1)).toBeCloseTo(0.0304, 4)
    expect(findPushAlpha(0.05, 2)).toBe(findPushAlpha(0.05, 1) / 4)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses %d', (count) => {
    expect(() => findScheduledAlpha(0.05, count)).toThrow(/horizon/)
    expect(() => findPushAlpha(0.05, count)).toThrow(/push/)
  })

  it('refuses an alpha that is none', () => {
    expect(() => findScheduledAlpha(0, 1)).toThrow(/alpha/)
    expect(() => findPushAlpha(1, 1)).toThrow(/alpha/)
  })
})

describe('maxTIntervals', () => {
  const options = { alpha: 0.05, seed: 1, resamples: 2000 }
  const rowsOver = (count: number, units: number) =>
    fc.array(
      fc.array(
        fc.integer({ min: 0, max: 10 }).map((value) => value / 10),
        { minLength: units, maxLength: units },
      ),
      {
        minLength: count,
        maxLength: count,
      },
    )
  const rows = fc.integer({ min: 2, max: 5 }).chain((count) => rowsOver(count, 25))

  it('lists each pair once, its interval around its difference', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { pairs } = maxTIntervals(given, { ...options, resamples: 200 })
        expect(pairs).toHaveLength(countPairs(given.length))
        for (const { first, second, difference, interval } of pairs) {
          expect(first).toBeLessThan(second)
          const sum = given[first]!.reduce((total, rate, unit) => total + rate - given[second]![unit]!, 0)
          expect(difference).toBeCloseTo(sum / 25, 12)
          expect(interval.low).toBeLessThanOrEqual(difference)
          expect(interval.high).toBeGreaterThanOrEqual(difference)
        }
      }),
      { numRuns: 40 },
    )
  })

  it("has a critical value between one pair's and Bonferroni's", () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { criticalValue } = maxTIntervals(given, { ...options, resamples: 200 })
        expect(criticalValue).toBeGreaterThanOrEqual(invertNormalUpperTail(0.025))
        expect(criticalValue).toBeLessThanOrEqual(invertNormalUpperTail(0.025 / countPairs(given.length)))
      }),
      { numRuns: 40 },
    )
  })

  it('needs less than Bonferroni for rows that differ by one of them', () => {
    // Five copies of a row: ten pairs without a difference, and five that are one and the same.
    const { drawBelow } = createRandom(5)
    const common = Array.from({ length: 60 }, () => drawBelow(11) / 10)
    const other = Array.from({ length: 60 }, () => drawBelow(11) / 10)
    const { criticalValue } = maxTIntervals([common, common, common, common, common, other], options)
    expect(criticalValue).toBeLessThan(2.1)
  })

  it('mirrors when two rows are swapped', () => {
    fc.assert(
      fc.property(rowsOver(2, 25), ([one, other]) => {
        const [pair] = maxTIntervals([one!, other!], options).pairs
        const [swapped] = maxTIntervals([other!, one!], options).pairs
        expect(swapped?.interval.low).toBeCloseTo(-pair!.interval.high, 12)
        expect(swapped?.interval.high).toBeCloseTo(-pair!.interval.low, 12)
      }),
      { numRuns: 30 },
    )
  })

  it('says of rows that never differ what Tango would, nearly', () => {
    const row = new Array<number>(31).fill(1)
    const [pair] = maxTIntervals([row, row], options).pairs
    expect(pair?.interval.low).toBeLessThan(-0.08)
    expect(pair?.interval.high).toBe(-(pair?.interval.low as number))
  })

  it('repeats itself for the same seed', () => {
    const given = [
      [0, 1, 0.5, 0.2, 0.9, 0.4],
      [0.1, 0.3, 1, 0.2, 0, 0],
      [0.3, 0.5, 0.3, 0.2, 0.9, 1],
    ]
    expect(maxTIntervals(given, options)).toEqual(maxTIntervals(given, options))
    expect(maxTIntervals(given, options)).not.toEqual(maxTIntervals(given, { ...options, seed: 2 }))
  })

  it('refuses one row, rows on other units, and what is no rate', () => {
    expect(() => maxTIntervals([[1]], options)).toThrow(/two rows/)
    expect(() => maxTIntervals([[], []], options)).toThrow(RangeError)
    expect(() => maxTIntervals([[1], [1, 0]], options)).toThrow(RangeError)
    expect(() => maxTIntervals([[1], [2]], options)).toThrow(RangeError)
    expect(() => maxTIntervals([[1], [0]], { ...options, resamples: 10 })).toThrow(/resamples/)
  })
})

describe('listRankIntervals', () => {
  const pair = (first: number, second: number, low: number, high: number): PairInterval => ({
    first,
    second,
    difference: (low + high) / 2,
    interval: { low, high },
  })

  it('counts those surely better and those surely worse', () => {
    const pairs = [pair(0, 1, 0.1, 0.3), pair(0, 2, 0.2, 0.4), pair(1, 2, -0.1, 0.2)]
    expect(listRankIntervals(3, pairs)).toEqual([
      { best: 1, worst: 1 },
      { best: 2, worst: 3 },
      { best: 2, worst: 3 },
    ])
    expect(listRankIntervals(2, [pair(0, 1, -0.3, -0.1)])).toEqual([
      { best: 2, worst: 2 },
      { best: 1, worst: 1 },
    ])
  })

  it('is all ranks where nothing is sure, an interval that ends at 0 included', () => {
    expect(listRankIntervals(2, [pair(0, 1, 0, 0.1)])).toEqual([
      { best: 1, worst: 2 },
      { best: 1, worst: 2 },
    ])
  })
})
