import { tabulatePassShares } from '../report/pass-shares.ts'
import { findCleanFixtures } from '../score/clean-fixtures.ts'
import type { Comparison } from './comparison-schema.ts'
import type { JoinedRows } from './joined-rows.ts'
import type { RowPair } from './pair-rows.ts'

/** What may be said of problems that neither subject can have seen: those after the later cutoff that no search found. */
export function countClean({ base, head }: RowPair, joined: JoinedRows): Pick<Comparison, 'clean' | 'touched'> {
  const { fixtures } = joined.plan
  const subjects = [base.subject, head.subject]
  const hit = new Set(subjects.flatMap(({ trainingData }) => trainingData?.touched.map(({ id }) => id) ?? []))
  const touched = fixtures.map(({ id }) => id).filter((id) => hit.has(id))
  const ofBase = findCleanFixtures(base.subject, fixtures)
  if (ofBase.kind === 'unknown') return { clean: ofBase, touched }
  const ofHead = findCleanFixtures(head.subject, fixtures)
  if (ofHead.kind === 'unknown') return { clean: ofHead, touched }
  const { cells } = tabulatePassShares(joined.plan, joined.attempts)
  const differences = fixtures.flatMap(({ id }, index) => {
    const [ours, theirs] = [cells.get('base')?.[index]?.share ?? null, cells.get('head')?.[index]?.share ?? null]
    const isClean = ofBase.ids.has(id) && ofHead.ids.has(id)
    return !isClean || ours === null || theirs === null ? [] : [theirs - ours]
  })
  return {
    clean: {
      kind: 'known',
      // ISO dates compare as text.
      cutoff: [ofBase.cutoff, ofHead.cutoff].toSorted().at(-1) ?? '',
      fixtures: differences.length,
      less: differences.filter((difference) => difference < 0).length,
      more: differences.filter((difference) => difference > 0).length,
    },
    touched,
  }
}
