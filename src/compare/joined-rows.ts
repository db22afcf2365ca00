import type { Plan, PlannedFixture } from '../generate/plan.ts'
import type { AttemptRecord } from '../score/record.ts'
import type { ReportRow, RowPair } from './pair-rows.ts'

/** Two rows of two reports as if they were the rows of one plan, over the problems that both planned. */
export interface JoinedRows {
  /** With the cells `base` and `head`. */
  readonly plan: Plan
  readonly attempts: readonly AttemptRecord[]
  /** Ids of problems that only one of them planned. */
  readonly onlyInBase: readonly string[]
  readonly onlyInHead: readonly string[]
}

export function joinRows({ base, head }: RowPair): JoinedRows {
  const [inBase, inHead] = [idsOf(base), idsOf(head)]
  const fixtures = head.report.plan.fixtures.filter(({ id }) => inBase.has(id))
  const ids = new Set(fixtures.map(({ id }) => id))
  return {
    plan: {
      ...head.report.plan,
      fixtures,
      subjects: [
        { ...base.subject, id: 'base' },
        { ...head.subject, id: 'head' },
      ],
      cells: (['base', 'head'] as const).map((id) => ({ id, subject: id, condition: head.condition.name })),
    },
    attempts: [...moveTo('base', attemptsOf(base), ids), ...moveTo('head', attemptsOf(head), ids)],
    onlyInBase: [...inBase].filter((id) => !inHead.has(id)),
    onlyInHead: [...inHead].filter((id) => !inBase.has(id)),
  }
}

/** The attempts of a row, as its report has them. */
export function attemptsOf({ report, cell }: ReportRow): AttemptRecord[] {
  return report.attempts.filter((attempt) => attempt.cell === cell.id)
}

function moveTo(id: 'base' | 'head', attempts: readonly AttemptRecord[], fixtures: ReadonlySet<string>) {
  return attempts
    .filter(({ fixture }) => fixtures.has(fixture))
    .map((attempt) => ({ ...attempt, cell: id, subject: id }))
}

function idsOf({ report }: ReportRow): Set<PlannedFixture['id']> {
  return new Set(report.plan.fixtures.map(({ id }) => id))
}
