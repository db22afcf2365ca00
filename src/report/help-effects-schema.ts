import { z } from 'zod'
import { intervalSchema } from '../score/rate.ts'

/** A pass rate less another on the same problems, as the mean over independent units. Shares in [-1, 1]. */
const differenceSchema = z.object({
  /** Null with a reason. */
  difference: z.number().nullable(),
  /** 95 %, for this difference alone. */
  interval: intervalSchema.nullable(),
  /** Which interval; null without one. */
  method: z.string().nullable(),
  /** Problems with a verdict on both sides. */
  fixtures: z.number().int(),
  /** Independent ones among them: a family counts once. */
  units: z.number().int(),
  /** Problems without a verdict on either side, which are in neither rate. */
  leftOut: z.number().int(),
  /** Problems that pass more often on the first side, and on the second. */
  more: z.number().int(),
  less: z.number().int(),
  reason: z.string().nullable(),
})
export type Difference = z.infer<typeof differenceSchema>

const rungSchema = z.object({ condition: z.string(), tokens: z.number().int() })
export type Rung = z.infer<typeof rungSchema>

/** The pass rate with the most help of the ladder less that with the least. */
const liftSchema = differenceSchema.extend({ subject: z.string(), least: rungSchema, most: rungSchema })
export type Lift = z.infer<typeof liftSchema>

/** As a lift; of each problem the mean over the subjects is taken first, which are thus fixed and not a sample. */
const pooledLiftSchema = differenceSchema.extend({ subjects: z.array(z.string()), least: rungSchema, most: rungSchema })
export type PooledLift = z.infer<typeof pooledLiftSchema>

const helpNeededSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reached'),
    target: z.number(),
    tokens: z.number(),
    /** 95 %. Null `low`: less than the least help of the ladder; null `high`: more than the most. */
    low: z.number().nullable(),
    high: z.number().nullable(),
  }),
  z.object({ kind: z.literal('unknown'), target: z.number(), reason: z.string() }),
])

const helpCurveSchema = z.object({
  subject: z.string(),
  /** By tokens of help, least first. Rates are means over independent units of all samples with a verdict. */
  points: z.array(
    z.object({
      condition: z.string(),
      tokens: z.number().int(),
      passed: z.number().int(),
      of: z.number().int(),
      rate: z.number(),
      interval: intervalSchema.nullable(),
      /** The rate of the nearest curve that never falls. */
      fit: z.number(),
    }),
  ),
  /** One for 50 % and one for 80 %. */
  needed: z.array(helpNeededSchema),
})
export type HelpCurve = z.infer<typeof helpCurveSchema>
export type HelpNeededEntry = z.infer<typeof helpNeededSchema>

/** The pass rate with a section of the help less that without it. */
const ablationSchema = differenceSchema.extend({
  subject: z.string(),
  base: z.string(),
  without: z.string(),
  section: z.string(),
  /** Tokens of the section. */
  tokens: z.number().int(),
  /** Two-sided; null where there is nothing to test. */
  p: z.number().nullable(),
  /** By Holm, over all ablations of the report. */
  adjustedP: z.number().nullable(),
  test: z.string().nullable(),
})
export type Ablation = z.infer<typeof ablationSchema>

/** Means over the problems whose first sample passed on both sides, of those among them where both amounts are known. */
const matchedAmountSchema = z.object({
  fixtures: z.number().int(),
  first: z.number().nullable(),
  second: z.number().nullable(),
  /** The second over the first. */
  ratio: z.number().nullable(),
  /** 95 %, of the ratio. */
  interval: intervalSchema.nullable(),
  reason: z.string().nullable(),
})
export type MatchedAmount = z.infer<typeof matchedAmountSchema>

const matchedCostSchema = z.object({
  kind: z.enum(['help', 'subjects']),
  /** Cells. Of `help` the first has the least help of a subject and the second the most. */
  first: z.string(),
  second: z.string(),
  /** Problems whose first sample passed in both. */
  fixtures: z.number().int(),
  /** Prompt and completion tokens. */
  tokens: matchedAmountSchema,
  usd: matchedAmountSchema,
  latencyMs: matchedAmountSchema,
})
export type MatchedCost = z.infer<typeof matchedCostSchema>

/** What language help buys. Empty lists where the plan has nothing to compare. */
export const helpEffectsSchema = z.object({
  lifts: z.array(liftSchema),
  /** One for each pair of rungs that at least two subjects share. */
  pooledLifts: z.array(pooledLiftSchema),
  curves: z.array(helpCurveSchema),
  ablations: z.array(ablationSchema),
  matchedCosts: z.array(matchedCostSchema),
  /** What one lift, and one of the ablations after Holm, has to be for it to be seen at the planned power. */
  sight: z.object({
    units: z.number().int(),
    target: z.number(),
    discordance: z.object({ min: z.number(), max: z.number() }),
    /** The smallest true difference that is seen; null where none is. */
    lift: z.number().nullable(),
    ablation: z.number().nullable(),
  }),
})
export type HelpEffects = z.infer<typeof helpEffectsSchema>
