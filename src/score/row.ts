import { z } from 'zod'
import { intervalSchema, rateSchema } from './rate.ts'

/** A sum over answers. A sum that lacks some of them is no sum: `total` is null unless all of them told. */
const measuredSchema = z.object({ total: z.number().nullable(), known: z.number().int(), of: z.number().int() })
export type Measured = z.infer<typeof measuredSchema>

/** A rate when every attempt without a verdict counts as failed, and when each counts as passed. */
const boundsSchema = z.object({ allFailed: z.number(), allPassed: z.number() })

export const firstSampleSchema = z.object({
  fixture: z.string(),
  /** `missing`: no verdict, for reasons that are not the model's. */
  outcome: z.enum(['passed', 'failed', 'missing']),
})

export const passAtKSchema = z.object({
  k: z.number().int(),
  /** Mean over fixtures of the unbiased estimate; null with a reason where any fixture lacks samples. */
  value: z.number().nullable(),
  reason: z.string().nullable(),
  /** 95 %. */
  interval: intervalSchema.nullable(),
  /** Which interval, or why there is none. */
  method: z.string(),
})

export const funnelStages = ['answered', 'code', 'policy', 'check', 'ran', 'passed'] as const
const funnelStageSchema = z.object({ stage: z.enum(funnelStages), count: z.number().int() })
export type FunnelStage = z.infer<typeof funnelStageSchema>

export const failureSchema = z.object({
  kind: z.string(),
  /** Rule, class or place; null where the kind has none. */
  class: z.string().nullable(),
  count: z.number().int(),
  /** Of all judged attempts. */
  share: z.number(),
  fixtures: z.array(z.string()),
})
export type Failure = z.infer<typeof failureSchema>

export const uncontaminatedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('known'),
    cutoff: z.string(),
    source: z.string(),
    /** Fixtures added strictly after the cutoff. */
    fixtures: z.number().int(),
    firstSample: rateSchema,
  }),
  z.object({ kind: z.literal('unknown'), reason: z.string() }),
])

/** What giving back answers that failed came to, over all judged attempts of a subject with a second turn. */
export const fixesSchema = z.object({
  judged: z.number().int(),
  /** First answers that passed: nothing was to be mended. */
  passedAtOnce: z.number().int(),
  /** Of the second answers, those that passed. */
  mended: rateSchema,
  /** The same by what was wrong with the first answer, the most frequent first. */
  byFailure: z.array(
    z.object({ kind: z.string(), class: z.string().nullable(), given: z.number().int(), mended: z.number().int() }),
  ),
})
export type Fixes = z.infer<typeof fixesSchema>

export const breakdownSchema = z.object({
  name: z.string(),
  fixtures: z.number().int(),
  judged: z.number().int(),
  passed: z.number().int(),
})

/** The score of one cell. Rates are shares in [0, 1]; what is not known is null, never 0. */
export const rowSchema = z.object({
  cell: z.string(),
  subject: z.string(),
  harness: z.string(),
  condition: z.string(),
  helpTokens: z.number().int(),
  fixtures: z.number().int(),
  samples: z.number().int(),
  /** Whether the first-sample rate may stand in a headline. */
  headline: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ok') }),
    z.object({ kind: z.literal('withheld'), reason: z.string() }),
  ]),
  attempts: z.object({
    planned: z.number().int(),
    /** Attempts with a verdict: the denominator. */
    judged: z.number().int(),
    /** Answered, but the run ended before the verdict. */
    unverified: z.number().int(),
    infraErrors: z.record(z.string(), z.number().int()),
    notAttempted: z.record(z.string(), z.number().int()),
  }),
  firstSamples: z.array(firstSampleSchema),
  /** Fixtures whose first sample passed, of those whose first sample was judged. */
  firstSample: rateSchema,
  passAtK: z.array(passAtKSchema),
  /** Null when every attempt was judged. */
  bounds: z.object({ firstSample: boundsSchema, allAttempts: boundsSchema }).nullable(),
  /** Attempts whose program `check` accepted, of all judged attempts. */
  compile: z.object({ accepted: z.number().int(), judged: z.number().int(), rate: z.number().nullable() }),
  funnel: z.array(funnelStageSchema),
  verdicts: z.record(z.string(), z.number().int()),
  failures: z.array(failureSchema),
  cheated: z.number().int(),
  unsupported: z.number().int(),
  uncontaminated: uncontaminatedSchema,
  /** Null for a subject without a second turn; with one, every rate of this row is one of what the last turn came to. */
  fix: fixesSchema.nullable().default(null),
  tokens: z.object({
    prompt: measuredSchema,
    completion: measuredSchema,
    reasoning: measuredSchema,
    /** Prompt and completion tokens of all answers over the attempts that passed; null without a pass. */
    perPass: z.number().nullable(),
  }),
  cost: z.object({ usd: measuredSchema, perSuccessUsd: z.number().nullable() }),
  /** Nearest-rank percentiles over answers whose latency is known. */
  latency: z.object({
    p50Ms: z.number().nullable(),
    p90Ms: z.number().nullable(),
    known: z.number().int(),
    of: z.number().int(),
  }),
  byDifficulty: z.array(breakdownSchema),
  byTag: z.array(breakdownSchema),
})
export type Row = z.infer<typeof rowSchema>
