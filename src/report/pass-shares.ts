import type { Plan } from '../generate/plan.ts'
import type { AttemptRecord } from '../score/record.ts'
import type { Interval } from '../stats/intervals.ts'
import { surroundDifferences } from '../stats/paired-interval.ts'
import { averageFamilies } from '../stats/units.ts'
import { groupBy } from './group-by.ts'
import type { Difference } from './help-effects-schema.ts'

/** What became of one problem in one cell; `share` is of the samples with a verdict, null without one. */
export interface PassShare {
  readonly passed: number
  readonly judged: number
  readonly share: number | null
}

/** The samples of each cell, and what they have to be compared by. */
export interface PassShares {
  /** By cell, in the order of the plan's problems. */
  readonly cells: ReadonlyMap<string, readonly PassShare[]>
  /** Cells with prompts that did not fit the context; nothing is compared with those. */
  readonly overlong: ReadonlySet<string>
  readonly families: readonly (string | null)[]
  /** `outcomes` with one sample a problem and no family of several. */
  readonly unitsAre: 'outcomes' | 'means'
  readonly seed: number
}

export function tabulatePassShares(plan: Plan, attempts: readonly AttemptRecord[]): PassShares {
  const ofCell = groupBy(attempts, ({ cell }) => cell)
  const families = plan.fixtures.map(({ family }) => family)
  const shared = families.filter((family) => family !== null)
  return {
    cells: new Map(
      plan.cells.map(({ id }) => {
        const ofFixture = groupBy(ofCell.get(id) ?? [], ({ fixture }) => fixture)
        return [id, plan.fixtures.map((fixture) => shareOf(ofFixture.get(fixture.id) ?? []))] as const
      }),
    ),
    overlong: new Set(
      attempts
        .filter(({ completion }) => completion.kind === 'not-attempted' && completion.why === 'context')
        .map(({ cell }) => cell),
    ),
    families,
    unitsAre: plan.samples === 1 && new Set(shared).size === shared.length ? 'outcomes' : 'means',
    // A generator's seed is not negative.
    seed: Math.abs(plan.seed),
  }
}

function shareOf(attempts: readonly AttemptRecord[]): PassShare {
  const judged = attempts.filter(
    ({ completion, verification }) => completion.kind === 'answered' && verification !== null,
  )
  const passed = judged.filter(({ verification }) => verification?.verdict.kind === 'passed').length
  return { passed, judged: judged.length, share: judged.length === 0 ? null : passed / judged.length }
}

/** A comparison and the units it was made from, first side less second; no unit where nothing may be compared. */
export interface Compared {
  readonly summary: Difference
  readonly units: readonly number[]
  /** One for each level asked for; null where nothing may be compared. */
  readonly intervals: readonly (Interval | null)[]
}

/** Of an interval that stands for itself. */
const ALPHA = 0.05

/**
 * The pass rate of `pairs` of cells, first less second, over the problems with a verdict in all of them. Of several
 * pairs each problem's mean difference is taken first.
 */
export function compareCells(shares: PassShares, pairs: readonly (readonly [string, string])[]): Compared {
  const unitsAre = pairs.length === 1 ? shares.unitsAre : 'means'
  return surroundAll([pairProblems(shares, pairs)], { unitsAre, seed: shares.seed, alphas: [ALPHA] })[0] as Compared
}

/** The same of many single pairs, with their intervals at other levels, too: cheaper together. */
export function compareManyCells(
  shares: PassShares,
  pairs: readonly (readonly [string, string])[],
  alphas: readonly number[],
): Compared[] {
  const { unitsAre, seed } = shares
  return surroundAll(
    pairs.map((pair) => pairProblems(shares, [pair])),
    { unitsAre, seed, alphas: [ALPHA, ...alphas] },
  ).map(({ intervals, ...rest }) => ({ ...rest, intervals: intervals.slice(1) }))
}

interface PairedProblems {
  readonly kept: readonly { readonly family: string | null; readonly difference: number }[]
  readonly leftOut: number
  /** Why nothing may be compared, or null. */
  readonly reason: string | null
}

function pairProblems(shares: PassShares, pairs: readonly (readonly [string, string])[]): PairedProblems {
  const overlong = pairs.flat().find((cell) => shares.overlong.has(cell))
  const kept = shares.families.flatMap((family, index) => {
    const differences = pairs.map(([first, second]) => differenceAt(shares, first, second, index))
    const known = differences.filter((difference) => difference !== null)
    return known.length < pairs.length ? [] : [{ family, difference: meanOf(known) }]
  })
  const leftOut = shares.families.length - kept.length
  if (overlong !== undefined) return { kept: [], leftOut, reason: `prompts of ${overlong} did not fit the context` }
  return { kept, leftOut, reason: kept.length === 0 ? 'no problem has a verdict on both sides' : null }
}

function surroundAll(
  all: readonly PairedProblems[],
  options: { readonly unitsAre: PassShares['unitsAre']; readonly seed: number; readonly alphas: readonly number[] },
): Compared[] {
  const rows = all.map(({ kept }) =>
    averageFamilies(
      kept.map(({ difference }) => difference),
      kept.map(({ family }) => family),
    ),
  )
  const found = surroundDifferences(rows, options)
  return all.map(({ kept, leftOut, reason }, row): Compared => {
    const units = rows[row] ?? []
    const own = found[row] ?? []
    return {
      summary: {
        difference: units.length === 0 ? null : meanOf(units),
        interval: own[0]?.interval ?? null,
        method: own[0]?.method ?? null,
        fixtures: kept.length,
        units: units.length,
        leftOut,
        more: kept.filter(({ difference }) => difference > 0).length,
        less: kept.filter(({ difference }) => difference < 0).length,
        reason,
      },
      units,
      intervals: own.map((each) => each?.interval ?? null),
    }
  })
}

function differenceAt({ cells }: PassShares, first: string, second: string, index: number): number | null {
  const [a, b] = [cells.get(first)?.[index]?.share ?? null, cells.get(second)?.[index]?.share ?? null]
  return a === null || b === null ? null : a - b
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
