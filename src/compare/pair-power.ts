import { DISCORDANCE, TARGET } from '../report/planned-comparisons.ts'
import { powerStatement } from '../stats/power-statement.ts'
import { findSmallestGap } from '../stats/smallest-gap.ts'
import type { Comparison } from './comparison-schema.ts'

const GAP = 0.1

type PairPower = Comparison['power']

/** Kept between calls: it depends on nothing else, and takes a tenth of a second. */
const known = new Map<string, PairPower>()
const MAX_KNOWN = 256

/** What a comparison of that kind over n independent problems sees at that alpha, with one sample a problem. */
export function statePairPower(kind: PairPower['kind'], n: number, alpha: number): PairPower {
  const key = `${kind} ${n} ${alpha}`
  const found = known.get(key)
  if (found !== undefined) return found
  const design = { n, alpha, discordance: DISCORDANCE[kind], target: TARGET }
  const power = { kind, ...powerStatement({ ...design, gap: GAP }), smallestGap: findSmallestGap(design) }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, power)
  return power
}
