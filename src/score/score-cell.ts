import { attemptId } from '../generate/journal.ts'
import type { Cell, Plan, PlannedFixture, Subject } from '../generate/plan.ts'
import type { VerdictKind } from '../verify/verdict.ts'
import { findCleanFixtures } from './clean-fixtures.ts'
import { measureConsumption } from './consumption.ts'
import { rankFailures } from './failures.ts'
import { countFixes } from './fixes.ts'
import { countFunnel } from './funnel.ts'
import { meanPassAtK } from './mean-pass-at-k.ts'
import { estimateRate } from './rate.ts'
import { type AttemptRecord, answersOf } from './record.ts'
import type { Row } from './row.ts'

type Outcome = Row['firstSamples'][number]['outcome']
type Judged = { readonly fixture: string; readonly verdict: NonNullable<AttemptRecord['verification']>['verdict'] }

/**
 * The score of one cell. `records` may hold those of other cells; a planned attempt without a record counts as not
 * attempted, so a fixture without any attempt still shows.
 * @throws Error when the cell is not of the plan (a bug of the caller).
 */
export function scoreCell(plan: Plan, cell: Cell, records: readonly AttemptRecord[]): Row {
  const subject = plan.subjects.find((each) => each.id === cell.subject)
  const condition = plan.conditions.find((each) => each.name === cell.condition)
  if (subject === undefined || condition === undefined) throw new Error(`cell ${cell.id} is not of this plan`)

  const byId = new Map(records.map((record) => [record.attempt, record]))
  const samplesOf = (fixture: PlannedFixture) =>
    Array.from({ length: plan.samples }, (_, sample) => byId.get(attemptId(cell.id, fixture.id, sample)) ?? null)
  const fixtures = plan.fixtures.map((fixture) => ({ fixture, samples: samplesOf(fixture) }))
  const attempts = fixtures.flatMap(({ samples }) => samples)
  const judged = attempts.flatMap(judgedOf)
  const passes = judged.filter(({ verdict }) => verdict.kind === 'passed').length
  const kinds = judged.map(({ verdict }) => verdict.kind)
  const funnel = countFunnel(kinds)
  const accepted = funnel.find(({ stage }) => stage === 'check')?.count ?? 0
  const firsts = fixtures.map(({ fixture, samples }) => ({ fixture, outcome: outcomeOf(samples[0] ?? null) }))
  const dependence = describeDependence(plan.fixtures)
  const answers = attempts
    .map((record) => (record === null ? [] : answersOf(record)))
    .filter(({ length }) => length > 0)

  return {
    cell: cell.id,
    subject: subject.id,
    harness: subject.harness,
    condition: condition.name,
    helpTokens: condition.tokens,
    fixtures: fixtures.length,
    samples: plan.samples,
    headline: decideHeadline(firsts.map(({ outcome }) => outcome)),
    attempts: countAttempts(attempts, judged.length),
    firstSamples: firsts.map(({ fixture, outcome }) => ({ fixture: fixture.id, outcome })),
    firstSample: rateOf(firsts, dependence),
    passAtK: plan.k.map((k) =>
      meanPassAtK(
        k,
        fixtures.map(({ fixture, samples }) => {
          const verdicts = samples.flatMap(judgedOf)
          const passed = verdicts.filter(({ verdict }) => verdict.kind === 'passed').length
          return { fixture: fixture.id, judged: verdicts.length, passed }
        }),
        dependence,
      ),
    ),
    bounds: boundRates(
      firsts.map(({ outcome }) => outcome),
      attempts.map(outcomeOf),
    ),
    compile: { accepted, judged: judged.length, rate: judged.length === 0 ? null : accepted / judged.length },
    funnel,
    verdicts: countBy(kinds),
    failures: rankFailures(judged),
    cheated: count(kinds, 'cheated'),
    unsupported: count(kinds, 'unsupported'),
    uncontaminated: scoreUncontaminated(subject, firsts, dependence),
    fix: subject.hasFixTurn
      ? countFixes(
          attempts.filter((record) => record !== null),
          dependence,
        )
      : null,
    ...measureConsumption(subject, answers, passes),
    byDifficulty: breakDown(firsts, (fixture) => [fixture.difficulty]),
    byTag: breakDown(firsts, (fixture) => fixture.tags),
  }
}

