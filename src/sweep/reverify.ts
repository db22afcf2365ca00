import { isDeepStrictEqual } from 'node:util'
import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import type { Report } from '../report/schema.ts'
import { createRunKey } from '../verify/run-key.ts'
import { describeVerdict } from '../verify/verdict-text.ts'
import { createVerifier } from '../verify/verify.ts'

export interface Reverification {
  /** Verdicts of the report that were tried again. */
  readonly verdicts: number
  readonly different: readonly { readonly attempt: string; readonly was: string; readonly is: string }[]
}

/** Verifies every answer of a report again, with the controls that its run key chose. */
export async function reverify(engine: Engine, fixtures: readonly Fixture[], report: Report): Promise<Reverification> {
  const byId = new Map(fixtures.map((fixture) => [fixture.id, fixture]))
  // A killed run never told its key: its verdicts are tried with other controls, which must agree all the same.
  const verifier = createVerifier({ engine, key: report.run.runKey ?? createRunKey() })
  const results = await Promise.all(
    report.attempts.map(async ({ attempt, fixture: id, completion, verification }) => {
      const fixture = byId.get(id)
      if (completion.kind !== 'answered' || verification === null || fixture === undefined) return null
      const again = await verifier.verify(fixture, completion)
      const isSame = isDeepStrictEqual(again.verdict, verification.verdict)
      return { attempt, isSame, was: describeVerdict(verification.verdict), is: describeVerdict(again.verdict) }
    }),
  )
  const tried = results.filter((result) => result !== null)
  return {
    verdicts: tried.length,
    different: tried.filter((result) => !result.isSame).map(({ attempt, was, is }) => ({ attempt, was, is })),
  }
}
