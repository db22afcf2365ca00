import type { Plan } from '../generate/plan.ts'
import type { AttemptRecord } from '../score/record.ts'
import { DEFAULT_MARGIN, type PairedTest, testPairs } from '../stats/gate.ts'
import { holm, shareAlpha } from '../stats/holm.ts'
import { computePowerRange, findNeededNRange, type NeededRange } from '../stats/power-statement.ts'
import { signFlipInterval } from '../stats/sign-flip-interval.ts'
import type { SweepComparison } from './comparisons-schema.ts'
import { plural } from './format.ts'
import { type Compared, compareManyCells, type PassShares, tabulatePassShares } from './pass-shares.ts'
import { ALPHA, DISCORDANCE, listComparisons, type PlannedComparison, TARGET } from './planned-comparisons.ts'

const GAP = 0.1

export const testWords: Readonly<Record<PairedTest, string>> = {
  mcnemar: 'exact McNemar test',
  'sign-flip': 'exact sign-flip permutation test',
  'sign-flip-estimated': 'sign-flip permutation test, estimated',
}

export interface ComparisonsSource {
  readonly plan: Plan
  readonly attempts: readonly AttemptRecord[]
  /** Why nothing may be gated on the run; then every comparison is blocked. */
  readonly gateRefusals: readonly string[]
}

/** The comparisons that the plan is for, as one family for Holm. */
export function compareRows({ plan, attempts, gateRefusals }: ComparisonsSource): SweepComparison[] {
  const planned = listComparisons(plan)
  if (planned.length === 0) return []
  const shares = tabulatePassShares(plan, attempts)
  const alpha = shareAlpha(ALPHA, planned.length)
  const cheated = countCheated(attempts)
  const comparedAll = compareManyCells(
    shares,
    planned.map(({ cells }) => cells),
    [alpha],
  )
  const tested = planned.map((comparison, index) => {
    const compared = comparedAll[index] as Compared
    const test = compared.units.length === 0 ? null : testPairs(compared.units, shares)
    return {
      comparison,
      compared,
      test,
      blockedBecause: [...gateRefusals, ...listBlocks(comparison, compared, cheated)],
    }
  })
  // One without a p-value was planned all the same, and stays in the family.
  const adjusted = holm(
    tested.map(({ test }) => test?.p ?? 1),
    ALPHA,
  )
  return tested.map(({ comparison, compared, test, blockedBecause }, index): SweepComparison => {
    const { reason, ...summary } = compared.summary
    const adjustedP = test === null ? null : (adjusted[index]?.adjustedP ?? null)
    const [jointInterval = null] = compared.intervals
    const testInterval = test === null ? null : surroundTest(compared, shares, test.p)
    return {
      kind: comparison.kind,
      cells: [...comparison.cells],
      ...summary,
      testInterval,
      jointInterval,
      p: test?.p ?? null,
      adjustedP,
      test: test === null ? null : testWords[test.test],
      outcome: blockedBecause.length > 0 ? 'blocked' : nameOutcome(summary.difference, jointInterval, adjustedP),
      blockedBecause,
      margin: DEFAULT_MARGIN,
      sight: findSight(comparison.kind, summary.units, alpha),
    }
  })
}

function countCheated(attempts: readonly AttemptRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { cell, verification, first } of attempts) {
    if (![verification, first?.verification].some((each) => each?.verdict.kind === 'cheated')) continue
    counts.set(cell, (counts.get(cell) ?? 0) + 1)
  }
  return counts
}

function listBlocks(
  { cells }: PlannedComparison,
  { summary }: Compared,
  cheated: ReadonlyMap<string, number>,
): string[] {
  const { reason, leftOut } = summary
  return [
    ...(reason === null ? [] : [reason]),
    ...(leftOut === 0 ? [] : [`${plural(leftOut, 'problem')} without a verdict on either side`]),
    ...cells.flatMap((cell) => {
      const count = cheated.get(cell) ?? 0
      return count === 0 ? [] : [`${plural(count, 'attempt')} of ${cell} cheated`]
    }),
  ]
}

/** None where no unit differs: what it would be, 0 to 0, is no certainty. */
function surroundTest({ units }: Compared, { seed }: PassShares, p: number): SweepComparison['testInterval'] {
  return units.some((difference) => difference !== 0)
    ? signFlipInterval(units, { alpha: ALPHA, p, seed }).interval
    : null
}

/** The test alone finds a difference; that there is none of the margin takes the cautious interval. */
function nameOutcome(
  difference: SweepComparison['difference'],
  joint: SweepComparison['jointInterval'],
  adjustedP: number | null,
): SweepComparison['outcome'] {
  if (difference === null || joint === null || adjustedP === null) return 'cannot-tell'
  if (adjustedP <= ALPHA) return difference > 0 ? 'higher' : 'lower'
  return joint.low > -DEFAULT_MARGIN && joint.high < DEFAULT_MARGIN ? 'not-detected' : 'cannot-tell'
}

/** Kept between calls: it depends on nothing else, and takes up to a tenth of a second. */
const neededOf = new Map<string, NeededRange>()
const MAX_KEPT = 256

function findSight(kind: PlannedComparison['kind'], n: number, alpha: number): SweepComparison['sight'] {
  const design = { gap: GAP, alpha, discordance: DISCORDANCE[kind] }
  const key = `${kind} ${alpha}`
  const neededN = neededOf.get(key) ?? findNeededNRange({ ...design, target: TARGET })
  if (neededOf.size >= MAX_KEPT) neededOf.clear()
  neededOf.set(key, neededN)
  return { ...design, target: TARGET, power: computePowerRange({ ...design, n }), neededN }
}
