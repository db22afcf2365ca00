import type { Cell, Plan } from '../generate/plan.ts'
import type { Range } from '../stats/paired-design.ts'
import { type PowerStatement, powerStatement } from '../stats/power-statement.ts'
import { statePower } from './power-words.ts'

/** Two rows of one sweep on the same problems. */
export interface PlannedComparison {
  /** Two checkpoints of a model, two other subjects, or one subject with more and with least help. */
  readonly kind: 'checkpoints' | 'subjects' | 'help'
  /** Ids of the two cells; of `help` the second has the least help. */
  readonly cells: readonly [string, string]
}

/** What all comparisons of one kind can see. */
export interface ComparisonPower {
  readonly kind: PlannedComparison['kind']
  readonly comparisons: number
  /** One for each of the gaps, the smallest first. */
  readonly statements: readonly PowerStatement[]
}

/** How many problems count as independent: a family of several counts once. */
export function countUnits(plan: Plan): number {
  return new Set(plan.fixtures.map(({ id, family }) => (family === null ? `fixture ${id}` : `family ${family}`))).size
}

/**
 * The comparisons that a plan is for: each pair of subjects under one condition, and each condition of a subject
 * against that with the fewest tokens of help.
 */
export function listComparisons({ cells, subjects, conditions }: Plan): PlannedComparison[] {
  const modelOf = new Map(subjects.map(({ id, model, harness }) => [id, `${harness} ${model}`]))
  const isFixed = new Map(subjects.map(({ id, hasFixTurn }) => [id, hasFixTurn]))
  const tokensOf = new Map(conditions.map(({ name, tokens }) => [name, tokens]))
  const pairs = cells.flatMap((first, index) =>
    cells.slice(index + 1).flatMap((second): PlannedComparison[] => {
      if (first.condition !== second.condition) return []
      // A rate after a second turn is not one of first answers.
      if (isFixed.get(first.subject) !== isFixed.get(second.subject)) return []
      const isOneModel = modelOf.get(first.subject) === modelOf.get(second.subject)
      return [{ kind: isOneModel ? 'checkpoints' : 'subjects', cells: [first.id, second.id] }]
    }),
  )
  const help = subjects.flatMap(({ id }): PlannedComparison[] => {
    const own = cells.filter(({ subject }) => subject === id)
    const tokens = ({ condition }: Cell) => tokensOf.get(condition) ?? 0
    const least = own.reduce<Cell | null>((best, cell) => (best && tokens(best) <= tokens(cell) ? best : cell), null)
    return least === null
      ? []
      : own.filter((cell) => cell !== least).map((cell) => ({ kind: 'help', cells: [cell.id, least.id] }))
  })
  return [...pairs, ...help]
}

/** Two-sided, of all comparisons of a sweep together. */
export const ALPHA = 0.05
/** How often a true difference is to be noticed. */
export const TARGET = 0.8
const GAPS = [0.1, 0.15, 0.2]

/** Planned shares of problems that only the worse row passes: checkpoints of a model differ less than models. */
export const DISCORDANCE: Readonly<Record<PlannedComparison['kind'], Range>> = {
  checkpoints: { min: 0.025, max: 0.075 },
  subjects: { min: 0.025, max: 0.2 },
  help: { min: 0.025, max: 0.2 },
}

/**
 * What each kind of comparison can see over the independent problems of a plan, at the strictest level of Holm's
 * procedure over all its comparisons: 5 % by their number.
 */
export function statePowers(plan: Plan, comparisons: readonly PlannedComparison[]): ComparisonPower[] {
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

/**
 * What a plan can see of the smallest gap, as every output says it: by the kind of its comparisons that sees least; of a row alone
 * against another run.
 */
export function statePlanPower(plan: Plan): PowerStatement {
  const smallest = statePowers(plan, listComparisons(plan)).flatMap(({ statements }) => statements.slice(0, 1))
  const [first, ...others] = smallest
  if (first === undefined) return statePower(countUnits(plan))
  // By what it takes: over few problems every kind sees nothing.
  const most = ({ neededN }: PowerStatement) => neededN.max ?? Number.POSITIVE_INFINITY
  return others.reduce((least, each) => (most(each) > most(least) ? each : least), first)
}
