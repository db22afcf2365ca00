import { z } from 'zod'
import { completionSchema } from '../models/provider.ts'
import { verificationSchema } from '../verify/verdict.ts'

/** One attempt, joined from its journal lines; what every score is computed from. */
export const attemptRecordSchema = z.object({
  attempt: z.string(),
  cell: z.string(),
  subject: z.string(),
  condition: z.string(),
  fixture: z.string(),
  sample: z.number().int(),
  promptHash: z.string(),
  seed: z.number().nullable(),
  completion: completionSchema,
  /** Null for an infra error or an attempt not made. */
  verification: verificationSchema.nullable(),
})
export type AttemptRecord = z.infer<typeof attemptRecordSchema>
