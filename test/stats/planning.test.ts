import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testNonInferiority } from '../../src/stats/non-inferiority.ts'
import { type PopulationModel, tabulatePopulation } from '../../src/stats/population.ts'
import { computePower } from '../../src/stats/power.ts'
import { computePowerRange } from '../../src/stats/power-statement.ts'
import { simulatePower } from '../../src/stats/simulated-power.ts'
import { findSmallestGap } from '../../src/stats/smallest-gap.ts'
import { tangoLowerBound } from '../../src/stats/tango.ts'

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('testNonInferiority', () => {
  const options = { alpha: 0.05, seed: 1, unitsAre: 'outcomes', margin: 0.1 } as const
  const outcomes = (b: number, c: number, n: number) =>
    Array.from({ length: n }, (_, index) => (index < b ? 1 : index < b + c ? -1 : 0))

  it('is shown by 31 fixtures without a difference at a margin of 10 points, not at 5', () => {
    expect(testNonInferiority(outcomes(0, 0, 31), options)).toMatchObject({ kind: 'shown', method: 'tango' })
    expect(testNonInferiority(outcomes(0, 0, 31), { ...options, margin: 0.05 })).toMatchObject({ kind: 'not-shown' })
  })

  it('compares the one-sided bound with the margin, which itself is not excluded', () => {
    const bound = tangoLowerBound(2, 5, 122) as number
    const found = testNonInferiority(outcomes(2, 5, 122), { ...options, margin: -bound })
    expect(found).toEqual({ kind: 'not-shown', lowerBound: bound, margin: -bound, method: 'tango' })
    expect(testNonInferiority(outcomes(2, 5, 122), { ...options, margin: -bound + 1e-9 })?.kind).toBe('shown')
  })

  it('becomes harder to show with each fixture lost', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), (b, c) => {
        const boundOf = (lost: number) => testNonInferiority(outcomes(b, lost, 100), options)?.lowerBound as number
        expect(boundOf(c + 1)).toBeLessThanOrEqual(boundOf(c))
      }),
    )
  })

  it('takes means, by the bootstrap where there are enough', () => {
    const means = Array.from({ length: 80 }, (_, index) => ((index % 9) - 4) / 10)
    expect(testNonInferiority(means, { ...options, unitsAre: 'means' })).toMatchObject({ kind: 'shown', method: 'bca' })
    expect(testNonInferiority(means.slice(40), { ...options, unitsAre: 'means' })?.method).toBe('adjusted-wald')
  })

  it('is null without units, and refuses a margin of 0', () => {
    expect(testNonInferiority([], options)).toBeNull()
    expect(() => testNonInferiority([0], { ...options, margin: 0 })).toThrow(/margin/)
  })
})

