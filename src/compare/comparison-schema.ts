import { z } from 'zod'
import { planSchema } from '../generate/plan.ts'
import { helpEffectsSchema } from '../report/help-effects-schema.ts'
import { intervalSchema } from '../score/rate.ts'

export const COMPARISON_VERSION = 1

const sideSchema = z.object({
  runId: z.string(),
  startedAt: z.string(),
  subject: z.string(),
  harness: z.string(),
  condition: z.string(),
  seed: z.number().int(),
  endpoint: z.string().nullable(),
  /** Over the problems of both; samples with a verdict. */
  passed: z.number().int(),
  judged: z.number().int(),
})
export type Side = z.infer<typeof sideSchema>

const changeSideSchema = z.object({
  passed: z.number().int(),
  judged: z.number().int(),
  /** The sample that shows the change: its id, kind and class of its verdict, and its program; null where there is none. */
  attempt: z.string().nullable(),
  verdict: z.string(),
  program: z.string().nullable(),
})

/** A problem that passes less often in HEAD than in BASE, or more often. */
const changeSchema = z.object({
  fixture: z.string(),
  title: z.string(),
  base: changeSideSchema,
  head: changeSideSchema,
  /** Further draws of HEAD's subject, which only label this; null where there are none. */
  draws: z.object({ passed: z.number().int(), judged: z.number().int() }).nullable(),
})
export type Change = z.infer<typeof changeSchema>

const rangeSchema = z.object({ min: z.number(), max: z.number() })

/** `comparison.json`: what the gate says of HEAD's row against BASE's. Shares in [0, 1], differences HEAD less BASE. */
export const comparisonSchema = z.object({
  schemaVersion: z.literal(COMPARISON_VERSION),
  tool: planSchema.shape.tool,
  outcome: z.enum(['regressed', 'improved', 'not-detected', 'cannot-tell', 'blocked', 'no-baseline']),
  /** False for `regressed`, for `blocked`, and where a rule of the preset is broken. */
  passes: z.boolean(),
  base: sideSchema.nullable(),
  head: sideSchema,
  /** Fields that must agree and do not. */
  mismatches: z.array(z.object({ field: z.string(), base: z.string(), head: z.string() })),
  /** Whatever else keeps the gate from deciding. */
  blocks: z.array(z.object({ side: z.enum(['base', 'head']), reason: z.string() })),
  look: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('single') }),
    z.object({ kind: z.literal('push'), j: z.number().int() }),
    z.object({ kind: z.literal('scheduled'), horizon: z.number().int() }),
  ]),
  alpha: z.object({ overall: z.number(), look: z.number() }),
  margin: z.number(),
  /** What a comparison of this size sees, planned and not observed. */
  power: z.object({
    kind: z.enum(['checkpoints', 'subjects']),
    n: z.number().int(),
    gap: z.number(),
    alpha: z.number(),
    target: z.number(),
    discordance: rangeSchema,
    power: rangeSchema,
    neededN: z.object({ min: z.number().nullable(), max: z.number().nullable() }),
    /** The smallest true gap noticed at the target over the whole planned discordance; null where none is. */
    smallestGap: z.number().nullable(),
  }),
  /** Null where nothing was tested. */
  decision: z
    .object({
      p: z.number(),
      test: z.string(),
      difference: z.number(),
      /** The differences that the test does not reject at the alpha of the look: without 0 exactly where it rejects. Null where no
       *  problem differs. */
      testInterval: intervalSchema.nullable(),
      /** The cautious one of level 1 - alpha of the look, which says what loss is excluded; it may hold 0 all the same. */
      interval: intervalSchema,
      method: z.string(),
      nonInferiorityBound: z.number(),
      /** Independent problems on which BASE passes more (b), and HEAD (c). */
      discordant: z.object({ b: z.number().int(), c: z.number().int() }),
      fixtures: z.number().int(),
      n: z.number().int(),
    })
    .nullable(),
  fixtures: z.object({
    both: z.number().int(),
    onlyInBase: z.array(z.string()),
    onlyInHead: z.array(z.string()),
    /** Problems that HEAD planned, and those of its split. */
    inHead: z.number().int(),
    inSplit: z.number().int(),
  }),
  regressions: z.array(changeSchema),
  improvements: z.array(changeSchema),
  /** Problems after both cutoffs that no training data touched; `unknown` is never clean. */
  clean: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('known'),
      cutoff: z.string(),
      fixtures: z.number().int(),
      /** Among these: passed more often in BASE, and in HEAD. Not tested. */
      less: z.number().int(),
      more: z.number().int(),
    }),
    z.object({ kind: z.literal('unknown'), reason: z.string() }),
  ]),
  /** Problems of both that the training data of either subject touched. */
  touched: z.array(z.string()),
  /** What the rows took on the problems that both solve; null without a baseline or where nothing may be compared. */
  cost: helpEffectsSchema.shape.matchedCosts.element.nullable(),
  preset: z
    .object({
      name: z.literal('upstream'),
      rules: z.array(z.object({ rule: z.string(), found: z.string(), isBroken: z.boolean() })),
      /** Chance that a rule is broken although nothing got worse, as simulated. */
      falseAlarms: z.array(z.object({ where: z.string(), rate: z.number(), standardError: z.number() })),
    })
    .nullable(),
})
export type Comparison = z.infer<typeof comparisonSchema>
