import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundSurePairs, tabulateDetection } from '../../src/stats/detection.ts'
import { listDesignProblems } from '../../src/stats/paired-design.ts'
import { computePower, findNeededN } from '../../src/stats/power.ts'
import { computePowerRange, findNeededNRange, powerStatement } from '../../src/stats/power-statement.ts'

const sixModels = 0.05 / 15
const checkpoints = { min: 0.025, max: 0.075 }
const models = { min: 0.025, max: 0.2 }

const designs = fc
  .record({
    gap: fc.double({ min: 0, max: 1, noNaN: true }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    alpha: fc.constantFrom(0.05, 0.01, sixModels, 0.3),
  })
  .map(({ gap, part, alpha }) => ({ gap, discordance: (part * (1 - gap)) / 2, alpha }))

describe('computePower', () => {
  it('lies in [0, 1]', () => {
    fc.assert(
      fc.property(designs, fc.integer({ min: 0, max: 400 }), (design, n) => {
        const power = computePower({ ...design, n })
        expect(power).toBeGreaterThanOrEqual(0)
        expect(power).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('never rejects more often than alpha where there is no gap', () => {
    fc.assert(
      fc.property(designs, fc.integer({ min: 0, max: 400 }), (design, n) => {
        expect(computePower({ ...design, gap: 0, n })).toBeLessThanOrEqual(design.alpha)
      }),
    )
  })

  it('is 0 with five fixtures or fewer at alpha 0.05: nothing could be significant', () => {
    expect(computePower({ n: 5, gap: 1, discordance: 0, alpha: 0.05 })).toBe(0)
    expect(computePower({ n: 6, gap: 1, discordance: 0, alpha: 0.05 })).toBe(1)
  })

  it('is a saw-tooth in n', () => {
    const powerAt = (n: number) => computePower({ n, gap: 0.5, discordance: 0.25, alpha: 0.05 })
    expect(powerAt(30)).toBeGreaterThan(0.8)
    expect(powerAt(34)).toBeLessThan(0.8)
  })

  it('names every problem of a design at once', () => {
    const design = { n: -1, gap: 2, discordance: -0.1, alpha: 0 }
    expect(listDesignProblems(design)).toHaveLength(5)
    expect(() => computePower(design)).toThrow(/gap.*discordance.*twice.*alpha.*n must/)
  })

  it('accepts directions that share all fixtures, whatever the rounding', () => {
    expect(listDesignProblems({ gap: 0.3, discordance: 0.35, alpha: 0.05, n: 31, target: 0.8 })).toEqual([])
  })
})

describe('findNeededN', () => {
  it.each([
    [0.1, 0.025, 0.05, 122],
    [0.1, 0.075, 0.05, 207],
    [0.1, 0.15, 0.05, 329],
    [0.15, 0.025, 0.05, 72],
    [0.15, 0.075, 0.05, 112],
    [0.05, 0.025, 0.05, 337],
    [0.05, 0.075, 0.05, 658],
    [0.1, 0.025, sixModels, 209],
    [0.1, 0.075, sixModels, 364],
    [0.1, 0.15, sixModels, 582],
  ])('gap %d at discordance %d and alpha %d takes %i fixtures for 80 %', (gap, discordance, alpha, needed) => {
    expect(findNeededN({ gap, discordance, alpha, target: 0.8 })).toBe(needed)
  })

  it('passes over a first crossing that does not last', () => {
    const design = { gap: 0.3, discordance: 0.35, alpha: 0.05 }
    expect(computePower({ ...design, n: 90 })).toBeGreaterThan(0.8)
    expect(computePower({ ...design, n: 96 })).toBeLessThan(0.8)
    expect(findNeededN({ ...design, target: 0.8 })).toBe(97)
  })

  it('is one past the last n below the target, looking four times as far', () => {
    const reachable = designs.filter(({ gap }) => gap >= 0.25)
    fc.assert(
      fc.property(reachable, fc.constantFrom(0.5, 0.8, 0.95), (design, target) => {
        const needed = findNeededN({ ...design, target }) as number
        const isBelow = (n: number) => computePower({ ...design, n }) < target
        expect(isBelow(needed - 1)).toBe(true)
        for (let n = needed; n <= 4 * needed + 20; n++) expect(isBelow(n)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('is null without a gap, and for gaps too small to prove', () => {
    expect(findNeededN({ gap: 0, discordance: 0.1, alpha: 0.05, target: 0.8 })).toBeNull()
    expect(findNeededN({ gap: 0, discordance: 0, alpha: 0.05, target: 0.8 })).toBeNull()
    expect(findNeededN({ gap: 0.0005, discordance: 0.1, alpha: 0.05, target: 0.8 })).toBeNull()
  })

  it.each([0, 1, Number.NaN])('refuses a target of %d', (target) => {
    expect(() => findNeededN({ gap: 0.1, discordance: 0.1, alpha: 0.05, target })).toThrow(/target/)
  })
})

describe('boundSurePairs', () => {
  it('holds for every number of pairs beyond it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.35, noNaN: true }),
        fc.constantFrom(0.05, sixModels),
        fc.constantFrom(0.2, 0.01, 0.002),
        (share, alpha, miss) => {
          const sure = boundSurePairs(alpha, share, miss)
          const detect = tabulateDetection(alpha, share)
          for (let pairs = sure; pairs <= 3 * sure; pairs++) expect(detect(pairs)).toBeGreaterThanOrEqual(1 - miss)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('ranges over discordance', () => {
  it('31 fixtures see 10 points with a chance of 0.103 to 0.107 between checkpoints', () => {
    const { min, max } = computePowerRange({ n: 31, gap: 0.1, alpha: 0.05, discordance: checkpoints })
    expect([min.toFixed(3), max.toFixed(3)]).toEqual(['0.103', '0.107'])
  })

  it('and of 0.080 to 0.107 between models', () => {
    const { min, max } = computePowerRange({ n: 31, gap: 0.1, alpha: 0.05, discordance: models })
    expect([min.toFixed(3), max.toFixed(3)]).toEqual(['0.080', '0.107'])
  })

  it('finds an extreme inside the range, not only at its ends', () => {
    const plan = { n: 31, gap: 0.1, alpha: 0.05 }
    const ends = [checkpoints.min, checkpoints.max].map((discordance) => computePower({ ...plan, discordance }))
    expect(computePowerRange({ ...plan, discordance: checkpoints }).max).toBeGreaterThan(Math.max(...ends) + 0.003)
  })

  it.each([
    [0.1, 122, 207],
    [0.15, 72, 112],
    [0.05, 337, 658],
  ])('gap %d takes %i to %i fixtures between checkpoints', (gap, min, max) => {
    const needed = findNeededNRange({ gap, alpha: 0.05, target: 0.8, discordance: checkpoints })
    expect(needed).toEqual({ min, max })
  })

  it('contains the power of every discordance in the range', () => {
    fc.assert(
      fc.property(
        designs,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 150 }),
        (design, part, n) => {
          const { gap, discordance, alpha } = design
          const range = computePowerRange({ n, gap, alpha, discordance: { min: 0, max: discordance } })
          const power = computePower({ n, gap, alpha, discordance: part * discordance })
          expect(power).toBeGreaterThanOrEqual(range.min - 1e-9)
          expect(power).toBeLessThanOrEqual(range.max + 1e-9)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('has no largest needed n where a part of the range cannot be reached', () => {
    const plan = { gap: 0.003, alpha: 0.05, target: 0.8 }
    const needed = findNeededNRange({ ...plan, discordance: { min: 0, max: 0.4 } })
    expect(needed.min).toBe(findNeededN({ ...plan, discordance: 0 }))
    expect(needed.max).toBeNull()
    expect(findNeededNRange({ ...plan, discordance: { min: 0.3, max: 0.4 } })).toEqual({ min: null, max: null })
  })

  it('is a point for a range of one point', () => {
    const { min, max } = computePowerRange({ n: 31, gap: 0.1, alpha: 0.05, discordance: { min: 0.05, max: 0.05 } })
    expect(min).toBe(max)
  })
})

describe('powerStatement', () => {
  it('is the plan, its power range and its needed range', () => {
    const plan = { n: 31, gap: 0.1, alpha: sixModels, target: 0.8, discordance: models }
    expect(powerStatement(plan)).toEqual({
      ...plan,
      power: computePowerRange(plan),
      neededN: findNeededNRange(plan),
    })
  })

  it('lists every problem of a plan at once', () => {
    const plan = { n: 1.5, gap: -1, alpha: 2, target: 1, discordance: { min: 0.3, max: 0.2 } }
    expect(() => powerStatement(plan)).toThrow(/gap.*discordance.*alpha.*n must.*target/)
  })

  it('takes well under a second of processor time', () => {
    const start = process.cpuUsage()
    powerStatement({ n: 338, gap: 0.05, alpha: 0.05, target: 0.8, discordance: models })
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
  })
})
