import { isDeepStrictEqual } from 'node:util'
import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import type { Report } from '../report/schema.ts'
import { scoreCell } from '../score/score-cell.ts'
import { createRunKey } from '../verify/run-key.ts'
import { describeKind, describeVerdict } from '../verify/verdict-text.ts'
import { createVerifier } from '../verify/verify.ts'

export interface Reverification {
  /** Verdicts of the report that were tried again. */
  readonly verdicts: number
  readonly different: readonly { readonly attempt: string; readonly was: string; readonly is: string }[]
  /** Cells whose row does not follow from the report's own attempts. */
  readonly unfoundedRows: readonly string[]
}

/** Verifies every answer of a report again, with the controls that its run key chose, and scores its rows again. */
export async function reverify(engine: Engine, fixtures: readonly Fixture[], report: Report): Promise<Reverification> {
  const byId = new Map(fixtures.map((fixture) => [fixture.id, fixture]))
  // A killed run never told its key: other controls are tried, which agree in kind but not in the inputs they name.
  const { runKey } = report.run
  const verifier = createVerifier({ engine, key: runKey ?? createRunKey() })
  const results = await Promise.all(
    report.attempts.map(async ({ attempt, fixture: id, completion, verification }) => {
      if (verification === null) return null
      const was = describeVerdict(verification.verdict)
      const fixture = byId.get(id)
      if (fixture === undefined)
        return { attempt, isSame: false, was, is: 'not to be had: the corpus lacks the fixture' }
      if (completion.kind !== 'answered')
        return { attempt, isSame: false, was, is: 'not to be had: there is no answer' }
      const again = await verifier.verify(fixture, completion)
      const isSame =
        runKey === null
          ? describeKind(again.verdict) === describeKind(verification.verdict)
          : isDeepStrictEqual(again.verdict, verification.verdict)
      return { attempt, isSame, was, is: describeVerdict(again.verdict) }
    }),
  )
  const tried = results.filter((result) => result !== null)
  return {
    verdicts: tried.length,
    different: tried.filter((result) => !result.isSame).map(({ attempt, was, is }) => ({ attempt, was, is })),
    unfoundedRows: findUnfoundedRows(report),
  }
}

function findUnfoundedRows({ plan, rows, attempts }: Report): string[] {
  const scored = plan.cells.map((cell) =>
    scoreCell(
      plan,
      cell,
      attempts.filter((attempt) => attempt.cell === cell.id),
    ),
  )
  const cells = new Set([...plan.cells.map(({ id }) => id), ...rows.map(({ cell }) => cell)])
  const rowOf = (of: Report['rows'], id: string) => JSON.parse(JSON.stringify(of.filter(({ cell }) => cell === id)))
  return [...cells].filter((id) => !isDeepStrictEqual(rowOf(scored, id), rowOf(rows, id)))
}