describe('tabulatePopulation', () => {
  const models: fc.Arbitrary<PopulationModel> = fc
    .record({
      rate: fc.double({ min: 0.02, max: 0.98, noNaN: true }),
      headRate: fc.double({ min: 0.02, max: 0.98, noNaN: true }),
      concentration: fc.oneof(fc.double({ min: 0.1, max: 50, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY)),
      shiftSpread: fc.double({ min: 0, max: 3, noNaN: true }),
    })
    .map(({ rate, headRate, ...rest }) => ({ rate, gap: headRate - rate, ...rest }))

  it('has the stated rate and gap exactly', () => {
    fc.assert(
      fc.property(models, (model) => {
        const { base, head } = tabulatePopulation(model)
        expect(mean(base)).toBeCloseTo(model.rate, 12)
        expect(mean(head) - mean(base)).toBeCloseTo(model.gap, 12)
      }),
      { numRuns: 25 },
    )
  })

  it('has the variance within fixtures that its concentration declares', () => {
    for (const concentration of [0.5, 2, 20, Number.POSITIVE_INFINITY]) {
      const { base } = tabulatePopulation({ rate: 0.3, gap: 0, concentration, shiftSpread: 0 })
      const within = mean(base.map((chance) => chance * (1 - chance))) / (0.3 * 0.7)
      const declared = concentration === Number.POSITIVE_INFINITY ? 1 : concentration / (concentration + 1)
      expect(Math.abs(within - declared)).toBeLessThan(0.01)
    }
  })

  it('moves every fixture the same way without a spread of shifts, and some the other way with one', () => {
    const model = { rate: 0.5, gap: 0.1, concentration: 2 }
    const isWorse = (shiftSpread: number) => {
      const { base, head } = tabulatePopulation({ ...model, shiftSpread })
      return head.some((chance, kind) => chance < (base[kind] as number))
    }
    expect(isWorse(0)).toBe(false)
    expect(isWorse(2)).toBe(true)
  })

  it('names every problem of a model at once', () => {
    const model = { rate: 0, gap: 2, concentration: 0, shiftSpread: -1 }
    expect(() => tabulatePopulation(model)).toThrow(/rate.*gap.*concentration.*shiftSpread/)
  })
})

describe('simulatePower', () => {
  const model = { rate: 0.5, gap: 0.15, concentration: 2, shiftSpread: 1 }
  const plan = { ...model, n: 60, samples: 1, alpha: 0.05, seed: 1, repetitions: 2000 }

  it('is the exact power for one sample, within its standard error', () => {
    const { base, head } = tabulatePopulation(model)
    const discordance = mean(base.map((chance, kind) => chance * (1 - (head[kind] as number))))
    for (const n of [31, 60, 122]) {
      const exact = computePower({ n, gap: model.gap, discordance, alpha: 0.05 })
      const { power, standardError } = simulatePower({ ...plan, n })
      expect(Math.abs(power - exact)).toBeLessThan(4 * standardError)
    }
  })

  it('grows with samples where fixtures vary within', () => {
    const powers = [1, 3, 10].map((samples) => simulatePower({ ...plan, samples }).power)
    expect(powers[1]).toBeGreaterThan(powers[0]! + 0.1)
    expect(powers[2]).toBeGreaterThan(powers[1]! + 0.05)
  })

  it('never rejects more often than alpha where rows do not differ anywhere, but for chance', () => {
    const { power, standardError } = simulatePower({ ...plan, gap: 0, shiftSpread: 0, samples: 5 })
    expect(power - 3 * standardError).toBeLessThan(0.05)
    expect(power).toBeGreaterThan(0)
  })

  it('repeats itself for the same seed, and states its error', () => {
    const found = simulatePower(plan)
    expect(simulatePower(plan)).toEqual(found)
    expect(simulatePower({ ...plan, seed: 2 })).not.toEqual(found)
    expect(found.standardError).toBe(Math.sqrt((found.power * (1 - found.power)) / 2000))
  })

  it('names every problem of the numbers at once', () => {
    const wrong = { ...plan, n: 0, samples: 1.5, alpha: 0, repetitions: 0 }
    expect(() => simulatePower(wrong)).toThrow(/n must.*samples.*repetitions.*alpha/)
  })
})

describe('findSmallestGap', () => {
  const plan = { n: 122, alpha: 0.05, target: 0.8, discordance: { min: 0.025, max: 0.075 } }

  it('is the smallest tenth of a point whose least power over the range reaches the target', () => {
    const cases = fc.record({
      n: fc.integer({ min: 8, max: 250 }),
      target: fc.constantFrom(0.5, 0.8, 0.95),
      discordance: fc.constantFrom({ min: 0.025, max: 0.075 }, { min: 0, max: 0.2 }, { min: 0.1, max: 0.1 }),
    })
    fc.assert(
      fc.property(cases, ({ n, target, discordance: { min, max } }) => {
        const gap = findSmallestGap({ n, alpha: 0.05, target, discordance: { min, max } })
        const leastPower = (at: number) =>
          computePowerRange({
            n,
            gap: at,
            alpha: 0.05,
            discordance: { min, max: Math.max(min, Math.min(max, (1 - at) / 2)) },
          }).min
        if (gap === null) {
          for (let at = 0.01; at <= 1 - 2 * min; at += 0.01) expect(leastPower(at)).toBeLessThan(target)
          return
        }
        expect(Number.isInteger(Math.round(gap * 1e9) / 1e6)).toBe(true)
        expect(leastPower(gap)).toBeGreaterThanOrEqual(target)
        for (const step of [1, 2, 5, 20]) {
          const smaller = gap - step / 1000
          if (smaller > 0) expect(leastPower(smaller)).toBeLessThan(target)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('agrees with the needed number of fixtures: 207 see 10 points, 206 do not', () => {
    expect(findSmallestGap({ ...plan, n: 207 })).toBe(0.1)
    expect(findSmallestGap({ ...plan, n: 206 })).toBe(0.101)
  })

  it('falls as fixtures are added', () => {
    const gaps = [20, 31, 60, 122, 338].map((n) => findSmallestGap({ ...plan, n }) as number)
    expect(gaps).toEqual([...gaps].sort((a, b) => b - a))
  })

  it('is null where no gap is enough', () => {
    expect(findSmallestGap({ ...plan, n: 5 })).toBeNull()
    expect(findSmallestGap({ ...plan, n: 6, discordance: { min: 0.4, max: 0.4 } })).toBeNull()
  })

  it('names every problem of the numbers at once', () => {
    expect(() => findSmallestGap({ ...plan, n: 1.5, alpha: 0, target: 1 })).toThrow(/alpha.*n must.*target/)
  })
})
