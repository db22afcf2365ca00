import { findSmallestGap } from '../stats/smallest-gap.ts'

/** Planned as for any two conditions of a subject: a section may help some problems and hurt others. */
export const SIGHT = { target: 0.8, discordance: { min: 0.025, max: 0.2 } }

const known = new Map<string, number | null>()
const MAX_KNOWN = 256

/**
 * The smallest true difference that a comparison over `n` independent problems surely sees at that alpha, over the
 * whole planned discordance; null where it sees none. Kept between calls: it takes a tenth of a second and more, and
 * depends on nothing else.
 */
export function findSeenGap(n: number, alpha: number): number | null {
  const key = `${n} ${alpha}`
  const found = known.get(key)
  if (found !== undefined) return found
  const gap = findSmallestGap({ n, alpha, ...SIGHT })
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, gap)
  return gap
}
