import { expect, test } from 'vitest'
import { computePower } from '../../src/stats/power.ts'
import { computePowerCurve } from '../../src/stats/power-curve.ts'
import { computePowerRange } from '../../src/stats/power-statement.ts'

const design = { gap: 0.1, alpha: 0.05, discordance: { min: 0.025, max: 0.075 } }

test('at one discordance each point is the exact power', () => {
  const discordance = 0.05
  const ns = [0, 1, 6, 31, 40, 122, 500]
  for (const { n, min, max } of computePowerCurve({ ...design, discordance: { min: 0.05, max: 0.05 } }, ns)) {
    expect(min).toBe(max)
    expect(min).toBeCloseTo(computePower({ gap: 0.1, alpha: 0.05, discordance, n }), 12)
  }
})

test('over a range each point is within a fifth of a point of the finely scanned range, and inside it', () => {
  for (const gap of [0.05, 0.1, 0.15, 0.2]) {
    for (const alpha of [0.05, 0.05 / 15]) {
      const plan = { gap, alpha, discordance: { min: 0.025, max: 0.2 } }
      for (const point of computePowerCurve(plan, [10, 31, 100, 300])) {
        const fine = computePowerRange({ ...plan, n: point.n })
        expect(point.min).toBeGreaterThanOrEqual(fine.min - 1e-12)
        expect(point.max).toBeLessThanOrEqual(fine.max + 1e-12)
        expect(point.min - fine.min).toBeLessThan(0.002)
        expect(fine.max - point.max).toBeLessThan(0.002)
      }
    }
  }
})

test('points stand in the order they were asked for', () => {
  expect(computePowerCurve(design, [100, 10]).map(({ n }) => n)).toEqual([100, 10])
})

test('a plan that is none is refused with every problem', () => {
  expect(() => computePowerCurve({ ...design, gap: 2, alpha: 0 }, [31])).toThrow(/gap.*alpha/)
  expect(() => computePowerCurve(design, [1.5])).toThrow(/n must be a count/)
})
