import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signFlipTest } from '../../src/stats/permutation.ts'
import { createRandom } from '../../src/stats/random.ts'
import { signFlipInterval } from '../../src/stats/sign-flip-interval.ts'

const levels = fc.constantFrom(0.3, 0.1, 0.05, 0.01, 0.003)

function differencesOf(from: number, to: number) {
  return fc.array(
    fc.integer({ min: -10, max: 7 }).map((tenth) => tenth / 10),
    { minLength: from, maxLength: to },
  )
}

function surround(differences: readonly number[], alpha: number, options: { seed?: number; resamples?: number } = {}) {
  const { p } = signFlipTest(differences, { seed: 1 })
  return { p, ...signFlipInterval(differences, { alpha, p, seed: 1, ...options }) }
}

/** All shifts that the test does not reject, by asking it for each shift at which its answer can change, and between. */
function invertByAsking(differences: readonly number[], alpha: number): { low: number; high: number } {
  const means = Array.from({ length: 2 ** differences.length - 1 }, (_, at) => {
    const subset = differences.filter((_, unit) => (at + 1) & (1 << unit))
    return subset.reduce((sum, difference) => sum + difference, 0) / subset.length
  })
  const isKept = (shift: number) =>
    signFlipTest(
      differences.map((difference) => difference - shift),
      { seed: 1 },
    ).p > alpha
  const kept = means.filter(isKept)
  return { low: isKept(-1) ? -1 : Math.min(...kept), high: isKept(1) ? 1 : Math.max(...kept) }
}

