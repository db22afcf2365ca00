import { createHash } from 'node:crypto'
import { billedUsd } from '../generate/cost.ts'
import type { JoinedRun } from '../score/join-records.ts'
import type { AttemptRecord } from '../score/record.ts'
import { scoreCell } from '../score/score-cell.ts'
import { buildCaveat } from './caveat.ts'
import { listGateRefusals } from './gate-refusals.ts'
import { groupBy } from './group-by.ts'
import { type Report, SCHEMA_VERSION } from './schema.ts'

/** The report of a run; the same run always gives the same report. */
export function buildReport(run: JoinedRun): Report {
  const { plan } = run.planned
  const recordsOf = groupBy(run.records, (record) => record.cell)
  const rows = plan.cells.map((cell) => scoreCell(plan, cell, recordsOf.get(cell.id) ?? []))
  const engine = run.preflight?.engine ?? null
  const sandbox = run.preflight?.sandbox ?? null
  const endedBecause = explainEnd(run)
  const state: Report['run'] = {
    id: createHash('sha256').update(JSON.stringify(run.planned)).digest('hex').slice(0, 12),
    startedAt: run.planned.at,
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
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: plan.tool,
    purpose: plan.purpose,
    run: state,
    plan,
    engine,
    sandbox,
    preflight,
    caveat: buildCaveat({ plan, rows, engine, sandbox, endedBecause }),
    gateRefusals: listGateRefusals({ plan, preflight, run: state }),
    rows,
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

function sumSpend({ ended, records, reservedUsd, planned }: JoinedRun): Report['spend'] {
  const subjects = new Map(planned.plan.subjects.map((subject) => [subject.id, subject]))
  const billOf = (record: AttemptRecord) => {
    const subject = subjects.get(record.subject)
    return subject === undefined ? null : billedUsd(subject, record.completion)
  }
  const bills = new Map(records.map((record) => [record.attempt, billOf(record)]))
  const answered = records.filter(({ completion }) => completion.kind === 'answered')
  const answersOfUnknownCost = answered.filter(({ attempt }) => (bills.get(attempt) ?? null) === null).length
  if (ended !== null) return { ...ended.spend, answersOfUnknownCost, isUpperBound: false }
  // Failed requests in front of an answer may have been billed as well, which its own bill does not tell.
  const isBilledAlone = new Set(answered.filter(wasFirstRequest).map(({ attempt }) => attempt))
  const atMost = (id: string) => {
    const bill = bills.get(id) ?? null
    const reserved = reservedUsd.get(id) ?? 0
    return bill !== null && isBilledAlone.has(id) ? bill : Math.max(bill ?? 0, reserved)
  }
  const ids = new Set([...bills.keys(), ...reservedUsd.keys()])
  const spentUsd = [...ids].reduce((sum, id) => sum + atMost(id), 0)
  return { capUsd: null, spentUsd, overruns: [], answersOfUnknownCost, isUpperBound: true }
}

function wasFirstRequest({ completion }: AttemptRecord): boolean {
  return completion.kind === 'answered' && (completion.failedRequests ?? []).length === 0
}

function elapsedMs(from: string, to: string): number | null {
  const elapsed = Date.parse(to) - Date.parse(from)
  return Number.isFinite(elapsed) ? Math.max(0, elapsed) : null
}
