import { createHash } from 'node:crypto'
import type { Fixture } from './fixture.ts'

/** The bytes of a fixture's files, as they lie on disk. */
export interface FixtureBytes {
  readonly spec: Uint8Array
  readonly reference: Uint8Array
  readonly tests: Uint8Array
}

/** SHA-256 (hex) over the three files of a fixture, byte by byte: other line endings give another hash. */
export function hashFixture(files: FixtureBytes): string {
  const hash = createHash('sha256').update('fixture v1\n')
  // Lengths frame the files, so that no byte can move from one to the next unnoticed.
  for (const name of ['spec', 'reference', 'tests'] as const)
    hash.update(`${name} ${files[name].byteLength}\n`).update(files[name])
  return hash.digest('hex')
}

/**
 * SHA-256 (hex) over what can change a verdict, a prompt or the choice of fixtures: each fixture's files, id, split and
 * date. The order of the manifest, its prose and the names of files and folders do not count.
 */
export function hashCorpus(fixtures: readonly Pick<Fixture, 'id' | 'trainingEligible' | 'addedAt' | 'hash'>[]): string {
  const lines = fixtures.map(({ id, trainingEligible, addedAt, hash }) =>
    JSON.stringify([id, trainingEligible, addedAt, hash]),
  )
  return createHash('sha256')
    .update(['corpus v1', ...lines.sort()].join('\n'))
    .digest('hex')
}
