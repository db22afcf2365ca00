import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { invertRegularisedBeta, logGamma, regularisedBeta } from '../../src/stats/beta.ts'
import { binomialCdf, logBinomialPmf } from '../../src/stats/binomial.ts'
import { clopperPearson, type Interval, wilson } from '../../src/stats/intervals.ts'
import { mcnemarP, walkCriticalCounts } from '../../src/stats/mcnemar.ts'
import { invertNormalUpperTail, normalUpperTail } from '../../src/stats/normal.ts'
import { passAtK } from '../../src/stats/pass-at-k.ts'
import { computePower, findNeededN } from '../../src/stats/power.ts'
import { computePowerRange, findNeededNRange } from '../../src/stats/power-statement.ts'

type ReferenceValue = { of: string; given: number[]; expect: number | number[] }

const { values } = JSON.parse(readFileSync(new URL('./reference-values.json', import.meta.url), 'utf8')) as {
  values: ReferenceValue[]
}

const functions: Record<string, (...given: number[]) => (number | null)[]> = {
  passAtK: (n, c, k) => {
    const result = passAtK(n!, c!, k!)
    return [result.kind === 'value' ? result.value : null]
  },
  logGamma: (x) => [logGamma(x!)],
  regularisedBeta: (x, a, b) => [regularisedBeta(x!, a!, b!)],
  invertRegularisedBeta: (p, a, b) => [invertRegularisedBeta(p!, a!, b!)],
  normalUpperTail: (z) => [normalUpperTail(z!)],
  invertNormalUpperTail: (tail) => [invertNormalUpperTail(tail!)],
  logBinomialPmf: (k, n, p) => [logBinomialPmf(k!, n!, p!)],
  binomialCdf: (k, n, p) => [binomialCdf(k!, n!, p!)],
  clopperPearson: (k, n, alpha) => listBounds(clopperPearson(k!, n!, alpha)),
  wilson: (k, n, alpha) => listBounds(wilson(k!, n!, alpha)),
  mcnemarP: (b, c) => [mcnemarP(b!, c!)],
  criticalCount: (pairs, alpha) => {
    const walk = walkCriticalCounts(alpha!)
    for (let skipped = 0; skipped < pairs!; skipped++) walk.next()
    return [walk.next().value]
  },
  computePower: (n, gap, discordance, alpha) => [
    computePower({ n: n!, gap: gap!, discordance: discordance!, alpha: alpha! }),
  ],
  findNeededN: (gap, discordance, alpha, target) => [
    findNeededN({ gap: gap!, discordance: discordance!, alpha: alpha!, target: target! }),
  ],
  computePowerRange: (n, gap, min, max, alpha) => {
    const range = computePowerRange({ n: n!, gap: gap!, discordance: { min: min!, max: max! }, alpha: alpha! })
    return [range.min, range.max]
  },
  findNeededNRange: (gap, min, max, alpha, target) => {
    const discordance = { min: min!, max: max! }
    const range = findNeededNRange({ gap: gap!, discordance, alpha: alpha!, target: target! })
    return [range.min, range.max]
  },
}

function listBounds(interval: Interval | null): (number | null)[] {
  return interval === null ? [null] : [interval.low, interval.high]
}

function differs(found: number | null, wanted: number): boolean {
  if (found === null) return true
  // Relative; the floor is for bounds that are 0 on both sides.
  return !(Math.abs(found - wanted) <= Math.max(1e-9 * Math.abs(wanted), 1e-300))
}

describe('agreement with scipy and exact enumeration to 1e-9, relative', () => {
  it('has at least 400 values to agree with', () => {
    expect(values.length).toBeGreaterThanOrEqual(400)
  })

  it('covers every function listed here', () => {
    expect(new Set(values.map((value) => value.of))).toEqual(new Set(Object.keys(functions)))
  })

  it.each(Object.keys(functions))('%s', (of) => {
    const disagreements = values
      .filter((value) => value.of === of)
      .map((value) => ({ ...value, found: functions[of]!(...value.given) }))
      .filter(({ expect: wanted, found }) => {
        const wantedValues = [wanted].flat()
        return (
          found.length !== wantedValues.length || wantedValues.some((number, i) => differs(found[i] ?? null, number))
        )
      })
    expect(disagreements).toEqual([])
  })
})
