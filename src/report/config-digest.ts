import { createHash } from 'node:crypto'
import type { Report } from './schema.ts'

/** Digest of all that must agree before two rows of one fixture set may be compared, apart from the model itself. */
export function digestConfig({ plan, engine }: Report, subjectId: string, conditionName: string): string {
  const subject = plan.subjects.find(({ id }) => id === subjectId)
  const condition = plan.conditions.find(({ name }) => name === conditionName)
  const what = {
    harness: subject?.harness,
    sampling: subject?.sampling,
    endpoint: subject?.endpoint,
    // Left out where nothing is served, so that such a row keeps the digest it had before there was serving.
    served: subject?.served?.command,
    recording: subject?.recording,
    condition: condition?.hash,
    samples: plan.samples,
    seed: plan.seed,
    corpus: plan.corpus.hash,
    split: plan.corpus.split,
    fixtures: plan.fixtures.map(({ hash }) => hash),
    versions: plan.versions,
    engine,
  }
  return createHash('sha256').update(JSON.stringify(what)).digest('hex')
}
