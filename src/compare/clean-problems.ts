import type { Subject } from '../generate/plan.ts'
import { tabulatePassShares } from '../report/pass-shares.ts'
import type { Comparison } from './comparison-schema.ts'
import type { JoinedRows } from './joined-rows.ts'
import type { RowPair } from './pair-rows.ts'

/** What may be said of problems that neither subject can have seen: those after the later cutoff that no search found. */
export function countClean({ base, head }: RowPair, joined: JoinedRows): Pick<Comparison, 'clean' | 'touched'> {
  const subjects = [base.subject, head.subject]
  const hit = new Set(subjects.flatMap(({ trainingData }) => trainingData?.touched.map(({ id }) => id) ?? []))
  const touched = joined.plan.fixtures.map(({ id }) => id).filter((id) => hit.has(id))
  const reason = subjects.map(explainUnknown).find((each) => each !== null)
  if (reason !== undefined) return { clean: { kind: 'unknown', reason }, touched }
  // ISO dates compare as text.
  const cutoff =
    subjects
      .map(({ cutoff: { date } }) => date ?? '')
      .toSorted()
      .at(-1) ?? ''
  const { cells } = tabulatePassShares(joined.plan, joined.attempts)
  const differences = joined.plan.fixtures.flatMap(({ id, addedAt }, index) => {
    const [ours, theirs] = [cells.get('base')?.[index]?.share ?? null, cells.get('head')?.[index]?.share ?? null]
    return addedAt <= cutoff || hit.has(id) || ours === null || theirs === null ? [] : [theirs - ours]
  })
  return {
    clean: {
      kind: 'known',
      cutoff,
      fixtures: differences.length,
      less: differences.filter((difference) => difference < 0).length,
      more: differences.filter((difference) => difference > 0).length,
    },
    touched,
  }
}

function explainUnknown({ id, cutoff, trainingData }: Subject): string | null {
  if (cutoff.date === null) return `the knowledge cutoff of ${id} is unknown (${cutoff.source})`
  if ((trainingData?.canaries.hits ?? 0) > 0) return `a canary of the corpus stands in the training data of ${id}`
  return null
}
