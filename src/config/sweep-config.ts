import { z } from 'zod'
import { engineOptionsSchema } from './engine-options.ts'
import { extraBodySchema } from './extra-body.ts'
import { listOf, readCount } from './list-of.ts'

/** A day, or `auto`: what the catalogue of models says. */
const cutoff = z
  .string()
  .regex(/^(\d{4}-\d{2}-\d{2}|auto)$/, 'must be a date like 2026-01-31, or auto')
  .refine(
    (text) => text === 'auto' || (!Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)),
    'is not a day of the calendar',
  )

const NO_SHARD = 'must be like 2/5: part 2 of 5, and of 256 at most'
const shard = z
  .string()
  .regex(/^\d{1,3}\/\d{1,3}$/, { error: NO_SHARD, abort: true })
  .refine((text) => {
    const [index = 0, count = 0] = text.split('/').map(Number)
    return index >= 1 && index <= count && count <= 256
  }, NO_SHARD)

const price = z.number().nonnegative('must not be negative')

/** One subject as written in a sweep file or by flags; the words are those of the option table. */
export const subjectOptionsSchema = z.strictObject({
  model: z.string().min(1, 'must not be empty').optional(),
  checkpoint: z.string().min(1, 'must not be empty').optional(),
  harness: z.string().min(1, 'must not be empty').optional(),
  fix: z.boolean().optional(),
  'from-dir': z.string().min(1, 'must not be empty').optional(),
  recording: z.string().min(1, 'must not be empty').optional(),
  script: z.string().min(1, 'must not be empty').optional(),
  /** Overrides the sweep's conditions for this subject; in a sweep file only. */
  condition: listOf(z.string()).optional(),
  'base-url': z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  'api-key-env': z
    .string()
    .regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, not a key')
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  'top-p': z.number().gt(0).max(1).optional(),
  'max-tokens': z.number().int().positive().optional(),
  'max-tokens-field': z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  'reasoning-effort': z.string().min(1).optional(),
  'reasoning-max-tokens': z.number().int().positive().optional(),
  provider: listOf(
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,99}$/, 'must be the name of a provider, such as deepinfra/fp8'),
  ).optional(),
  /** In a sweep file only. */
  'extra-body': extraBodySchema.optional(),
  cutoff: cutoff.optional(),
  'training-data': z.string().min(1, 'must not be empty').optional(),
  'prompt-usd-per-m': price.optional(),
  'completion-usd-per-m': price.optional(),
  'cached-usd-per-m': price.optional(),
  'cache-write-usd-per-m': price.optional(),
  'request-usd': price.optional(),
  'mens-serve': z.string().min(1, 'must not be empty').optional(),
})
export type SubjectOptions = z.infer<typeof subjectOptionsSchema>

/** A whole sweep file, as a run keeps it beside its journal. */
export const sweepFileSchema = z.strictObject({
  ...engineOptionsSchema.shape,
  subjects: z.array(subjectOptionsSchema).min(1, 'needs at least one subject'),
  corpus: z.string().min(1).optional(),
  split: z.enum(['held-out', 'training-eligible', 'all']).default('held-out'),
  fixtures: listOf(z.string()).optional(),
  condition: listOf(z.string()).default(['C1']),
  n: z.number().int().min(1).max(1000).default(1),
  k: listOf(z.number().int().positive(), readCount).default([1]),
  seed: z.number().int().nonnegative().default(1),
  'exclude-failing-references': z.boolean().default(false),
  'max-spend-usd': z.number().nonnegative('must not be negative').optional(),
  'max-spend-usd-per-month': z.number().nonnegative('must not be negative').optional(),
  'spend-file': z.string().min(1, 'must not be empty').optional(),
  'response-store': z.string().min(1, 'must not be empty').optional(),
  fresh: z.boolean().default(false),
  concurrency: z.number().int().min(1).max(256).default(4),
  'request-timeout-s': z.number().int().min(1).max(86_400).default(600),
  retries: z.number().int().min(0).max(20).default(3),
  // As long as a timer can be.
  'deadline-min': z.number().positive('must be more than 0').max(35_000).optional(),
  'mens-runs': z.string().min(1, 'must not be empty').default('mens/runs'),
  'mens-ready-s': z.number().int().min(1).max(86_400).default(600),
  shard: shard.optional(),
  output: z.string().min(1).default('out'),
  /** `auto`, `off`, or the path of a snapshot. */
  catalogue: z.string().min(1, 'must not be empty').default('auto'),
  /** Path of the plan that was published before the run. */
  registered: z.string().min(1, 'must not be empty').optional(),
  smoke: z.boolean().default(false),
  /** `demo` is set by the command of that name only: every headline says that the answers were recorded. */
  purpose: z.enum(['run', 'demo']).default('run'),
})
export type SweepConfig = z.infer<typeof sweepFileSchema>

/** What a run of that configuration is for. */
export function purposeOf({ smoke, purpose }: SweepConfig): 'run' | 'smoke' | 'demo' {
  return smoke ? 'smoke' : purpose
}

/** A sweep file as people write it. */
export const writtenSweepSchema = sweepFileSchema.omit({ purpose: true })
