import { z } from 'zod'
import { engineIdentitySchema, sandboxReportSchema } from '../engine/engine.ts'
import { endedLineSchema, registrationSchema } from '../generate/journal.ts'
import { planSchema } from '../generate/plan.ts'
import { MAX_SHARDS, shardSchema } from '../generate/shard.ts'
import { attemptRecordSchema } from '../score/record.ts'
import { rowSchema } from '../score/row.ts'
import { preflightLineSchema } from '../verify/journal-lines.ts'
import { comparisonSchema, simultaneousSchema } from './comparisons-schema.ts'
import { helpEffectsSchema } from './help-effects-schema.ts'

export const SCHEMA_VERSION = 1

/** One thing a reader must know before believing a number, with the figures it was made from. */
export const caveatSchema = z.object({
  id: z.string(),
  text: z.string(),
  numbers: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
})
export type Caveat = z.infer<typeof caveatSchema>

/**
 * `report.json`. A pure function of the run's journal: made again from it, the report differs at most in its blocks
 * `run`, `spend` and `timing`.
 */
export const reportSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  tool: planSchema.shape.tool,
  purpose: planSchema.shape.purpose,
  run: z.object({
    /** Made from the plan and the time it was fixed. */
    id: z.string(),
    startedAt: z.string(),
    /** How often it was continued after it was killed or had ended incomplete. */
    resumed: z.number().int(),
    /** Null for a run that was killed. */
    finishedAt: z.string().nullable(),
    /** True when the run ended by itself and every attempt has a verdict. */
    complete: z.boolean(),
    /** Why it is not complete; null when it is. */
    endedBecause: z.string().nullable(),
    /** The secret that chose the controls; null for a run that was killed, whose controls nobody can choose again, and for a merged one. */
    runKey: z.string().nullable(),
    /** Which part of the plan this is the report of; null when it is of all of it. */
    shard: shardSchema.nullable().default(null),
    /**
     * What became of each part of a run that was merged from shards, in their order; empty for every other run. Each has
     * a run key of its own, null where it was killed; `shardOf` tells which attempts it chose the controls of.
     */
    shards: z
      .array(
        z.object({
          index: z.number().int(),
          startedAt: z.string(),
          finishedAt: z.string().nullable(),
          resumed: z.number().int(),
          endedBecause: z.string().nullable(),
          runKey: z.string().nullable(),
        }),
      )
      .max(MAX_SHARDS)
      .default([]),
  }),
  plan: planSchema,
  /** The plan that was published before the run, and where this one is another; null when none was registered. */
  registration: registrationSchema.nullable(),
  /** Null when the run ended before its preflight was over. */
  engine: engineIdentitySchema.nullable(),
  /** What candidates were kept in; null when the run ended before its preflight was over. */
  sandbox: sandboxReportSchema.nullable(),
  preflight: preflightLineSchema.omit({ kind: true, engine: true, sandbox: true, elapsedMs: true }).nullable(),
  caveat: z.array(caveatSchema),
  /** Why nothing may be gated on this report; empty when something may. */
  gateRefusals: z.array(z.string()),
  rows: z.array(rowSchema),
  /** What language help buys; null in a report of a version that did not look at it. */
  helpEffects: helpEffectsSchema.nullable().default(null),
  /** What the plan compares; empty where it compares nothing, and in a report of a version that did not. */
  comparisons: z.array(comparisonSchema).default([]),
  /** One for each condition with three rows or more, where something may be gated on the report. */
  simultaneous: z.array(simultaneousSchema).default([]),
  attempts: z.array(attemptRecordSchema),
  spend: endedLineSchema.shape.spend.extend({
    /** Answers whose cost nobody told; `spentUsd` lacks them unless a reservation covered them. */
    answersOfUnknownCost: z.number().int(),
    /** Answers whose cost as the provider told it is not what its token counts come to; the larger was booked. */
    contradictions: z.object({ answers: z.number().int(), differenceUsd: z.number() }),
    /** True when the run was ever killed: what was reserved and not settled then counts as spent. */
    isUpperBound: z.boolean(),
  }),
  /** From the times in the journal, in milliseconds; null where a line is missing. */
  timing: z.object({
    preflightMs: z.number().nullable(),
    answersMs: z.number().nullable(),
    totalMs: z.number().nullable(),
  }),
})
export type Report = z.infer<typeof reportSchema>
