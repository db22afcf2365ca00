import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/stats/random.ts'
import { resampleSums, tabulateUnits } from '../../src/stats/resampling.ts'
import { averageFamilies } from '../../src/stats/units.ts'

describe('averageFamilies', () => {
  it('makes one unit of a family, in the place of its first fixture, and leaves the others', () => {
    expect(averageFamilies([1, 0, 0.5, 0, 1], [null, 'a', 'b', 'a', 'a'])).toEqual([1, 1 / 3, 0.5])
  })

  it('weighs families alike, whatever their size', () => {
    const units = averageFamilies([1, 1, 1, 0], ['a', 'a', 'a', null])
    expect(units.reduce((sum, unit) => sum + unit, 0) / units.length).toBe(0.5)
  })

  it('does not join fixtures without a family', () => {
    expect(averageFamilies([1, 0], [null, null])).toEqual([1, 0])
  })

  it('gives units of differences that are differences of units', () => {
    const rows = fc.array(
      fc.record({
        first: fc.integer({ min: 0, max: 10 }),
        second: fc.integer({ min: 0, max: 10 }),
        family: fc.constantFrom(null, 'a', 'b', 'c'),
      }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(rows, (fixtures) => {
        const families = fixtures.map(({ family }) => family)
        const unitsOf = (value: (fixture: (typeof fixtures)[number]) => number) =>
          averageFamilies(fixtures.map(value), families)
        const second = unitsOf((fixture) => fixture.second)
        const differences = unitsOf((fixture) => fixture.first - fixture.second)
        for (const [unit, first] of unitsOf((fixture) => fixture.first).entries()) {
          expect(differences[unit]).toBeCloseTo(first - (second[unit] as number), 12)
        }
      }),
    )
  })

  it('refuses values and families that do not match', () => {
    expect(() => averageFamilies([1, 0], [null])).toThrow(RangeError)
  })
})

describe('resampleSums', () => {
  it.each([1, 3, 4, 5, 8, 9])('sums each of %i columns over the same draws', (columns) => {
    const base = [0, 1, 5, 7, 20, 3]
    // Every column is a multiple of the first, so its sum must be the same multiple.
    const table = tabulateUnits(
      Array.from({ length: columns }, (_, column) => base.map((value) => value * (column + 1))),
    )
    let resamples = 0
    resampleSums(table, { resamples: 50, random: createRandom(4) }, (sums) => {
      resamples += 1
      for (const [column, sum] of sums.entries()) expect(sum).toBe((sums[0] as number) * (column + 1))
    })
    expect(resamples).toBe(50)
  })

  it('draws with replacement: sums vary around the observed one', () => {
    const sums = new Set<number>()
    let total = 0
    resampleSums(tabulateUnits([[0, 1, 0, 1]]), { resamples: 4000, random: createRandom(4) }, ([sum]) => {
      sums.add(sum as number)
      total += sum as number
    })
    expect([...sums].sort()).toEqual([0, 1, 2, 3, 4])
    // Its standard error is 1 / √4000.
    expect(Math.abs(total / 4000 - 2)).toBeLessThan(0.08)
  })

  it('refuses rows that are on different units, on none, or hold no number', () => {
    expect(() => tabulateUnits([])).toThrow(RangeError)
    expect(() => tabulateUnits([[]])).toThrow(RangeError)
    expect(() => tabulateUnits([[1], [1, 2]])).toThrow(/not on the same units/)
    expect(() => tabulateUnits([[Number.NaN]])).toThrow(/finite/)
  })
})
