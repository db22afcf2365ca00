import { billedUsd } from '../generate/cost.ts'
import type { Plan, Subject } from '../generate/plan.ts'
import type { Answer } from '../models/provider.ts'
import { type AttemptRecord, answersOf } from '../score/record.ts'
import { ratioOfMeans } from '../stats/paired-ratio.ts'
import { averageFamilies } from '../stats/units.ts'
import { groupBy } from './group-by.ts'
import type { MatchedAmount, MatchedCost } from './help-effects-schema.ts'

/** Two cells to be compared by what they took. */
export type MatchedPair = Pick<MatchedCost, 'kind' | 'first' | 'second'>

interface Solved {
  readonly subject: Subject
  /** One for each turn. */
  readonly answers: readonly Answer[]
}

/**
 * What two cells took on the problems that both solve with their first sample: elsewhere one of them may be cheap for
 * giving up. Nothing is compared where there is no such problem.
 */
export function matchCosts(
  plan: Plan,
  attempts: readonly AttemptRecord[],
  pairs: readonly MatchedPair[],
): MatchedCost[] {
  const subjects = new Map(plan.subjects.map((subject) => [subject.id, subject]))
  const solvedOf = new Map(
    [...groupBy(attempts, ({ cell }) => cell)].map(([cell, all]) => [cell, findSolved(all, subjects)] as const),
  )
  return pairs.map((pair) => {
    const [first, second] = [solvedOf.get(pair.first), solvedOf.get(pair.second)]
    const both = plan.fixtures.flatMap(({ id, family }) => {
      const [a, b] = [first?.get(id), second?.get(id)]
      return a === undefined || b === undefined ? [] : [{ family, first: a, second: b }]
    })
    return {
      ...pair,
      fixtures: both.length,
      tokens: compareAmounts(both, (solved) => sumOver(solved, tokensOf)),
      usd: compareAmounts(both, (solved) => sumOver(solved, (answer) => billedUsd(solved.subject, answer))),
      latencyMs: compareAmounts(both, (solved) => sumOver(solved, ({ latencyMs }) => latencyMs)),
    }
  })
}

function findSolved(attempts: readonly AttemptRecord[], subjects: ReadonlyMap<string, Subject>): Map<string, Solved> {
  return new Map(
    attempts.flatMap((attempt) => {
      const subject = subjects.get(attempt.subject)
      if (attempt.sample !== 0 || attempt.verification?.verdict.kind !== 'passed' || subject === undefined) return []
      return [[attempt.fixture, { subject, answers: answersOf(attempt) }] as const]
    }),
  )
}

function tokensOf({ usage }: Answer): number | null {
  if (usage === null || usage.promptTokens === null || usage.completionTokens === null) return null
  return usage.promptTokens + usage.completionTokens
}

/** No answer takes as many tokens, dollars or milliseconds: in a report from elsewhere anything may stand. */
const MAX_AMOUNT = 1e15

/** Null unless every turn told an amount that there can be. */
function sumOver({ answers }: Solved, amountOf: (answer: Answer) => number | null): number | null {
  const amounts = answers.map(amountOf)
  const known = amounts.filter((amount) => amount !== null && amount >= 0 && amount <= MAX_AMOUNT)
  return known.length < amounts.length ? null : known.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)
}

interface Both {
  readonly family: string | null
  readonly first: Solved
  readonly second: Solved
}

function compareAmounts(both: readonly Both[], amountOf: (solved: Solved) => number | null): MatchedAmount {
  const known = both.flatMap(({ family, first, second }) => {
    const [a, b] = [amountOf(first), amountOf(second)]
    return a === null || b === null ? [] : [{ family, first: a, second: b }]
  })
  const fixtures = known.length
  if (fixtures === 0) {
    const reason = both.length === 0 ? 'no problem is solved by both' : 'unknown for every problem that both solve'
    return { fixtures, first: null, second: null, ratio: null, interval: null, reason }
  }
  const families = known.map(({ family }) => family)
  const [firsts, seconds] = [
    averageFamilies(
      known.map(({ first }) => first),
      families,
    ),
    averageFamilies(
      known.map(({ second }) => second),
      families,
    ),
  ]
  const found = ratioOfMeans(firsts.map((first, index) => ({ first, second: seconds[index] as number })))
  return {
    fixtures,
    first: meanOf(firsts),
    second: meanOf(seconds),
    ratio: found.ratio,
    interval: found.kind === 'ratio' ? found.interval : null,
    reason: found.kind === 'ratio' ? null : found.reason,
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
