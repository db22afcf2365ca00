import { z } from 'zod'
import { engineIdentitySchema, sandboxReportSchema } from '../engine/engine.ts'
import { verdictSchema, verificationSchema } from './verdict.ts'

/** Written once, before any request: what verifies the run, and that it can tell good programs from bad. */
export const preflightLineSchema = z.object({
  kind: z.literal('preflight'),
  engine: engineIdentitySchema,
  sandbox: sandboxReportSchema,
  /** References tried, and planted bad programs tried. */
  references: z.number().int(),
  saboteurs: z.number().int(),
  /** Empty when the preflight passed. */
  failures: z.array(
    z.object({
      fixture: z.string(),
      planted: z.string(),
      expected: z.string(),
      found: z.string(),
      verdict: verdictSchema.nullable(),
    }),
  ),
  elapsedMs: z.number(),
})
export type PreflightLine = z.infer<typeof preflightLineSchema>

/** Written once for every answered attempt. */
export const verifiedLineSchema = z.object({
  kind: z.literal('verified'),
  attempt: z.string(),
  verification: verificationSchema,
})
export type VerifiedLine = z.infer<typeof verifiedLineSchema>
