import type { Cell, Plan } from '../generate/plan.ts'
import { countUnits } from '../report/caveat.ts'
import { type PowerStatement, powerStatement } from '../stats/power-statement.ts'

/** Two rows of one sweep on the same problems. */
export interface Comparison {
  /** Two checkpoints of a model, two other subjects, or one subject with more and with least help. */
  readonly kind: 'checkpoints' | 'subjects' | 'help'
  /** Ids of the two cells; of `help` the second has the least help. */
  readonly cells: readonly [string, string]
}

/** What all comparisons of one kind can see. */
export interface ComparisonPower {
  readonly kind: Comparison['kind']
  readonly comparisons: number
  /** One for each of the gaps, the smallest first. */
  readonly statements: readonly PowerStatement[]
}

/**
 * The comparisons that a plan is for: each pair of subjects under one condition, and each condition of a subject
 * against that with the fewest tokens of help.
 */
export function listComparisons({ cells, subjects, conditions }: Plan): Comparison[] {
  const modelOf = new Map(subjects.map(({ id, model, harness }) => [id, `${harness} ${model}`]))
  const tokensOf = new Map(conditions.map(({ name, tokens }) => [name, tokens]))
  const pairs = cells.flatMap((first, index) =>
    cells.slice(index + 1).flatMap((second): Comparison[] => {
      if (first.condition !== second.condition) return []
      const isOneModel = modelOf.get(first.subject) === modelOf.get(second.subject)
      return [{ kind: isOneModel ? 'checkpoints' : 'subjects', cells: [first.id, second.id] }]
    }),
  )
  const help = subjects.flatMap(({ id }): Comparison[] => {
    const own = cells.filter(({ subject }) => subject === id)
    const tokens = ({ condition }: Cell) => tokensOf.get(condition) ?? 0
    const least = own.reduce<Cell | null>((best, cell) => (best && tokens(best) <= tokens(cell) ? best : cell), null)
    return least === null
      ? []
      : own.filter((cell) => cell !== least).map((cell) => ({ kind: 'help', cells: [cell.id, least.id] }))
  })
  return [...pairs, ...help]
}

const GAPS = [0.1, 0.15, 0.2]
const ALPHA = 0.05
const TARGET = 0.8

/** Planned shares of problems that only the worse row passes: checkpoints of a model differ less than models. */
const DISCORDANCE: Readonly<Record<Comparison['kind'], { readonly min: number; readonly max: number }>> = {
  checkpoints: { min: 0.025, max: 0.075 },
  subjects: { min: 0.025, max: 0.2 },
  help: { min: 0.025, max: 0.2 },
}

/**
 * What each kind of comparison can see over the independent problems of a plan, at the strictest level of Holm's
 * procedure over all its comparisons: 5 % by their number.
 */
export function statePowers(plan: Plan, comparisons: readonly Comparison[]): ComparisonPower[] {
  const n = countUnits(plan)
  const alpha = ALPHA / Math.max(1, comparisons.length)
  return (['checkpoints', 'subjects', 'help'] as const).flatMap((kind) => {
    const ofKind = comparisons.filter((comparison) => comparison.kind === kind).length
    if (ofKind === 0) return []
    const statements = GAPS.map((gap) =>
      powerStatement({ n, gap, alpha, discordance: DISCORDANCE[kind], target: TARGET }),
    )
    return [{ kind, comparisons: ofKind, statements }]
  })
}
