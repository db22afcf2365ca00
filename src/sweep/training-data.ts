import { readFileSync, statSync } from 'node:fs'
import { BenchError } from '../bench-error.ts'
import type { Corpus } from '../corpus/fixture.ts'
import { selectSplit } from '../corpus/split.ts'
import type { Subject } from '../generate/plan.ts'
import { MAX_DATA_CHECK_BYTES, readDataCheck, touchedFixtures } from '../training/data-check.ts'

export interface TrainingDataSearch {
  /** As a plan has it. */
  readonly trainingData: NonNullable<Subject['trainingData']>
  /** Ids of the problems that were searched for. */
  readonly searched: readonly string[]
}

/**
 * The search of a subject's training data, from the file that it wrote.
 * @param subject its id
 * @throws BenchError `training/unreadable` or `training/invalid`, naming the subject.
 */
export function readTrainingData(subject: string, file: string): TrainingDataSearch {
  const check = naming(subject, () => readDataCheck(file, readBounded(file)))
  const { kind, at, dataHash, files, bytes, n, canaries, fixtures, unsearched } = check
  const trainingData = {
    kind,
    at,
    corpusHash: check.corpus.hash,
    dataHash,
    files,
    bytes,
    n,
    canaries: { searched: canaries.searched, hits: canaries.hits.total },
    touched: touchedFixtures(check).map(({ id, share, longestRun }) => ({ id, share, longestRun })),
    unsearched: {
      files: unsearched.total,
      fixtures: fixtures.filter(({ ngrams }) => ngrams === 0).map(({ id }) => id),
    },
  }
  return { trainingData, searched: fixtures.map(({ id }) => id) }
}

function naming<Result>(subject: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof BenchError)) throw error
    const { code, message, hint, cause } = error
    throw new BenchError({ code, message: `Subject ${subject}: ${message}`, hint, cause })
  }
}

function readBounded(file: string): string {
  try {
    if (statSync(file).size > MAX_DATA_CHECK_BYTES) throw new Error(`it is longer than ${MAX_DATA_CHECK_BYTES} bytes`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BenchError({
      code: 'training/unreadable',
      message: `The outcome of a search of training data, ${file}, cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`,
      hint: 'Give --training-data the file that "vox-efficacy mens check-data DIR --output FILE" wrote.',
      cause: error,
    })
  }
}

/**
 * A search for the problems of one corpus says nothing of those of another.
 * @throws BenchError `training/other-corpus` naming both, for every subject it holds of.
 */
export function refuseOtherCorpus(
  contestants: readonly { readonly subject: Subject; readonly searched?: readonly string[] }[],
  corpus: Pick<Corpus, 'name' | 'hash' | 'fixtures'>,
): void {
  const heldOut = selectSplit(corpus.fixtures, 'held-out').map(({ id }) => id)
  const others = contestants.flatMap(({ subject: { id, trainingData }, searched = heldOut }) => {
    if (trainingData === null) return []
    const { corpusHash } = trainingData
    if (corpusHash !== corpus.hash) return [`  ${id}: its data was searched for the corpus of hash ${corpusHash}`]
    // Of a real search that cannot be, so that the file was changed.
    const missing = heldOut.filter((each) => !searched.includes(each)).map((each) => `${each} is missing`)
    const foreign = searched.filter((each) => !heldOut.includes(each)).map((each) => `${each} is none of the held-out`)
    return [...missing, ...foreign].slice(0, 5).map((wrong) => `  ${id}: ${wrong}`)
  })
  if (others.length === 0) return
  throw new BenchError({
    code: 'training/other-corpus',
    message: [
      `Training data was searched for another corpus than ${corpus.name}, hash ${corpus.hash}:`,
      ...others,
    ].join('\n'),
    hint: 'Run "vox-efficacy mens check-data" again with the corpus of this sweep.',
  })
}
