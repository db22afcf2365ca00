import { type RankOutcome, rank } from '../stats/rank.ts'
import { tabulatePassShares } from './pass-shares.ts'
import { ALPHA, DISCORDANCE, TARGET } from './planned-comparisons.ts'
import type { Report } from './schema.ts'
import { groupRows } from './simultaneous.ts'

/** The gap that a ranked table has to be able to tell apart. */
const GAP = 0.1

export interface Ranking {
  readonly condition: string
  readonly outcome: RankOutcome
}

/** For each condition with two rows or more: a ranked table, or why there is none. */
export function rankRows({ plan, attempts, gateRefusals }: Report): Ranking[] {
  const groups = groupRows(plan).filter(({ cells }) => cells.length >= 2)
  if (groups.length === 0) return []
  const shares = tabulatePassShares(plan, attempts)
  return groups.map(({ condition, cells }) => {
    const rows = cells.map((id) => ({ id, shares: (shares.cells.get(id) ?? []).map(({ share }) => share) }))
    const outcome = rank(rows, {
      families: shares.families,
      gap: GAP,
      target: TARGET,
      alpha: ALPHA,
      discordance: DISCORDANCE.subjects,
      seed: shares.seed,
    })
    if (gateRefusals.length === 0 || outcome.kind === 'refused') return { condition, outcome }
    const { n, neededN } = outcome.table
    return { condition, outcome: { kind: 'refused', reason: gateRefusals.join('; '), neededN, n } }
  })
}
