import { createHash } from 'node:crypto'
import { capOf, isOfShard, shardText } from '../generate/shard.ts'
import { type Booking, listBookings, sumBookings } from '../score/book-spend.ts'
import type { JoinedRun } from '../score/join-records.ts'
import type { AttemptRecord } from '../score/record.ts'
import { scoreCell } from '../score/score-cell.ts'
import { buildCaveat } from './caveat.ts'
import { compareRows } from './comparisons.ts'
import { listGateRefusals } from './gate-refusals.ts'
import { groupBy } from './group-by.ts'
import { findHelpEffects } from './help-effects.ts'
import { type Report, SCHEMA_VERSION } from './schema.ts'
import { findSimultaneous } from './simultaneous.ts'

/** The report of a run; the same run always gives the same report. */
export function buildReport(run: JoinedRun): Report {
  const { plan, registration } = run.planned
  const recordsOf = groupBy(run.records, (record) => record.cell)
  const rows = plan.cells.map((cell) => scoreCell(plan, cell, recordsOf.get(cell.id) ?? []))
  const engine = run.preflight?.engine ?? null
  const sandbox = run.preflight?.sandbox ?? null
  const endedBecause = explainEnd(run)
  const { shard, ...planned } = run.planned
  const state: Report['run'] = {
    id: createHash('sha256')
      .update(JSON.stringify(shard === null ? planned : run.planned))
      .digest('hex')
      .slice(0, 12),
    startedAt: run.planned.at,
    resumed: run.resumed,
    finishedAt: finishedAt(run),
    complete: endedBecause === null,
    endedBecause,
    runKey: run.ended?.runKey ?? null,
    shard,
    shards: run.shards.map(({ shard: { index }, at, ended, resumed }) => ({
      ...{ index, startedAt: at, resumed },
      finishedAt: ended?.at ?? null,
      endedBecause: ended === null ? KILLED : ended.stoppedBecause,
      runKey: ended?.runKey ?? null,
    })),
  }
  const preflight =
    run.preflight === null
      ? null
      : {
          references: run.preflight.references,
          saboteurs: run.preflight.saboteurs,
          failures: run.preflight.failures,
        }
  const gateRefusals = listGateRefusals({ plan, preflight, run: state })
  const comparisons = compareRows({ plan, attempts: run.records, gateRefusals })
  const source = { plan, registration, rows, comparisons, attempts: run.records, engine, sandbox, endedBecause }
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: plan.tool,
    purpose: plan.purpose,
    run: state,
    plan,
    registration,
    engine,
    sandbox,
    preflight,
    caveat: buildCaveat(source),
    gateRefusals,
    rows,
    helpEffects: findHelpEffects({ plan, rows, attempts: run.records }),
    comparisons,
    simultaneous: findSimultaneous(plan, run.records, gateRefusals),
    attempts: [...run.records],
    spend: sumSpend(run),
    timing: {
      preflightMs: run.preflight?.elapsedMs ?? null,
      answersMs: run.answers === null ? null : elapsedMs(run.answers.firstAt, run.answers.lastAt),
      totalMs: state.finishedAt === null ? null : elapsedMs(run.planned.at, state.finishedAt),
    },
  }
}

const KILLED = 'the run was killed before it ended by itself'

/** Of a merged run when its last shard ended; null when one was killed. */
function finishedAt({ ended, shards }: JoinedRun): string | null {
  if (shards.length === 0) return ended?.at ?? null
  const ends = shards.flatMap((shard) => shard.ended?.at ?? [])
  return ends.length < shards.length ? null : (ends.sort().at(-1) ?? null)
}

function explainEnd({ preflight, ended, shards, records, planned }: JoinedRun): string | null {
  if (preflight !== null && preflight.failures.length > 0) {
    return `the preflight found ${preflight.failures.length} ${preflight.failures.length === 1 ? 'failure' : 'failures'}`
  }
  if (shards.length === 0) {
    if (ended === null) return KILLED
    if (ended.stoppedBecause !== null) return ended.stoppedBecause
  }
  const stopped = shards.flatMap(({ shard, ended }) => {
    const why = ended === null ? KILLED : ended.stoppedBecause
    return why === null ? [] : [`shard ${shardText(shard)}: ${why}`]
  })
  if (stopped.length > 0) return stopped.join('; ')
  const own = records.filter(({ cell, fixture }) => isOfShard(planned.shard, cell, fixture))
  const missing = own.filter((record) => record.verification === null)
  if (missing.length === 0) return null
  return `${missing.length} of ${own.length} attempts ${missing.length === 1 ? 'has' : 'have'} no verdict (${reasonsOf(missing)})`
}

function reasonsOf(missing: readonly AttemptRecord[]): string {
  const reasons = missing.map(({ completion }) => {
    if (completion.kind === 'answered') return 'not verified'
    return completion.kind === 'infra-error' ? `infra error: ${completion.class}` : completion.why
  })
  return [...groupBy(reasons, (reason) => reason)].map(([reason, all]) => `${reason} ${all.length}`).join(', ')
}

function sumSpend(run: JoinedRun): Report['spend'] {
  const { ended, shards, abandoned, planned } = run
  const isKilled = shards.length === 0 ? ended === null : shards.some((shard) => shard.ended === null)
  const bookings = listBookings(run)
  const differences = bookings.map(({ bill }) => bill?.differenceUsd ?? 0).filter((usd) => usd > 0)
  const isOfUnknownCost = ({ completion, bill }: Booking) =>
    completion.kind === 'answered' && completion.stored === undefined && bill === null
  return {
    capUsd: capOf(planned.plan.caps.runUsd, planned.shard),
    ...(ended === null
      ? sumBookings(planned.plan, bookings)
      : { spentUsd: ended.spend.spentUsd, overruns: ended.spend.overruns }),
    answersOfUnknownCost: bookings.filter(isOfUnknownCost).length,
    contradictions: { answers: differences.length, differenceUsd: sum(differences) },
    isUpperBound: isKilled || abandoned.some(({ completion }) => completion === null),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function elapsedMs(from: string, to: string): number | null {
  const elapsed = Date.parse(to) - Date.parse(from)
  return Number.isFinite(elapsed) ? Math.max(0, elapsed) : null
}
