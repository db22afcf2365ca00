import type { Cell, Plan, Subject } from '../generate/plan.ts'
import type { AttemptRecord } from '../score/record.ts'
import type { Row } from '../score/row.ts'
import { holm, shareAlpha } from '../stats/holm.ts'
import { signFlipTest } from '../stats/permutation.ts'
import { groupBy } from './group-by.ts'
import { helpCurves, RUNG } from './help-curves.ts'
import type { Ablation, HelpEffects, Lift, PooledLift, Rung } from './help-effects-schema.ts'
import { wasPromptSent } from './known-prompts.ts'
import { type MatchedPair, matchCosts } from './matched-cost.ts'
import { compareCells, type PassShares, tabulatePassShares } from './pass-shares.ts'
import { countUnits } from './planned-comparisons.ts'
import { findSeenGap, SIGHT } from './seen-gap.ts'
import { groupRows } from './simultaneous.ts'

const ABLATION = /^(C\d)-([a-z-]+)$/
const ALPHA = 0.05

export interface HelpEffectsSource {
  readonly plan: Plan
  readonly rows: readonly Row[]
  readonly attempts: readonly AttemptRecord[]
}

/**
 * What language help buys, over the subjects that were sent our prompts: rates with the most help of the ladder less
 * those with the least, the help curve, what each section of the help does, and what two cells took on the problems that
 * both solve. Problems without a verdict on either side are left out and counted.
 */
export function findHelpEffects({ plan, rows, attempts }: HelpEffectsSource): HelpEffects {
  const shares = tabulatePassShares(plan, attempts)
  const ladders = plan.subjects.filter(wasPromptSent).flatMap((subject) => findLadder(plan, subject))
  const ablations = testAblations(plan, shares)
  return {
    lifts: ladders.map((ladder) => findLift(ladder, shares)),
    pooledLifts: poolLifts(ladders, shares),
    curves: helpCurves(plan, rows, shares),
    ablations,
    matchedCosts: matchCosts(plan, attempts, listMatchedPairs(plan, ladders)),
    sight: findSight(plan, ladders.length, ablations.length),
  }
}

interface Ladder {
  readonly subject: string
  readonly isFixed: boolean
  readonly least: Rung & { readonly cell: string }
  readonly most: Rung & { readonly cell: string }
}

/** The rungs with the least and the most help of a subject; none where it has not two with different help. */
function findLadder(plan: Plan, { id, hasFixTurn: isFixed }: Subject): Ladder[] {
  const rungs = plan.cells
    .filter(({ subject, condition }) => subject === id && RUNG.test(condition))
    .map((cell) => ({ cell: cell.id, condition: cell.condition, tokens: tokensOf(plan, cell) }))
    .sort((a, b) => a.tokens - b.tokens)
  const [least, most] = [rungs[0], rungs.at(-1)]
  if (least === undefined || most === undefined || least.tokens === most.tokens) return []
  return [{ subject: id, isFixed, least, most }]
}

function tokensOf({ conditions }: Plan, { condition }: Pick<Cell, 'condition'>): number {
  return conditions.find(({ name }) => name === condition)?.tokens ?? 0
}

function findLift({ subject, least, most }: Ladder, shares: PassShares): Lift {
  return { subject, ...rungsOf(least, most), ...compareCells(shares, [[most.cell, least.cell]]).summary }
}

function poolLifts(ladders: readonly Ladder[], shares: PassShares): PooledLift[] {
  // A rate after a second turn and one of first answers have no mean.
  const groups = groupBy(ladders, ({ isFixed, least, most }) =>
    JSON.stringify([isFixed, least.condition, most.condition]),
  )
  return [...groups.values()].flatMap((group) => {
    const [one] = group
    if (one === undefined || group.length < 2) return []
    const { summary } = compareCells(
      shares,
      group.map(({ least, most }) => [most.cell, least.cell] as const),
    )
    return [{ subjects: group.map(({ subject }) => subject), ...rungsOf(one.least, one.most), ...summary }]
  })
}

function rungsOf(least: Rung, most: Rung): { readonly least: Rung; readonly most: Rung } {
  const bare = ({ condition, tokens }: Rung) => ({ condition, tokens })
  return { least: bare(least), most: bare(most) }
}

/** Each condition without a section against the whole one, where a subject has both. All of them are one family for Holm. */
function testAblations(plan: Plan, shares: PassShares): Ablation[] {
  const asked = new Set(plan.subjects.filter(wasPromptSent).map(({ id }) => id))
  const tested = plan.cells.flatMap((cell) => {
    const [, base, section] = ABLATION.exec(cell.condition) ?? []
    const whole = plan.cells.find(({ subject, condition }) => subject === cell.subject && condition === base)
    if (section === undefined || whole === undefined || !asked.has(cell.subject)) return []
    const { summary, units } = compareCells(shares, [[whole.id, cell.id]])
    const test = units.length === 0 ? null : signFlipTest(units, { seed: shares.seed })
    return [{ cell, whole, section, summary, test }]
  })
  // One without a p-value was planned all the same, and stays in the family.
  const adjusted = holm(
    tested.map(({ test }) => test?.p ?? 1),
    ALPHA,
  )
  return tested.map(({ cell, whole, section, summary, test }, index) => ({
    subject: cell.subject,
    base: whole.condition,
    without: cell.condition,
    section,
    tokens: tokensOf(plan, whole) - tokensOf(plan, cell),
    ...summary,
    p: test?.p ?? null,
    adjustedP: test === null ? null : (adjusted[index]?.adjustedP ?? null),
    test: test === null ? null : nameTest(test.kind, shares),
  }))
}

function nameTest(kind: 'exact' | 'estimated', { unitsAre }: PassShares): string {
  if (kind === 'estimated') return 'sign-flip permutation test, estimated'
  return unitsAre === 'outcomes' ? 'exact McNemar test' : 'exact sign-flip permutation test'
}

/** The ends of each ladder, and each pair of subjects under one condition. */
function listMatchedPairs(plan: Plan, ladders: readonly Ladder[]): MatchedPair[] {
  const help = ladders.map(({ least, most }): MatchedPair => ({ kind: 'help', first: least.cell, second: most.cell }))
  const subjects = groupRows(plan).flatMap(({ cells }) =>
    cells.flatMap((first, index) =>
      cells.slice(index + 1).map((second): MatchedPair => ({ kind: 'subjects', first, second })),
    ),
  )
  return [...help, ...subjects]
}

function findSight(plan: Plan, lifts: number, ablations: number): HelpEffects['sight'] {
  const units = countUnits(plan)
  return {
    units,
    ...SIGHT,
    lift: lifts === 0 ? null : findSeenGap(units, ALPHA),
    ablation: ablations === 0 ? null : findSeenGap(units, shareAlpha(ALPHA, ablations)),
  }
}
