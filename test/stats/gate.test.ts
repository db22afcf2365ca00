import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_MARGIN, decideGate, findLookAlpha, type GateFixture, type GateOptions } from '../../src/stats/gate.ts'
import { mcnemarP } from '../../src/stats/mcnemar.ts'
import { tango } from '../../src/stats/tango.ts'

const OPTIONS: GateOptions = { alpha: 0.05, margin: DEFAULT_MARGIN, look: { kind: 'single' }, samples: 1, seed: 7 }

/** n problems of which only BASE passes b and only HEAD c. */
function outcomes(b: number, c: number, n: number): GateFixture[] {
  return Array.from({ length: n }, (_, index) => ({
    base: index < b ? 1 : 0,
    head: index >= b && index < b + c ? 1 : 0,
    family: null,
  }))
}

describe('decideGate', () => {
  it.each([
    [6, 0, 31, 'regressed'],
    [0, 6, 31, 'improved'],
    [5, 0, 31, 'cannot-tell'],
    [0, 0, 31, 'cannot-tell'],
    [0, 0, 60, 'not-detected'],
    [3, 2, 200, 'not-detected'],
    [20, 19, 60, 'cannot-tell'],
  ])('%i lost and %i gained of %i is %s', (b, c, n, kind) => {
    expect(decideGate(outcomes(b, c, n), OPTIONS).kind).toBe(kind)
  })

  it('has the exact p, and the interval of the level of its look', () => {
    const look = { kind: 'push', j: 3 } as const
    const alpha = findLookAlpha(0.05, look)
    expect(decideGate(outcomes(9, 2, 50), { ...OPTIONS, look })).toMatchObject({
      p: mcnemarP(9, 2),
      test: 'mcnemar',
      alpha,
      interval: tango(2, 9, 50, alpha),
      discordant: { b: 9, c: 2 },
      fixtures: 50,
      n: 50,
    })
  })

  it('takes the sign-flip test where fixtures share a family, which counts once', () => {
    const fixtures = outcomes(8, 0, 40).map((fixture, index) => ({ ...fixture, family: `family ${index >> 1}` }))
    expect(decideGate(fixtures, OPTIONS)).toMatchObject({
      test: 'sign-flip',
      method: 'adjusted-wald',
      fixtures: 40,
      n: 20,
      p: 2 ** -3,
      discordant: { b: 4, c: 0 },
    })
  })

  it('takes the sign-flip test for several samples, also where all of a fixture agree', () => {
    const decision = decideGate(outcomes(6, 0, 31), { ...OPTIONS, samples: 5 })
    expect(decision).toMatchObject({ kind: 'regressed', test: 'sign-flip', p: mcnemarP(6, 0) })
  })

  it('does not take rounding for a difference', () => {
    const fixtures = [0.1, 0.2]
      .map((head) => ({ base: 0, head, family: 'one' }))
      .concat({ base: 0.3, head: 0, family: 'one' })
    expect(decideGate(fixtures, { ...OPTIONS, samples: 10 })).toMatchObject({ p: 1, discordant: { b: 0, c: 0 } })
  })

  it('mirrors when the rows are swapped', () => {
    const share = fc.integer({ min: 0, max: 4 }).map((passed) => passed / 4)
    const fixtures = fc.array(fc.record({ base: share, head: share, family: fc.constant(null) }), {
      minLength: 1,
      maxLength: 50,
    })
    fc.assert(
      fc.property(fixtures, (rows) => {
        const there = decideGate(rows, { ...OPTIONS, samples: 4 })
        const back = decideGate(
          rows.map(({ base, head, family }) => ({ base: head, head: base, family })),
          { ...OPTIONS, samples: 4 },
        )
        expect(back.p).toBeCloseTo(there.p, 12)
        expect(back.interval.high).toBeCloseTo(-there.interval.low, 12)
        expect(back.kind === 'improved').toBe(there.kind === 'regressed')
      }),
      { numRuns: 60 },
    )
  })

  it('finds a difference exactly where the test does, and the test interval then excludes 0', () => {
    const counts = fc.integer({ min: 0, max: 30 })
    fc.assert(
      fc.property(counts, counts, fc.integer({ min: 0, max: 150 }), (b, c, rest) => {
        fc.pre(b + c + rest > 0)
        const found = decideGate(outcomes(b, c, b + c + rest), { ...OPTIONS, resamples: 100 })
        const { kind, p, alpha, interval, testInterval, margin } = found
        expect(kind === 'regressed' || kind === 'improved').toBe(p <= alpha)
        expect(testInterval.low > 0 || testInterval.high < 0).toBe(p <= alpha)
        if (kind === 'regressed') expect(testInterval.high).toBeLessThan(0)
        if (kind === 'improved') expect(testInterval.low).toBeGreaterThan(0)
        if (kind === 'not-detected') expect(interval.low).toBeGreaterThan(-margin)
        if (kind === 'cannot-tell') expect(interval.low).toBeLessThanOrEqual(-margin)
      }),
    )
  })

  it('finds by several samples what the cautious interval alone would not', () => {
    const fixtures = Array.from({ length: 31 }, (_, index) => ({
      base: 0.8,
      head: index < 8 ? 0.4 : 0.8,
      family: null,
    }))
    const { kind, interval, testInterval } = decideGate(fixtures, { ...OPTIONS, samples: 5 })
    expect(kind).toBe('regressed')
    expect(interval.high).toBeGreaterThan(0)
    expect(testInterval.high).toBeLessThan(0)
  })

  it('excludes a loss by the cautious interval only: that of the test is too narrow where few problems differ', () => {
    const fixtures = outcomes(1, 0, 31)
    const { kind, interval, testInterval, margin } = decideGate(fixtures, { ...OPTIONS, samples: 5 })
    expect(testInterval.low).toBeGreaterThan(-margin)
    expect(interval.low).toBeLessThan(-margin)
    expect(kind).toBe('cannot-tell')
  })

  it.each([
    ['no fixtures', [], {}],
    ['a share above 1', [{ base: 1.5, head: 0, family: null }], {}],
    ['a margin of 0', outcomes(0, 0, 5), { margin: 0 }],
    ['no samples', outcomes(0, 0, 5), { samples: 0 }],
    ['push 0', outcomes(0, 0, 5), { look: { kind: 'push', j: 0 } as const }],
    ['alpha of 1', outcomes(0, 0, 5), { alpha: 1 }],
  ])('refuses %s', (_, fixtures, changes) => {
    expect(() => decideGate(fixtures, { ...OPTIONS, ...changes })).toThrow(RangeError)
  })
})

describe('findLookAlpha', () => {
  it.each([
    [{ kind: 'single' } as const, 0.05],
    [{ kind: 'push', j: 1 } as const, 0.3 / Math.PI ** 2],
    [{ kind: 'push', j: 10 } as const, 0.003 / Math.PI ** 2],
    [{ kind: 'scheduled', horizon: 52 } as const, 0.05 / 52],
  ])('%o', (look, alpha) => {
    expect(findLookAlpha(0.05, look)).toBeCloseTo(alpha, 15)
  })
})
