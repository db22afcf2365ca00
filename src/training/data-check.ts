import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { listIssues } from '../zod-issues.ts'
import { NGRAM_TOKENS } from './ngram-index.ts'

export const DATA_CHECK_VERSION = 1

/** A fixture is touched from this share of its n-grams on, or from a run of so many tokens; docs/training-data.md says why. */
export const THRESHOLDS = { share: 0.03, run: 25 } as const

/** A longer file is none of ours: what it lists is bounded. */
export const MAX_DATA_CHECK_BYTES = 64 * 1024 * 1024

/** A place in the data: a path relative to the folder that was searched, and a line counted from 1. */
const place = z.object({ file: z.string(), line: z.number().int().positive() })
export type Place = Readonly<z.infer<typeof place>>

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')
const count = z.number().int().nonnegative()

/** A list of which only the first are told. */
const firstOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ total: count, first: z.array(item) }).refine(({ total, first }) => total >= first.length, {
    message: 'lists more than there are',
    path: ['total'],
  })

/** What was found of one fixture. */
const overlap = z.object({
  id: z.string().min(1).max(64),
  /** `found` of `ngrams`; null for a fixture without n-grams of its own, which cannot be searched for. */
  share: z.number().min(0).max(1).nullable(),
  /** Distinct n-grams that are of this fixture alone. */
  ngrams: count,
  found: count,
  /** Tokens of the longest stretch of data all of whose n-grams are of this fixture. */
  longestRun: count,
  longestAt: place.nullable(),
  /** Where the first of its n-grams stands. */
  first: place.nullable(),
})
export type FixtureOverlap = Readonly<z.infer<typeof overlap>>

/** What is always so of a real search. */
function refineOverlap({ share, ngrams, found, longestRun }: FixtureOverlap, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (found > ngrams) refuse('found', `is more than its ${ngrams} n-grams`)
  else if (share !== shareOf(found, ngrams)) refuse('share', `is not ${found} of ${ngrams} n-grams`)
  if (found === 0 ? longestRun !== 0 : longestRun < NGRAM_TOKENS) refuse('longestRun', `cannot be of ${found} n-grams`)
}

/** Null for a fixture without n-grams of its own. */
export function shareOf(found: number, ngrams: number): number | null {
  return ngrams === 0 ? null : found / ngrams
}

/**
 * What a search of training data for the held-out problems of a corpus came to. `canary`: a canary stands in it.
 * `overlap`: a fixture is touched. `incomplete`: neither was found, but not everything could be searched. `clean`:
 * neither was found in anything. The first that holds counts.
 */
export const dataCheckSchema = z
  .object({
    kind: z.enum(['canary', 'overlap', 'incomplete', 'clean']),
    schemaVersion: z.literal(DATA_CHECK_VERSION),
    tool: z.object({ name: z.literal('vox-efficacy'), version: z.string() }),
    /** When the search began. */
    at: z.iso.datetime(),
    corpus: z.object({ name: z.string(), hash: z.string() }),
    /** Tokens of an n-gram. */
    n: z.literal(NGRAM_TOKENS),
    thresholds: z.object({ share: z.literal(THRESHOLDS.share), run: z.literal(THRESHOLDS.run) }),
    /** SHA-256 over the sorted names of all files that were read, each with its own SHA-256. */
    dataHash: sha256,
    files: count.positive(),
    bytes: count,
    tokens: count,
    /** `searched` is how many canaries the corpus has; with none there was nothing to search for. */
    canaries: z
      .object({ searched: count, hits: firstOf(place) })
      .refine(({ searched, hits }) => searched > 0 || hits.total === 0, 'has hits of none that was searched for'),
    /** Every held-out fixture, in the order of the corpus. */
    fixtures: z
      .array(overlap.superRefine(refineOverlap))
      .min(1)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'has a fixture twice'),
    /** Files, links and folders that were not searched, or not in full. */
    unsearched: firstOf(z.object({ file: z.string(), reason: z.string() })),
  })
  .superRefine((check, context) => {
    const kind = kindOf(check)
    if (kind === check.kind) return
    context.addIssue({ code: 'custom', path: ['kind'], message: `is ${check.kind}, but what it lists is ${kind}` })
  })
export type DataCheck = z.infer<typeof dataCheckSchema>

/** What those findings come to. */
export function kindOf(
  check: Pick<DataCheck, 'canaries' | 'fixtures' | 'thresholds' | 'tokens' | 'unsearched'>,
): DataCheck['kind'] {
  if (check.canaries.hits.total > 0) return 'canary'
  if (touchedFixtures(check).length > 0) return 'overlap'
  const isSearched = check.unsearched.total === 0 && check.tokens > 0
  const isComplete = isSearched && check.fixtures.every(({ ngrams }) => ngrams > 0)
  return isComplete ? 'clean' : 'incomplete'
}

/** The fixtures of which more was found than texts have in common by chance. */
export function touchedFixtures({
  fixtures,
  thresholds,
}: Pick<DataCheck, 'fixtures' | 'thresholds'>): DataCheck['fixtures'] {
  return fixtures.filter(
    ({ share, longestRun }) => (share !== null && share >= thresholds.share) || longestRun >= thresholds.run,
  )
}

/**
 * Reads a file that `mens check-data` wrote.
 * @throws BenchError `training/invalid` naming the first fields that are wrong.
 */
export function readDataCheck(file: string, text: string): DataCheck {
  const invalid = (problem: string) =>
    new BenchError({
      code: 'training/invalid',
      message: `${file} is not the outcome of a search of training data: ${problem}.`,
      hint: 'Give the file that "vox-efficacy mens check-data DIR --output FILE" wrote.',
    })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid((error as Error).message)
  }
  const version = typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : null
  if (typeof version === 'number' && version !== DATA_CHECK_VERSION) {
    throw invalid(`it has schema version ${version}, and this version of the tool reads ${DATA_CHECK_VERSION}`)
  }
  const parsed = dataCheckSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(listIssues(parsed.error).slice(0, 5).join('; '))
}
