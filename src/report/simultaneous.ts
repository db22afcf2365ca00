import type { Plan } from '../generate/plan.ts'
import type { AttemptRecord } from '../score/record.ts'
import { listRankIntervals, maxTIntervals } from '../stats/max-t.ts'
import { averageFamilies } from '../stats/units.ts'
import type { Simultaneous } from './comparisons-schema.ts'
import { groupBy } from './group-by.ts'
import { tabulatePassShares } from './pass-shares.ts'
import { ALPHA } from './planned-comparisons.ts'

/** Rows of one condition that may stand beside each other: what comes after a second turn is no rate of first answers. */
export interface RowGroup {
  readonly condition: string
  readonly cells: readonly string[]
}

export function groupRows({ cells, subjects }: Plan): RowGroup[] {
  const isFixed = new Map(subjects.map(({ id, hasFixTurn }) => [id, hasFixTurn]))
  const groups = groupBy(cells, ({ condition, subject }) => JSON.stringify([condition, isFixed.get(subject)]))
  return [...groups.values()].map((group) => ({
    condition: group[0]?.condition ?? '',
    cells: group.map(({ id }) => id),
  }))
}

const FEWEST_ROWS = 3

/** Nothing of a run on which nothing may be gated: some of its rows are not what was planned. */
export function findSimultaneous(
  plan: Plan,
  attempts: readonly AttemptRecord[],
  gateRefusals: readonly string[],
): Simultaneous[] {
  if (gateRefusals.length > 0 || plan.fixtures.length === 0) return []
  const groups = groupRows(plan).filter(({ cells }) => cells.length >= FEWEST_ROWS)
  if (groups.length === 0) return []
  const shares = tabulatePassShares(plan, attempts)
  return groups.flatMap(({ condition, cells }): Simultaneous[] => {
    const known = cells.map((cell) => (shares.cells.get(cell) ?? []).flatMap(({ share }) => share ?? []))
    if (known.some(({ length }) => length < plan.fixtures.length)) return []
    const rows = known.map((row) => averageFamilies(row, shares.families))
    const { criticalValue, pairs } = maxTIntervals(rows, { alpha: ALPHA, seed: shares.seed })
    const nameOf = (index: number) => cells[index] ?? ''
    return [
      {
        condition,
        units: rows[0]?.length ?? 0,
        criticalValue,
        pairs: pairs.map(({ first, second, difference, interval }) => ({
          cells: [nameOf(first), nameOf(second)],
          difference,
          interval,
        })),
        ranks: listRankIntervals(cells.length, pairs).map(({ best, worst }, index) => ({
          cell: nameOf(index),
          from: best,
          to: worst,
        })),
      },
    ]
  })
}
