import { createHash } from 'node:crypto'
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
  const state: Report['run'] = {
    id: createHash('sha256').update(JSON.stringify(run.planned)).digest('hex').slice(0, 12),
    startedAt: run.planned.at,
    resumed: run.resumed,
    finishedAt: run.ended?.at ?? null,
    complete: endedBecause === null,
    endedBecause,
    runKey: run.ended?.runKey ?? null,
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
    caveat: buildCaveat({ plan, registration, rows, attempts: run.records, engine, sandbox, endedBecause }),
    gateRefusals,
    rows,
    helpEffects: findHelpEffects({ plan, rows, attempts: run.records }),
    comparisons: compareRows({ plan, attempts: run.records, gateRefusals }),
    simultaneous: findSimultaneous(plan, run.records, gateRefusals),
    attempts: [...run.records],
    spend: sumSpend(run),
    timing: {
      preflightMs: run.preflight?.elapsedMs ?? null,
      answersMs: run.answers === null ? null : elapsedMs(run.answers.firstAt, run.answers.lastAt),
      totalMs: run.ended === null ? null : elapsedMs(run.planned.at, run.ended.at),
    },
  }
}

function explainEnd({ preflight, ended, records }: JoinedRun): string | null {
  if (preflight !== null && preflight.failures.length > 0) {
    return `the preflight found ${preflight.failures.length} ${preflight.failures.length === 1 ? 'failure' : 'failures'}`
  }
  if (ended === null) return 'the run was killed before it ended by itself'
  if (ended.stoppedBecause !== null) return ended.stoppedBecause
  const missing = records.filter((record) => record.verification === null)
  if (missing.length === 0) return null
  return `${missing.length} of ${records.length} attempts ${missing.length === 1 ? 'has' : 'have'} no verdict (${reasonsOf(missing)})`
}

function reasonsOf(missing: readonly AttemptRecord[]): string {
  const reasons = missing.map(({ completion }) => {
    if (completion.kind === 'answered') return 'not verified'
    return completion.kind === 'infra-error' ? `infra error: ${completion.class}` : completion.why
  })
  return [...groupBy(reasons, (reason) => reason)].map(([reason, all]) => `${reason} ${all.length}`).join(', ')
}

function sumSpend(run: JoinedRun): Report['spend'] {
  const { ended, abandoned, planned } = run
  const bookings = listBookings(run)
  const differences = bookings.map(({ bill }) => bill?.differenceUsd ?? 0).filter((usd) => usd > 0)
  const isOfUnknownCost = ({ completion, bill }: Booking) =>
    completion.kind === 'answered' && completion.stored === undefined && bill === null
  return {
    capUsd: planned.plan.caps.runUsd,
    ...(ended === null
      ? sumBookings(planned.plan, bookings)
      : { spentUsd: ended.spend.spentUsd, overruns: ended.spend.overruns }),
    answersOfUnknownCost: bookings.filter(isOfUnknownCost).length,
    contradictions: { answers: differences.length, differenceUsd: sum(differences) },
    isUpperBound: ended === null || abandoned.some(({ completion }) => completion === null),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function elapsedMs(from: string, to: string): number | null {
  const elapsed = Date.parse(to) - Date.parse(from)
  return Number.isFinite(elapsed) ? Math.max(0, elapsed) : null
}
