import { countPairs, shareAlpha } from './holm.ts'
import type { Interval } from './intervals.ts'
import { listRankIntervals, maxTIntervals } from './max-t.ts'
import type { Range } from './paired-design.ts'
import { findNeededNRange } from './power-statement.ts'
import { averageFamilies } from './units.ts'

/** The share of passed samples of each fixture, null without a verdict; all rows in the same order of fixtures. */
export type RankRow = { readonly id: string; readonly shares: readonly (number | null)[] }

export type RankDesign = {
  /** The family of each fixture, null for none. */
  readonly families: readonly (string | null)[]
  /** The gap that a ranked table promises to tell apart, and how often. */
  readonly gap: number
  readonly target: number
  /** Of all pairs together. */
  readonly alpha: number
  /** Planned minority discordance; its worst case counts. */
  readonly discordance: Range
  readonly seed: number
}

export type RankedRow = {
  readonly id: string
  /** Mean over units. */
  readonly rate: number
  /** The ranks that the data leaves open, 1 the highest; over all rows together with the chance 1 - alpha. */
  readonly ranks: { readonly from: number; readonly to: number }
}

/** Nothing else has this key, and it is not exported: only `rank` makes a ranked table. */
const made: unique symbol = Symbol('made by rank')

export type RankedTable = {
  readonly [made]: true
  /** By rate, the highest first; rows of equal rates in the order given. */
  readonly rows: readonly RankedRow[]
  readonly pairs: readonly { readonly first: string; readonly second: string; readonly interval: Interval }[]
  readonly n: number
  readonly neededN: number
  readonly design: RankDesign
}

export type RankOutcome =
  | { readonly kind: 'ranked'; readonly table: RankedTable }
  | {
      readonly kind: 'refused'
      readonly reason: string
      /** Independent units that the table takes; null where no practical number is enough, or nothing is to rank. */
      readonly neededN: number | null
      /** Independent units with a verdict in every row. */
      readonly n: number
    }

/**
 * A ranked table, where the data can carry one: as many independent units with a verdict in every row as each pair takes
 * to tell the gap apart at alpha divided by the number of pairs, in the worst case of the planned discordance. It shows
 * intervals of ranks (`listRankIntervals`), never bare ranks.
 *
 * @throws RangeError for rows of different lengths, shares outside [0, 1], or a design out of range.
 */
export function rank(rows: readonly RankRow[], design: RankDesign): RankOutcome {
  const { families, gap, target, alpha, discordance, seed } = design
  for (const { id, shares } of rows) {
    if (shares.length !== families.length) {
      throw new RangeError(`row ${id} has ${shares.length} fixtures, the design ${families.length}`)
    }
  }
  const kept = families.flatMap((_, index) => (rows.every(({ shares }) => shares[index] !== null) ? [index] : []))
  const keptFamilies = kept.map((index) => families[index] ?? null)
  const units = rows.map(({ shares }) =>
    averageFamilies(
      kept.map((index) => shares[index] as number),
      keptFamilies,
    ),
  )
  const n = units[0]?.length ?? 0
  if (rows.length < 2) return { kind: 'refused', reason: 'there are not two rows to put in an order', neededN: null, n }
  const neededN = findNeeded({ gap, alpha: shareAlpha(alpha, countPairs(rows.length)), discordance, target })
  const points = Number((gap * 100).toFixed(1))
  if (neededN === null) {
    return { kind: 'refused', reason: `no practical number of problems tells ${points} points apart`, neededN, n }
  }
  if (n < neededN) {
    const reason = `to order ${rows.length} rows that lie ${points} points apart takes ${neededN} independent problems with a verdict in every row, and there ${n === 1 ? 'is' : 'are'} ${n}`
    return { kind: 'refused', reason, neededN, n }
  }
  const { pairs } = maxTIntervals(units, { alpha, seed })
  const ranks = listRankIntervals(rows.length, pairs)
  const ranked = rows.map(({ id }, index): RankedRow => {
    const own = units[index] ?? []
    const span = ranks[index]
    return {
      id,
      rate: own.reduce((sum, value) => sum + value, 0) / n,
      ranks: { from: span?.best ?? 1, to: span?.worst ?? rows.length },
    }
  })
  const table: RankedTable = {
    [made]: true,
    rows: ranked.sort((a, b) => b.rate - a.rate),
    pairs: pairs.map(({ first, second, interval }) => ({
      first: rows[first]?.id ?? '',
      second: rows[second]?.id ?? '',
      interval,
    })),
    n,
    neededN,
    design,
  }
  return { kind: 'ranked', table }
}

/** Kept between calls: every condition of a report asks for the same, and it takes a tenth of a second. */
const known = new Map<string, number | null>()
const MAX_KNOWN = 256

function findNeeded(plan: Parameters<typeof findNeededNRange>[0]): number | null {
  const key = JSON.stringify(plan)
  const found = known.get(key)
  if (found !== undefined) return found
  const { max } = findNeededNRange(plan)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, max)
  return max
}
