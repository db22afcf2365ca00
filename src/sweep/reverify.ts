import { isDeepStrictEqual } from 'node:util'
import { BenchError } from '../bench-error.ts'
import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import { fixTurnId } from '../generate/journal.ts'
import { orderAttempts } from '../generate/order.ts'
import { countAttempts, isOfShard, shardOf } from '../generate/shard.ts'
import type { Completion } from '../models/provider.ts'
import type { Report } from '../report/schema.ts'
import type { AttemptRecord } from '../score/record.ts'
import { scoreCell } from '../score/score-cell.ts'
import { describeFeedback } from '../verify/feedback.ts'
import { createRunKey } from '../verify/run-key.ts'
import { isMendable, type Verification } from '../verify/verdict.ts'
import { describeKind, describeVerdict } from '../verify/verdict-text.ts'
import { createVerifier, type Verifier } from '../verify/verify.ts'
import { describeFixture } from './build-plan.ts'

/** Something the report says that does not come out again; `of` is an attempt, `problem ID`, `row CELL` or `run.complete`. */
export interface Finding {
  readonly of: string
  readonly problem: string
}

export interface Reverification {
  /** Verdicts that were tried again: those on attempts of the plan, each attempt once. */
  readonly verdicts: number
  /** Of those, the ones whose verification came out the same. */
  readonly same: number
  readonly findings: readonly Finding[]
}

/**
 * Verifies every answer of a report again, with the controls that its run key chose, and derives again what follows
 * from the attempts, the plan and the corpus.
 * @throws BenchError `reproduce/empty` when the report has no verdict at all.
 */
export async function reverify(engine: Engine, fixtures: readonly Fixture[], report: Report): Promise<Reverification> {
  if (report.attempts.every(({ verification }) => verification === null)) {
    throw new BenchError({
      code: 'reproduce/empty',
      message: 'The report has no verdict, so there is nothing that could come out again.',
      hint: 'Give the report of a run that got answers.',
    })
  }
  const byId = new Map(fixtures.map((fixture) => [fixture.id, fixture]))
  const { planned, findings: strays } = comparePlan(report)
  const verifierOf = createVerifiers(engine, report.run)
  const results = await Promise.all(
    planned.flatMap(listVerdicts).map(async ({ of, cell, fixture: id, completion, was, told }) => {
      const fixture = byId.get(id)
      if (fixture === undefined) return [{ of, problem: 'its verdict is not to be had: the corpus lacks the problem' }]
      if (completion.kind !== 'answered') return [{ of, problem: 'its verdict is not to be had: there is no answer' }]
      const { verifier, isSameKey } = verifierOf(cell, id)
      const is = await verifier.verify(fixture, completion)
      const isToldElse = told !== null && told !== (await describeFeedback(engine, fixture, is))
      return [
        ...findDifferences(was, is, isSameKey),
        ...(isToldElse ? ['another text comes out for its second turn'] : []),
      ].map((problem) => ({ of, problem }))
    }),
  )
  return {
    verdicts: results.length,
    same: results.filter((problems) => problems.length === 0).length,
    findings: [
      ...findForeignFixtures(report, byId),
      ...strays,
      ...results.flat(),
      ...findWrongTurns(report, planned),
      ...findUnfoundedRows(report),
      ...findFalseCompleteness(report, planned),
    ],
  }
}

interface KeyedVerifier {
  readonly verifier: Verifier
  readonly isSameKey: boolean
}

/**
 * What verifies the attempts of a cell on a fixture, under the key of the run or, where it was merged, of their shard. A
 * killed run never told its key: other controls are tried, which agree in kind but not in the inputs they name.
 */
function createVerifiers(
  engine: Engine,
  { runKey, shards }: Report['run'],
): (cell: string, fixture: string) => KeyedVerifier {
  const under = (key: string | null): KeyedVerifier => ({
    verifier: createVerifier({ engine, key: key ?? createRunKey() }),
    isSameKey: key !== null,
  })
  const whole = under(runKey)
  const byShard = new Map(shards.map((shard) => [shard.index, under(shard.runKey)]))
  return (cell, fixture) =>
    shards.length === 0 ? whole : (byShard.get(shardOf(cell, fixture, shards.length)) ?? whole)
}

interface ClaimedVerdict {
  readonly of: string
  readonly cell: string
  readonly fixture: string
  readonly completion: Completion
  readonly was: Verification
  /** What the model was told of this answer; null where nothing followed. */
  readonly told: string | null
}

/** The verdicts of an attempt, one for each turn that has one. */
function listVerdicts({ attempt, cell, fixture, first, completion, verification }: AttemptRecord): ClaimedVerdict[] {
  return [
    ...(first === null
      ? []
      : [{ of: attempt, cell, fixture, completion: first.completion, was: first.verification, told: first.feedback }]),
    ...(verification === null
      ? []
      : [
          {
            of: first === null ? attempt : fixTurnId(attempt),
            cell,
            fixture,
            completion,
            was: verification,
            told: null,
          },
        ]),
  ]
}

/** Second turns where the plan has none, or where the verdict of the first asks for none, and the other way round. */
function findWrongTurns({ plan }: Report, planned: readonly AttemptRecord[]): Finding[] {
  const fixers = new Set(plan.subjects.flatMap(({ id, hasFixTurn }) => (hasFixTurn ? [id] : [])))
  return planned.flatMap(({ attempt: of, subject, first, verification }) => {
    const decisive = first?.verification ?? verification
    const isDue = fixers.has(subject) && decisive !== null && isMendable(decisive.verdict)
    if (first !== null && !isDue) return [{ of, problem: 'has a second turn that was not due' }]
    return first === null && isDue ? [{ of, problem: 'lacks the second turn that was due' }] : []
  })
}