describe('signFlipInterval', () => {
  it('excludes 0 exactly where the test rejects it, with all subsets listed', () => {
    let rejected = 0
    fc.assert(
      fc.property(differencesOf(1, 14), levels, (differences, alpha) => {
        const { p, interval, resamples } = surround(differences, alpha)
        expect(resamples).toBeNull()
        expect(interval.low > 0 || interval.high < 0).toBe(p <= alpha)
        if (p <= alpha) rejected += 1
      }),
      { numRuns: 400 },
    )
    expect(rejected).toBeGreaterThan(20)
  })

  it('excludes 0 exactly where the test rejects it, with subsets drawn', () => {
    fc.assert(
      fc.property(differencesOf(17, 60), levels, (differences, alpha) => {
        const { p, interval, resamples } = surround(differences, alpha, { resamples: 300 })
        expect(resamples).toBe(300)
        expect(interval.low > 0 || interval.high < 0).toBe(p <= alpha)
      }),
      { numRuns: 400 },
    )
  })

  it('is all shifts that the test does not reject', () => {
    fc.assert(
      fc.property(differencesOf(1, 8), fc.constantFrom(0.3, 0.1, 0.05), (differences, alpha) => {
        const { interval } = surround(differences, alpha)
        const asked = invertByAsking(differences, alpha)
        expect(interval.low).toBeCloseTo(asked.low, 9)
        expect(interval.high).toBeCloseTo(asked.high, 9)
      }),
      { numRuns: 60 },
    )
  })

  it('holds the observed mean, and mirrors when the rows are swapped', () => {
    fc.assert(
      fc.property(differencesOf(1, 12), levels, (differences, alpha) => {
        const { interval } = surround(differences, alpha)
        const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length
        expect(interval.low).toBeLessThanOrEqual(mean + 1e-12)
        expect(interval.high).toBeGreaterThanOrEqual(mean - 1e-12)
        const swapped = surround(
          differences.map((difference) => -difference),
          alpha,
        ).interval
        expect(swapped.low).toBeCloseTo(-interval.high, 12)
        expect(swapped.high).toBeCloseTo(-interval.low, 12)
      }),
    )
  })

  it('of subsets drawn agrees with that of subsets listed, whose levels differ by the stated error', () => {
    const random = createRandom(3)
    const differences = Array.from({ length: 17 }, () => (random.drawBelow(15) - 8) / 10)
    const { interval, levelError } = surround(differences, 0.05)
    expect(levelError).toBeCloseTo(Math.sqrt((0.025 * 0.975) / 19_999), 12)
    expect(interval.low).toBeGreaterThanOrEqual(quantileOfMeans(differences, 0.025 - 4 * levelError))
    expect(interval.low).toBeLessThanOrEqual(quantileOfMeans(differences, 0.025 + 4 * levelError))
  })

  it('is the whole of [-1, 1] where no number of units this small could reject', () => {
    expect(surround([-1, -1, -1], 0.05).interval).toEqual({ low: -1, high: 1 })
  })

  it('of outcomes is exact: that of all subsets', () => {
    const outcomes = fc.array(fc.constantFrom(-1, 0, 0, 0, 1), { minLength: 1, maxLength: 11 })
    fc.assert(
      fc.property(outcomes, levels, (differences, alpha) => {
        const { interval } = surround(differences, alpha)
        const asked = invertByAsking(differences, alpha)
        expect(interval.low).toBeCloseTo(asked.low, 12)
        expect(interval.high).toBeCloseTo(asked.high, 12)
      }),
      { numRuns: 60 },
    )
  })

  it('of outcomes is symmetric where as many are lost as won, whatever the seed', () => {
    const differences = Array.from({ length: 40 }, (_, unit) => (unit < 4 ? -1 : unit < 8 ? 1 : 0))
    const { interval, resamples, levelError } = surround(differences, 0.05, { seed: 9 })
    expect({ resamples, levelError }).toEqual({ resamples: null, levelError: 0 })
    expect(interval.low).toBe(-interval.high)
    expect(interval.high).toBeCloseTo(1 / 7, 12)
  })

  it('of many outcomes excludes 0 exactly where the test rejects it, at any alpha of a look', () => {
    const counts = fc.integer({ min: 0, max: 60 })
    let rejected = 0
    fc.assert(
      fc.property(counts, counts, counts, fc.constantFrom(0.05, 0.0034, 1e-6), (lost, won, even, alpha) => {
        fc.pre(lost + won + even > 0)
        const differences = [...Array(lost).fill(-1), ...Array(won).fill(1), ...Array(even).fill(0)]
        const { p, interval } = surround(differences, alpha)
        expect(interval.low > 0 || interval.high < 0).toBe(p <= alpha)
        if (p <= alpha) rejected += 1
      }),
      { numRuns: 150 },
    )
    expect(rejected).toBeGreaterThan(20)
  })

  it('gives the same for the same seed', () => {
    const differences = Array.from({ length: 40 }, (_, unit) => ((unit * 7) % 19) / 20 - 0.4)
    expect(surround(differences, 0.05, { seed: 4 })).toEqual(surround(differences, 0.05, { seed: 4 }))
    expect(surround(differences, 0.05, { seed: 4 })).not.toEqual(surround(differences, 0.05, { seed: 5 }))
  })

  it.each([
    ['no differences', [], {}],
    ['a difference above 1', [1.1], {}],
    ['a difference that is no number', [Number.NaN], {}],
    ['alpha of 0', [0.5], { alpha: 0 }],
    ['too few resamples', [0.5], { resamples: 99 }],
  ])('refuses %s', (_, differences, changes) => {
    expect(() => signFlipInterval(differences, { alpha: 0.05, p: 1, seed: 1, ...changes })).toThrow(RangeError)
  })
})

/** The mean of a subset below which lies that share of all subsets. */
function quantileOfMeans(differences: readonly number[], level: number): number {
  const means = Array.from({ length: 2 ** differences.length - 1 }, (_, at) => {
    let [sum, size] = [0, 0]
    for (const [unit, difference] of differences.entries()) {
      if (!((at + 1) & (1 << unit))) continue
      sum += difference
      size += 1
    }
    return sum / size
  }).sort((a, b) => a - b)
  return means[Math.floor(level * (means.length + 1)) - 1] as number
}
