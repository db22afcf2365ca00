import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { adjustedWald } from '../../src/stats/adjusted-wald.ts'
import { bcaInterval } from '../../src/stats/bootstrap.ts'
import { countPairs, holm, shareAlpha } from '../../src/stats/holm.ts'
import { type Interval, wilson } from '../../src/stats/intervals.ts'
import { findPushAlpha, findScheduledAlpha, sumPushAlphas } from '../../src/stats/looks.ts'
import { listRankIntervals, maxTIntervals } from '../../src/stats/max-t.ts'
import { midP } from '../../src/stats/mcnemar.ts'
import { surroundRate } from '../../src/stats/multi-sample-interval.ts'
import { testNonInferiority } from '../../src/stats/non-inferiority.ts'
import { invertNormalCdf, normalCdf } from '../../src/stats/normal.ts'
import { surroundDifference } from '../../src/stats/paired-interval.ts'
import { allPassAtK } from '../../src/stats/pass-at-k.ts'
import { signFlipTest } from '../../src/stats/permutation.ts'
import { type Population, tabulatePopulation } from '../../src/stats/population.ts'
import { createRandom } from '../../src/stats/random.ts'
import { simulatePower } from '../../src/stats/simulated-power.ts'
import { findSmallestGap } from '../../src/stats/smallest-gap.ts'
import { tango, tangoLowerBound, tangoScore } from '../../src/stats/tango.ts'
import { averageFamilies } from '../../src/stats/units.ts'

type ReferenceValue = { of: string; given: unknown[]; expect: number | number[]; within?: number }
type Evaluate = (...given: unknown[]) => (number | null)[]

const { values } = JSON.parse(readFileSync(new URL('./paired-reference-values.json', import.meta.url), 'utf8')) as {
  values: ReferenceValue[]
}

/** As many as the reference's stated error is for. */
const RESAMPLES = 50_000
const REPETITIONS = 4000
const chosen = { alpha: 0.05, seed: 1 }

