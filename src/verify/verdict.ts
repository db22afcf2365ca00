import { z } from 'zod'

const diagnosticSchema = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string().nullable(),
  message: z.string(),
  line: z.number(),
  column: z.number(),
})

/** What became of a candidate. The denominator of every rate is all attempts with a verdict. */
export const verdictSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.literal('no-code'), why: z.enum(['none', 'refused', 'filtered']) }),
  z.object({ kind: z.literal('truncated') }),
  z.object({ kind: z.literal('policy'), rule: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('check-failed'), class: z.string(), diagnostics: z.array(diagnosticSchema) }),
  z.object({ kind: z.literal('check-timeout') }),
  z.object({ kind: z.literal('wrong-answer'), where: z.enum(['assertion', 'fresh inputs']), detail: z.string() }),
  z.object({ kind: z.literal('runtime-error'), class: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('budget'), resource: z.enum(['steps', 'depth', 'memory']) }),
  z.object({ kind: z.literal('timeout') }),
  z.object({ kind: z.literal('output-limit') }),
  z.object({ kind: z.literal('cheated'), how: z.string() }),
  z.object({ kind: z.literal('crashed'), signal: z.string() }),
  z.object({ kind: z.literal('unsupported'), reason: z.string() }),
])
export type Verdict = z.infer<typeof verdictSchema>
export type VerdictKind = Verdict['kind']

const MENDABLE: ReadonlySet<VerdictKind> = new Set([
  'no-code',
  'policy',
  'check-failed',
  'check-timeout',
  'wrong-answer',
  'runtime-error',
  'budget',
  'timeout',
  'output-limit',
])

/**
 * Whether an answer with this verdict is given back for another. A refusal is an answer, a cheat stays one, and an
 * answer that was cut off would be cut off again.
 */
export function isMendable(verdict: Verdict): boolean {
  return MENDABLE.has(verdict.kind) && (verdict.kind !== 'no-code' || verdict.why === 'none')
}

export const verificationSchema = z.object({
  verdict: verdictSchema,
  /** The program taken from the answer, after a plain `main` was stripped; null when there was none. */
  candidate: z.string().nullable(),
  /** Name of the extraction rule that applied; null when nothing was extracted. */
  rule: z.string().nullable(),
  /** What was done to the candidate and is no fault, e.g. `stripped main`. */
  notes: z.array(z.string()),
})
export type Verification = z.infer<typeof verificationSchema>

/** Versions that decide a verdict; a change of any makes results incomparable. */
export const EXTRACTION_VERSION = 1
export const POLICY_VERSION = 2
