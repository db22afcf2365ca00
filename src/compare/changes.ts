import { groupBy } from '../report/group-by.ts'
import { tabulatePassShares } from '../report/pass-shares.ts'
import type { AttemptRecord } from '../score/record.ts'
import { describeKind } from '../verify/verdict-text.ts'
import type { Change } from './comparison-schema.ts'
import type { Draws } from './further-draws.ts'
import type { JoinedRows } from './joined-rows.ts'

/** Problems that pass less often in HEAD, and more often, each with the largest change first. */
export function listChanges(
  joined: JoinedRows,
  draws: ReadonlyMap<string, Draws> | null,
): { readonly regressions: Change[]; readonly improvements: Change[] } {
  const { plan, attempts } = joined
  const { cells } = tabulatePassShares(plan, attempts)
  const places = groupBy(attempts, ({ cell, fixture }) => JSON.stringify([cell, fixture]))
  const all = plan.fixtures.flatMap(({ id, title }, index) => {
    const [base, head] = [cells.get('base')?.[index], cells.get('head')?.[index]]
    if (base === undefined || head === undefined || base.share === null || head.share === null) return []
    const drop = base.share - head.share
    const example = (cell: 'base' | 'head', passed: boolean) =>
      exampleOf(places.get(JSON.stringify([cell, id])) ?? [], passed)
    const change: Change = {
      fixture: id,
      title,
      base: { passed: base.passed, judged: base.judged, ...example('base', drop > 0) },
      head: { passed: head.passed, judged: head.judged, ...example('head', drop < 0) },
      draws: draws?.get(id) ?? null,
    }
    return [{ change, drop }]
  })
  const byDrop = all.sort((a, b) => Math.abs(b.drop) - Math.abs(a.drop))
  return {
    regressions: byDrop.filter(({ drop }) => drop > 0).map(({ change }) => change),
    improvements: byDrop.filter(({ drop }) => drop < 0).map(({ change }) => change),
  }
}

/** The first attempt that passed, or that did not; the first of any where there is none such. */
function exampleOf(
  attempts: readonly AttemptRecord[],
  passed: boolean,
): Pick<Change['base'], 'attempt' | 'verdict' | 'program'> {
  const judged = attempts.filter(({ verification }) => verification !== null)
  const fitting = judged.find(({ verification }) => (verification?.verdict.kind === 'passed') === passed)
  const { attempt = null, verification = null } = fitting ?? judged[0] ?? {}
  if (verification === null) return { attempt, verdict: 'no verdict', program: null }
  return { attempt, verdict: describeKind(verification.verdict), program: verification.candidate }
}
