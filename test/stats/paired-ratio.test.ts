import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ratioOfMeans } from '../../src/stats/paired-ratio.ts'
import { createRandom } from '../../src/stats/random.ts'

test('the interval of a ratio of means is Student’s on the log scale', () => {
  // By hand: means 2 and 4, shares' differences ±1/4 and 0, so s = 1/4 and t(0.05, 2) = 4.302652729749462 (scipy.stats.t.ppf).
  const pairs = [
    { first: 1, second: 3 },
    { first: 2, second: 4 },
    { first: 3, second: 5 },
  ]
  const found = ratioOfMeans(pairs)
  if (found.kind !== 'ratio') throw new Error(found.reason)
  const reach = (4.302652729749462 * 0.25) / Math.sqrt(3)
  expect(found.ratio).toBe(2)
  expect(found.interval.low).toBeCloseTo(2 * Math.exp(-reach), 10)
  expect(found.interval.high).toBeCloseTo(2 * Math.exp(reach), 10)
})

test('what defines no ratio or no interval says why', () => {
  expect(ratioOfMeans([])).toEqual({ kind: 'unknown', ratio: null, reason: 'there is nothing to compare' })
  expect(ratioOfMeans([{ first: 0, second: 1 }])).toMatchObject({ ratio: null, reason: 'the first amount is 0' })
  expect(ratioOfMeans([{ first: 1, second: 0 }])).toMatchObject({ ratio: 0, reason: 'the second amount is 0' })
  expect(ratioOfMeans([{ first: 2, second: 3 }])).toMatchObject({ ratio: 1.5, reason: 'one problem has no spread' })
  const equal = [1, 2, 3].map((first) => ({ first, second: 3 * first }))
  expect(ratioOfMeans(equal)).toMatchObject({ ratio: 3, reason: 'all problems have the same ratio' })
})

const anyPairs = fc.array(
  fc.record({
    first: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
    second: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
  }),
  { minLength: 2, maxLength: 20 },
)

test('swapping the two sides gives the inverse ratio and the inverse interval', () => {
  fc.assert(
    fc.property(anyPairs, (pairs) => {
      const [there, back] = [
        ratioOfMeans(pairs),
        ratioOfMeans(pairs.map(({ first, second }) => ({ first: second, second: first }))),
      ]
      if (there.kind !== 'ratio' || back.kind !== 'ratio') return
      expect(there.ratio * back.ratio).toBeCloseTo(1, 9)
      expect(Math.log(there.interval.low) + Math.log(back.interval.high)).toBeCloseTo(0, 6)
    }),
  )
})

test('the unit of measurement does not matter', () => {
  fc.assert(
    fc.property(anyPairs, fc.double({ min: 0.01, max: 100, noNaN: true }), (pairs, scale) => {
      const [plain, scaled] = [
        ratioOfMeans(pairs),
        ratioOfMeans(pairs.map(({ first, second }) => ({ first: first * scale, second: second * scale }))),
      ]
      if (plain.kind !== 'ratio' || scaled.kind !== 'ratio') return
      expect(scaled.interval.low / plain.interval.low).toBeCloseTo(1, 6)
    }),
  )
})

test.each([8, 20, 40])(
  'of intervals over %i problems with skewed times at least 91 of 100 cover the true ratio',
  (n) => {
    let covered = 0
    for (let draw = 0; draw < 400; draw++) {
      const { drawUnit } = createRandom(draw)
      const skewed = () => Math.exp(0.6 * Math.sqrt(-2 * Math.log(1 - drawUnit())) * Math.cos(2 * Math.PI * drawUnit()))
      const pairs = Array.from({ length: n }, () => {
        const problem = skewed()
        return { first: problem * skewed(), second: 1.7 * problem * skewed() }
      })
      const found = ratioOfMeans(pairs)
      if (found.kind === 'ratio' && found.interval.low <= 1.7 && 1.7 <= found.interval.high) covered += 1
    }
    expect(covered / 400).toBeGreaterThanOrEqual(0.91)
  },
)

test('negative amounts are refused', () => {
  expect(() => ratioOfMeans([{ first: -1, second: 1 }])).toThrow(RangeError)
  expect(() => ratioOfMeans([{ first: 1, second: Number.NaN }])).toThrow(RangeError)
})