function findDifferences(was: Verification, is: Verification, isSameKey: boolean): string[] {
  const isSame = isSameKey
    ? isDeepStrictEqual(is.verdict, was.verdict)
    : describeKind(is.verdict) === describeKind(was.verdict)
  const parts = (['candidate', 'rule', 'notes'] as const).filter((part) => !isDeepStrictEqual(is[part], was[part]))
  return [
    ...(isSame ? [] : [`was ${describeVerdict(was.verdict)}, is ${describeVerdict(is.verdict)}`]),
    ...parts.map((part) => `another ${part} comes out`),
  ]
}

/** The attempts that are of the plan, each once, and what keeps the report's attempts from being the plan's. */
function comparePlan({ plan, attempts }: Report): { planned: AttemptRecord[]; findings: Finding[] } {
  const hashes = new Map(
    plan.prompts.map((prompt) => [JSON.stringify([prompt.fixture, prompt.condition]), prompt.hash]),
  )
  const ids = plan.fixtures.map(({ id }) => id)
  const expected = new Map(
    [...orderAttempts(plan.cells, ids, plan.samples, plan.seed)].map(({ id, cell, fixture, sample }) => {
      const promptHash = hashes.get(JSON.stringify([fixture, cell.condition])) ?? ''
      const { id: cellId, subject, condition } = cell
      return [id, { attempt: id, cell: cellId, subject, condition, fixture, sample, promptHash }]
    }),
  )
  const counts = new Map<string, number>()
  const planned: AttemptRecord[] = []
  const findings: Finding[] = []
  for (const record of attempts) {
    const { attempt, cell, subject, condition, fixture, sample, promptHash } = record
    const claimed = { attempt, cell, subject, condition, fixture, sample, promptHash }
    const isPlanned = isDeepStrictEqual(expected.get(attempt), claimed)
    const count = (counts.get(attempt) ?? 0) + 1
    counts.set(attempt, count)
    if (!isPlanned) findings.push({ of: attempt, problem: 'is not of the plan' })
    else if (count === 1) planned.push(record)
  }
  for (const [attempt, count] of counts)
    if (count > 1) findings.push({ of: attempt, problem: `is in the report ${count} times` })
  for (const attempt of expected.keys())
    if (!counts.has(attempt)) findings.push({ of: attempt, problem: 'is of the plan, but not in the report' })
  return { planned, findings }
}

function findForeignFixtures({ plan }: Report, byId: ReadonlyMap<string, Fixture>): Finding[] {
  return plan.fixtures.flatMap((was) => {
    const of = `problem ${was.id}`
    const fixture = byId.get(was.id)
    if (fixture === undefined) return [{ of, problem: 'the corpus lacks it' }]
    const differing = Object.entries(describeFixture(fixture)).filter(
      ([part, is]) => !isDeepStrictEqual(is, was[part as keyof typeof was]),
    )
    return differing.map(([part]) => ({ of, problem: `its ${part} is not that of the corpus` }))
  })
}

function findUnfoundedRows({ plan, rows, attempts }: Report): Finding[] {
  const scored = plan.cells.map((cell) =>
    scoreCell(
      plan,
      cell,
      attempts.filter((attempt) => attempt.cell === cell.id),
    ),
  )
  const cells = new Set([...plan.cells.map(({ id }) => id), ...rows.map(({ cell }) => cell)])
  const rowOf = (of: Report['rows'], id: string) => JSON.parse(JSON.stringify(of.filter(({ cell }) => cell === id)))
  return [...cells]
    .filter((id) => !isDeepStrictEqual(rowOf(scored, id), rowOf(rows, id)))
    .map((id) => ({ of: `row ${id}`, problem: 'does not follow from its attempts' }))
}

/** Only what claims too much: that a run was stopped can be true of any attempts. */
function findFalseCompleteness({ run, plan, preflight }: Report, planned: readonly AttemptRecord[]): Finding[] {
  if (!run.complete) return []
  const own = ({ cell, fixture }: AttemptRecord) => isOfShard(run.shard, cell, fixture)
  const total = [...countAttempts(plan, run.shard).values()].reduce((sum, attempts) => sum + attempts, 0)
  const missing = total - planned.filter(own).filter(({ verification }) => verification !== null).length
  const reasons = [
    ...(missing > 0 ? [`${missing} of ${total} planned attempts have no verdict`] : []),
    ...(run.runKey === null && run.shards.length === 0 ? ['the report has no run key'] : []),
    ...(run.shards.every(({ index }, place) => index === place + 1) ? [] : ['its shards are not numbered from 1']),
    ...run.shards.flatMap(({ index, runKey }) => (runKey === null ? [`shard ${index} has no run key`] : [])),
    ...(preflight === null ? ['the report has no preflight'] : []),
    ...(preflight !== null && preflight.failures.length > 0 ? ['its preflight failed'] : []),
    ...(run.endedBecause === null ? [] : [`it ended because: ${run.endedBecause}`]),
  ]
  return reasons.map((reason) => ({ of: 'run.complete', problem: `is true, but ${reason}` }))
}
