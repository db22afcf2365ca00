import type { Fixture, Split } from './fixture.ts'

/** The fixtures of a split, in the corpus's order. */
export function selectSplit(fixtures: readonly Fixture[], split: Split): readonly Fixture[] {
  if (split === 'all') return fixtures
  return fixtures.filter((fixture) => fixture.trainingEligible === (split === 'training-eligible'))
}
