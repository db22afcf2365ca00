import type { PlannedFixture, Subject } from '../generate/plan.ts'

export type CleanFixtures =
  | { readonly kind: 'known'; readonly cutoff: string; readonly source: string; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'unknown'; readonly reason: string }

/**
 * Which fixtures a subject cannot have seen in training, as far as is known: those added strictly after its knowledge
 * cutoff that its training data does not touch. What it touches is contaminated, whatever the cutoff says.
 */
export function findCleanFixtures(
  { id, cutoff, trainingData }: Subject,
  fixtures: readonly PlannedFixture[],
): CleanFixtures {
  const { date, source } = cutoff
  if (date === null) return { kind: 'unknown', reason: `the knowledge cutoff of ${id} is unknown (${source})` }
  const { canaries, touched } = trainingData ?? { canaries: { hits: 0 }, touched: [] }
  if (canaries.hits > 0)
    return {
      kind: 'unknown',
      reason: `a canary of the corpus stands in the training data of ${id}, so any of its problems may`,
    }
  const isTouched = new Set(touched.map((each) => each.id))
  // ISO dates compare as text.
  const clean = fixtures.filter((fixture) => fixture.addedAt > date && !isTouched.has(fixture.id))
  return { kind: 'known', cutoff: date, source, ids: new Set(clean.map((fixture) => fixture.id)) }
}
