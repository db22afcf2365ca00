import { z } from 'zod'
import { intervalSchema } from '../score/rate.ts'

/** Two rows of one sweep on the same problems, first less second. Shares in [-1, 1]. */
export const comparisonSchema = z.object({
  kind: z.enum(['checkpoints', 'subjects', 'help']),
  /** Ids of the two cells; of `help` the second has the least help. */
  cells: z.tuple([z.string(), z.string()]),
  /** Mean over independent units; null where nothing may be compared. */
  difference: z.number().nullable(),
  /** 95 %, for this difference alone; cautious, so it may hold 0 where p is below 5 %. */
  interval: intervalSchema.nullable(),
  /** The differences that the test does not reject at 5 %: without 0 exactly where p, not adjusted, is at most that. */
  testInterval: intervalSchema.nullable().default(null),
  /** As wide as it takes for those of all comparisons of the sweep to hold together at 95 %. */
  jointInterval: intervalSchema.nullable(),
  /** Which interval; null without one. */
  method: z.string().nullable(),
  /** Problems with a verdict on both sides, independent ones among them, and those left out. */
  fixtures: z.number().int(),
  units: z.number().int(),
  leftOut: z.number().int(),
  /** Problems that pass more often on the first side, and on the second. */
  more: z.number().int(),
  less: z.number().int(),
  /** Two-sided; null where nothing may be compared. */
  p: z.number().nullable(),
  /** By Holm, over all comparisons of the sweep. */
  adjustedP: z.number().nullable(),
  /** Which test; null without one. */
  test: z.string().nullable(),
  /**
   * `higher`, `lower`: the first differs from the second, by the adjusted p. `not-detected`: neither,
   * and the joint interval excludes a difference of the margin in both directions. `cannot-tell`: none of these.
   * `blocked`: nothing may be said, whatever the numbers.
   */
  outcome: z.enum(['higher', 'lower', 'not-detected', 'cannot-tell', 'blocked']),
  blockedBecause: z.array(z.string()),
  margin: z.number(),
  /** The chance that a true gap is noticed over the planned discordance at alpha, and the problems it takes at the target. */
  sight: z.object({
    gap: z.number(),
    /** That of the first step of Holm's procedure. */
    alpha: z.number(),
    target: z.number(),
    discordance: z.object({ min: z.number(), max: z.number() }),
    power: z.object({ min: z.number(), max: z.number() }),
    neededN: z.object({ min: z.number().nullable(), max: z.number().nullable() }),
  }),
})
export type SweepComparison = z.infer<typeof comparisonSchema>

/** All pairs of at least three subjects under one condition at once, by max-T. */
export const simultaneousSchema = z.object({
  condition: z.string(),
  units: z.number().int(),
  /** In standard errors. */
  criticalValue: z.number(),
  /** Intervals that hold together at 95 %; first less second. */
  pairs: z.array(
    z.object({ cells: z.tuple([z.string(), z.string()]), difference: z.number(), interval: intervalSchema }),
  ),
  /** The ranks that these intervals leave open to each row, in the order of the plan; 1 is the highest rate. */
  ranks: z.array(z.object({ cell: z.string(), from: z.number().int(), to: z.number().int() })),
})
export type Simultaneous = z.infer<typeof simultaneousSchema>
