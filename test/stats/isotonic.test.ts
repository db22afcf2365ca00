import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitIsotonic, type WeightedValue } from '../../src/stats/isotonic.ts'

interface Reference {
  readonly values: readonly number[]
  readonly weights: readonly number[]
  readonly fit: readonly number[]
}

const references: readonly Reference[] = JSON.parse(
  readFileSync(new URL('isotonic-reference-values.json', import.meta.url), 'utf8'),
)

const weighted = (values: readonly number[], weights: readonly number[] = values.map(() => 1)): WeightedValue[] =>
  values.map((value, index) => ({ value, weight: weights[index] ?? 1 }))

test('every fit agrees with scipy and scikit-learn to 1e-9', () => {
  expect(references.length).toBe(40)
  for (const { values, weights, fit } of references) {
    const ours = fitIsotonic(weighted(values, weights))
    expect(ours.length).toBe(fit.length)
    for (const [index, value] of ours.entries()) {
      const expected = fit[index] as number
      expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)))
    }
  }
})

const anySequence = fc.array(
  fc.record({
    value: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
  }),
  { maxLength: 20 },
)

test('a fit never falls and stays between the least and the greatest value', () => {
  fc.assert(
    fc.property(anySequence, (sequence) => {
      const fit = fitIsotonic(sequence)
      const values = sequence.map(({ value }) => value)
      for (const [index, value] of fit.entries()) {
        expect(value).toBeGreaterThanOrEqual(fit[index - 1] ?? Math.min(...values) - 1e-12)
        expect(value).toBeLessThanOrEqual(Math.max(...values) + 1e-12)
      }
    }),
  )
})

test('a fit keeps the weighted mean', () => {
  fc.assert(
    fc.property(anySequence, (sequence) => {
      const fit = fitIsotonic(sequence)
      const total = sequence.reduce((sum, { weight }) => sum + weight, 0)
      const before = sequence.reduce((sum, { value, weight }) => sum + value * weight, 0)
      const after = sequence.reduce((sum, { weight }, index) => sum + (fit[index] as number) * weight, 0)
      expect(Math.abs(after - before)).toBeLessThanOrEqual(1e-12 * Math.max(1, total))
    }),
  )
})

test('what never falls is its own fit, and a fit is its own fit', () => {
  fc.assert(
    fc.property(anySequence, (sequence) => {
      const fit = fitIsotonic(sequence)
      expect(fitIsotonic(sequence.map(({ weight }, index) => ({ value: fit[index] as number, weight })))).toEqual(fit)
    }),
  )
})

test('of two neighbours that fall, the heavier pulls the mean', () => {
  expect(fitIsotonic(weighted([1, 0], [3, 1]))).toEqual([0.75, 0.75])
})

test('values that are no numbers and weights of nothing are refused', () => {
  expect(() => fitIsotonic(weighted([Number.NaN]))).toThrow(RangeError)
  expect(() => fitIsotonic(weighted([0.5], [0]))).toThrow(RangeError)
  expect(() => fitIsotonic(weighted([0.5], [Number.POSITIVE_INFINITY]))).toThrow(RangeError)
})
