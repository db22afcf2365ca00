import type { CompareOptions } from '../../src/compare/compare-options.ts'
import type { Plan } from '../../src/generate/plan.ts'
import { buildReport } from '../../src/report/build-report.ts'
import type { Report } from '../../src/report/schema.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { DEFAULT_MARGIN } from '../../src/stats/gate.ts'
import type { PreflightLine } from '../../src/verify/journal-lines.ts'
import {
  judged,
  type Outcome,
  PREFLIGHT,
  type SampleAttempt,
  type SampleOptions,
  sampleLines,
  samplePlan,
  sampleSubject,
} from '../score/sample-run.ts'

export const OPTIONS: CompareOptions = {
  alpha: 0.05,
  margin: DEFAULT_MARGIN,
  look: { kind: 'single' },
  baseSubject: null,
  headSubject: null,
  condition: null,
  preset: null,
  draws: null,
}

export const PASS = judged({ kind: 'passed' }, { latencyMs: 200, costUsd: 0.01 })
export const FAIL = judged({ kind: 'wrong-answer', where: 'assertion', detail: 'solve(1) should be 2, is 3' })
export const INFRA: Outcome = {
  completion: { kind: 'infra-error', class: 'rate', message: 'slow down', requests: 3 },
  verification: null,
}

export const BASE = sampleSubject('mens/vox@1200', { model: 'mens/vox', checkpoint: '1200' })
export const HEAD = sampleSubject('mens/vox@1600', { model: 'mens/vox', checkpoint: '1600' })

export interface Changes {
  readonly plan?: (plan: Plan) => Plan
  readonly preflight?: Partial<PreflightLine>
}

/** The report of a real journal, with one row under C1 unless told otherwise. */
export async function reportOf(options: SampleOptions, changes: Changes = {}): Promise<Report> {
  const all = { fixtures: 31, conditions: ['C1'], subjects: [BASE], ...options }
  const plan = changes.plan?.(samplePlan(all)) ?? samplePlan(all)
  const lines = sampleLines(all, plan).map((line) =>
    line === PREFLIGHT ? { ...PREFLIGHT, ...changes.preflight } : line,
  )
  return buildReport(await joinRecords(lines))
}

/** Passes all problems but those, counted from 0. */
export function failing(...fixtures: readonly number[]): (attempt: SampleAttempt) => Outcome {
  return ({ fixture }) => (fixtures.includes(fixture) ? FAIL : PASS)
}

/** Numbers from `from` up to, without, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

export function baseReport(options: SampleOptions = {}, changes: Changes = {}): Promise<Report> {
  return reportOf({ outcome: failing(), ...options }, changes)
}

export function headReport(options: SampleOptions = {}, changes: Changes = {}): Promise<Report> {
  return reportOf({ subjects: [HEAD], outcome: failing(), ...options }, changes)
}
