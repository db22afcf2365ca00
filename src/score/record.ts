import { z } from 'zod'
import { type Answer, completionSchema } from '../models/provider.ts'
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
  /** Of an attempt with a second turn that of the second. */
  completion: completionSchema,
  /** Null for an infra error or an attempt not made. */
  verification: verificationSchema.nullable(),
  /** The first turn of an attempt that needed a second one; null for every other. */
  first: z
    .object({
      completion: completionSchema,
      verification: verificationSchema,
      /** What the model was told of its answer; null when the second turn was not reached. */
      feedback: z.string().nullable(),
    })
    .nullable()
    .default(null),
})
export type AttemptRecord = z.infer<typeof attemptRecordSchema>

/** The answers of an attempt, one for each turn that brought one. */
export function answersOf({ first, completion }: Pick<AttemptRecord, 'first' | 'completion'>): Answer[] {
  return [first?.completion, completion].filter((each) => each?.kind === 'answered')
}
