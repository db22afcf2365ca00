import { createHash } from 'node:crypto'
import { billOf, settlementUsd, worstCaseUsd } from '../generate/cost.ts'
import { OVERRUN_TOLERANCE_USD } from '../generate/ledger.ts'
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
    caveat: buildCaveat({ plan, rows, attempts: run.records, engine, sandbox, endedBecause }),
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
  const { plan } = planned
  const subjects = new Map(plan.subjects.map((subject) => [subject.id, subject]))
  const prompts = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt]))
  const booked = records.map((record) => {
    const subject = subjects.get(record.subject)
    const prompt = prompts.get(`${record.fixture} ${record.condition}`)
    if (subject === undefined || prompt === undefined) throw new Error(`attempt ${record.attempt} is not of this plan`)
    const bill = billOf(subject, record.completion)
    const reserved = reservedUsd.get(record.attempt)
    // As the run booked it. A killed run has no answer to what was under way, which then counts as broken off.
    const usd =
      reserved === undefined
        ? (bill?.usd ?? 0)
        : settlementUsd(subject, record.completion, worstCaseUsd(subject, prompt, 1) ?? reserved, reserved)
    return { attempt: record.attempt, isAnswered: record.completion.kind === 'answered', bill, reserved, usd }
  })
  const differences = booked.map(({ bill }) => bill?.differenceUsd ?? 0).filter((usd) => usd > 0)
  const derived = {
    answersOfUnknownCost: booked.filter(({ isAnswered, bill }) => isAnswered && bill === null).length,
    contradictions: { answers: differences.length, differenceUsd: sum(differences) },
  }
  if (ended !== null) return { ...ended.spend, ...derived, isUpperBound: false }
  const isCapped = plan.caps.runUsd !== null || plan.caps.monthUsd !== null
  return {
    capUsd: plan.caps.runUsd,
    spentUsd: sum(booked.map(({ usd }) => usd)),
    overruns: booked.flatMap(({ attempt, reserved = 0, usd }) =>
      isCapped && usd > reserved + OVERRUN_TOLERANCE_USD ? [{ attempt, reservedUsd: reserved, billedUsd: usd }] : [],
    ),
    ...derived,
    isUpperBound: true,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function elapsedMs(from: string, to: string): number | null {
  const elapsed = Date.parse(to) - Date.parse(from)
  return Number.isFinite(elapsed) ? Math.max(0, elapsed) : null
}