type First = { readonly fixture: PlannedFixture; readonly outcome: Outcome }

function judgedOf(record: AttemptRecord | null): Judged[] {
  if (record === null || record.verification === null || record.completion.kind !== 'answered') return []
  return [{ fixture: record.fixture, verdict: record.verification.verdict }]
}

function outcomeOf(record: AttemptRecord | null): Outcome {
  const [judged] = judgedOf(record)
  if (judged === undefined) return 'missing'
  return judged.verdict.kind === 'passed' ? 'passed' : 'failed'
}

function countAttempts(attempts: readonly (AttemptRecord | null)[], judged: number): Row['attempts'] {
  const completions = attempts.map((record) => record?.completion ?? null)
  const answered = completions.filter((completion) => completion?.kind === 'answered').length
  return {
    planned: attempts.length,
    judged,
    unverified: answered - judged,
    infraErrors: countBy(completions.flatMap((each) => (each?.kind === 'infra-error' ? [each.class] : []))),
    notAttempted: countBy(
      completions.flatMap((each) => (each === null ? ['unrecorded'] : each.kind === 'not-attempted' ? [each.why] : [])),
    ),
  }
}

function decideHeadline(firsts: readonly Outcome[]): Row['headline'] {
  const missing = count(firsts, 'missing')
  if (firsts.length === 0) return { kind: 'withheld', reason: 'there are no problems' }
  if (missing === 0) return { kind: 'ok' }
  return {
    kind: 'withheld',
    reason: `the first sample of ${missing} of ${firsts.length} problems has no verdict`,
  }
}

function rateOf(firsts: readonly First[], dependence: string | null): Row['firstSample'] {
  const outcomes = firsts.map(({ outcome }) => outcome)
  return estimateRate(count(outcomes, 'passed'), outcomes.length - count(outcomes, 'missing'), dependence)
}

function boundRates(firsts: readonly Outcome[], all: readonly Outcome[]): Row['bounds'] {
  if (count(all, 'missing') === 0) return null
  const bound = (outcomes: readonly Outcome[]) => ({
    allFailed: count(outcomes, 'passed') / outcomes.length,
    allPassed: (outcomes.length - count(outcomes, 'failed')) / outcomes.length,
  })
  return { firstSample: bound(firsts), allAttempts: bound(all) }
}

function scoreUncontaminated(
  subject: Subject,
  firsts: readonly First[],
  dependence: string | null,
): Row['uncontaminated'] {
  const clean = findCleanFixtures(
    subject,
    firsts.map(({ fixture }) => fixture),
  )
  if (clean.kind === 'unknown') return clean
  const { cutoff, source, ids } = clean
  const shown = firsts.filter(({ fixture }) => ids.has(fixture.id))
  return { kind: 'known', cutoff, source, fixtures: ids.size, firstSample: rateOf(shown, dependence) }
}

function describeDependence(fixtures: readonly PlannedFixture[]): string | null {
  const families = fixtures.flatMap(({ family }) => (family === null ? [] : [family]))
  const isShared = new Set(families).size < families.length
  return isShared
    ? 'problems of one family are not independent of each other, and no interval here allows for that'
    : null
}

function breakDown(firsts: readonly First[], namesOf: (fixture: PlannedFixture) => readonly string[]): Row['byTag'] {
  const names = [...new Set(firsts.flatMap(({ fixture }) => namesOf(fixture)))]
  return names.map((name) => {
    const outcomes = firsts.filter(({ fixture }) => namesOf(fixture).includes(name)).map(({ outcome }) => outcome)
    return {
      name,
      fixtures: outcomes.length,
      judged: outcomes.length - count(outcomes, 'missing'),
      passed: count(outcomes, 'passed'),
    }
  })
}

function count<Item>(items: readonly Item[], wanted: Item): number {
  return items.filter((item) => item === wanted).length
}

function countBy(names: readonly (string | VerdictKind)[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