/** Each knows what it is given. */
const functions: Record<string, (...given: never[]) => (number | null)[]> = {
  allPassAtK: (n: number, c: number, k: number) => {
    const result = allPassAtK(n, c, k)
    return [result.kind === 'value' ? result.value : null]
  },
  midP: (b: number, c: number) => [midP(b, c)],
  normalCdf: (z: number) => [normalCdf(z)],
  invertNormalCdf: (p: number) => [invertNormalCdf(p)],
  drawUint32: (seed: number) => {
    const { drawUint32 } = createRandom(seed)
    return Array.from({ length: 6 }, drawUint32)
  },
  drawBelow: (seed: number, bound: number) => {
    const { drawBelow } = createRandom(seed)
    return Array.from({ length: 6 }, () => drawBelow(bound))
  },
  tango: (b: number, c: number, n: number, alpha: number) => listBounds(tango(b, c, n, alpha)),
  tangoLowerBound: (b: number, c: number, n: number, alpha: number) => [tangoLowerBound(b, c, n, alpha)],
  tangoScore: (b: number, c: number, n: number, difference: number) => [tangoScore(b, c, n, difference)],
  signFlipExact: (differences: number[]) => {
    const { kind, p } = signFlipTest(differences, { seed: 1 })
    return [kind === 'exact' ? p : null]
  },
  signFlipEstimate: (differences: number[], seed: number) => {
    const { kind, p } = signFlipTest(differences, { seed })
    return [kind === 'estimated' ? p : null]
  },
  bcaInterval: (units: number[], alpha: number, seed: number) => {
    const found = bcaInterval(units, { alpha, seed, resamples: RESAMPLES })
    return found.kind === 'interval' ? listBounds(found) : [null]
  },
  adjustedWald: (differences: number[], alpha: number) => listBounds(adjustedWald(differences, alpha)),
  wilson: (sum: number, n: number, alpha: number) => listBounds(wilson(sum, n, alpha)),
  surroundRateOfOutcomes: (units: number[]) =>
    listBounds(surroundRate(units, { ...chosen, unitsAre: 'outcomes' })?.interval),
  surroundRateOfMeans: (units: number[]) => listBounds(surroundRate(units, { ...chosen, unitsAre: 'means' })?.interval),
  surroundDifferenceOfOutcomes: (differences: number[]) =>
    listBounds(surroundDifference(differences, { ...chosen, unitsAre: 'outcomes' })?.interval),
  surroundDifferenceOfMeans: (differences: number[]) =>
    listBounds(surroundDifference(differences, { ...chosen, unitsAre: 'means' })?.interval),
  averageFamilies: (values: number[], families: number[]) => averageFamilies(values, families.map(String)),
  holm: (pValues: number[]) => holm(pValues).map(({ adjustedP }) => adjustedP),
  shareAlpha: (alpha: number, rows: number) => [shareAlpha(alpha, countPairs(rows))],
  findScheduledAlpha: (alpha: number, horizon: number) => [findScheduledAlpha(alpha, horizon)],
  findPushAlpha: (alpha: number, j: number) => [findPushAlpha(alpha, j)],
  sumPushAlphas: (alpha: number, j: number) => [sumPushAlphas(alpha, j)],
  maxTCriticalValue: (rows: number[][], alpha: number) => [
    maxTIntervals(rows, { alpha, seed: 3, resamples: RESAMPLES }).criticalValue,
  ],
  listRankIntervals: (rows: number[][], alpha: number) => {
    const { pairs } = maxTIntervals(rows, { alpha, seed: 3, resamples: RESAMPLES })
    return listRankIntervals(rows.length, pairs).flatMap(({ best, worst }) => [best, worst])
  },
  testNonInferiority: (differences: number[], margin: number) => {
    const found = testNonInferiority(differences, { ...chosen, unitsAre: 'outcomes', margin })
    return found === null ? [null] : [found.lowerBound, found.kind === 'shown' ? 1 : 0]
  },
  tabulatePopulation: (rate: number, gap: number, concentration: number, shiftSpread: number) => {
    const population = tabulatePopulation({ rate, gap, concentration, shiftSpread })
    return [
      average(population, (base) => base),
      average(population, (_, head) => head),
      average(population, (base, head) => base * (1 - head)),
      average(population, (base) => base * base),
    ]
  },
  simulatePower: (
    n: number,
    samples: number,
    rate: number,
    gap: number,
    concentration: number,
    shiftSpread: number,
  ) => {
    const model = { rate, gap, concentration, shiftSpread }
    return [simulatePower({ ...model, n, samples, alpha: 0.05, seed: 17, repetitions: REPETITIONS }).power]
  },
  findSmallestGap: (n: number, min: number, max: number, alpha: number, target: number) => [
    findSmallestGap({ n, alpha, target, discordance: { min, max } }),
  ],
}

function listBounds(interval: Interval | null | undefined): (number | null)[] {
  return interval ? [interval.low, interval.high] : [null]
}

function average({ base, head }: Population, of: (base: number, head: number) => number): number {
  return base.reduce((sum, chance, kind) => sum + of(chance, head[kind]!), 0) / base.length
}

function differs(found: number | null, wanted: number, within: number | undefined): boolean {
  if (found === null) return true
  // Relative, but for what is 0 or cancels to nearly 0 on both sides.
  return !(Math.abs(found - wanted) <= (within ?? Math.max(1e-9 * Math.abs(wanted), 1e-15)))
}

describe('agreement with scipy, statsmodels, numpy and exact sums: to 1e-9, or within the stated error of chance', () => {
  it('has at least 400 values to agree with, most of them exact', () => {
    expect(values.length).toBeGreaterThanOrEqual(400)
    expect(values.filter((value) => value.within === undefined).length).toBeGreaterThanOrEqual(340)
  })

  it('covers every function listed here', () => {
    expect(new Set(values.map((value) => value.of))).toEqual(new Set(Object.keys(functions)))
  })

  it.each(Object.keys(functions))('%s', (of) => {
    const disagreements = values
      .filter((value) => value.of === of)
      .map((value) => ({ ...value, found: (functions[of] as Evaluate)(...value.given) }))
      .filter(({ expect: wanted, found, within }) => {
        const wantedValues = [wanted].flat()
        return (
          found.length !== wantedValues.length ||
          wantedValues.some((number, i) => differs(found[i] ?? null, number, within))
        )
      })
    expect(disagreements).toEqual([])
  })
})
