import { z } from 'zod'
import { samplingSchema } from '../models/provider.ts'

/** In USD; null is not told: such tokens cost what prompt tokens cost, such a request nothing beside its tokens. */
export const priceSchema = z.object({
  promptUsdPerM: z.number(),
  completionUsdPerM: z.number(),
  /** Of a million prompt tokens that the provider's cache had. */
  cachedPromptUsdPerM: z.number().nullable(),
  /** Of a million prompt tokens that were put into the cache. */
  cacheWriteUsdPerM: z.number().nullable(),
  requestUsd: z.number().nullable(),
  /** Who says so. */
  source: z.string(),
})
export type Price = z.infer<typeof priceSchema>

/** A (model, checkpoint?, harness, sampling configuration) tuple. */
export const subjectSchema = z.object({
  /** Row id: `<model>` or `<model>@<checkpoint>`; unique in a sweep. */
  id: z.string(),
  model: z.string(),
  checkpoint: z.string().nullable(),
  harness: z.string(),
  sampling: samplingSchema,
  /** Scheme, host and port of the endpoint (never a path or a key); null for folders and scripts. */
  endpoint: z.string().nullable(),
  /** How the answers were obtained when not by requests of this run; null otherwise. Parts may be unknown. */
  recording: z
    .object({ obtained: z.string(), date: z.string().nullable(), isBatched: z.boolean().nullable() })
    .nullable(),
  /** Whether an answer that fails is given back once with what was found wrong, for another (fix@1). */
  hasFixTurn: z.boolean().default(false),
  /** How a checkpoint on this machine is served by the run itself; null for every other subject. */
  served: z
    .object({
      /** Command template, with its placeholders. */
      command: z.string(),
      /** SHA-256 over the files of the checkpoint: relative names, sizes and bytes. */
      weights: z.string(),
    })
    .nullable()
    .default(null),
  /** Tokens of prompt and answer together at most, as the catalogue says; null is unknown. */
  contextTokens: z.number().int().nullable(),
  /** Training cutoff as declared or as the catalogue says; `date` null is unknown and never reads as clean. */
  cutoff: z.object({ date: z.string().nullable(), source: z.string() }),
  /** What a search of the training data for held-out problems came to, as its file says; null when there is none. */
  trainingData: z
    .object({
      kind: z.enum(['canary', 'overlap', 'incomplete', 'clean']),
      at: z.string(),
      corpusHash: z.string(),
      dataHash: z.string(),
      files: z.number().int(),
      bytes: z.number(),
      n: z.number().int(),
      /** How many canaries the corpus has, and how often one was found. */
      canaries: z.object({ searched: z.number().int(), hits: z.number().int() }),
      /** Fixtures of which more was found than texts have in common by chance; they count as contaminated. */
      touched: z.array(z.object({ id: z.string(), share: z.number().nullable(), longestRun: z.number().int() })),
      /** Files that were not searched in full, and fixtures that have no n-gram to search for. */
      unsearched: z.object({ files: z.number().int(), fixtures: z.array(z.string()) }),
    })
    .nullable()
    .default(null),
  /** Null when unknown. */
  price: priceSchema.nullable(),
})
export type Subject = z.infer<typeof subjectSchema>

/** An amount of language help. */
export const conditionSchema = z.object({
  /** `C0`, `C1`, `C1@50`, `C1-strings`, `C2`, `C3` or `file:PATH`. */
  name: z.string(),
  /** The help text; empty for C0. */
  text: z.string(),
  tokens: z.number().int(),
  hash: z.string(),
  sections: z.array(z.string()),
})
export type Condition = z.infer<typeof conditionSchema>

/** What a model is sent for one fixture under one condition. */
export const promptSchema = z.object({
  fixture: z.string(),
  condition: z.string(),
  system: z.string(),
  user: z.string(),
  hash: z.string(),
})
export type Prompt = z.infer<typeof promptSchema>

/** A cell is subject x condition; its attempts are fixtures x samples. */
export const cellSchema = z.object({ id: z.string(), subject: z.string(), condition: z.string() })
export type Cell = z.infer<typeof cellSchema>

/** What of a fixture every later stage needs; its full text stays in the corpus, named by the hash. */
export const plannedFixtureSchema = z.object({
  id: z.string(),
  title: z.string(),
  difficulty: z.string(),
  tags: z.array(z.string()),
  family: z.string().nullable(),
  trainingEligible: z.boolean(),
  addedAt: z.string(),
  assertions: z.number().int(),
  hasDomain: z.boolean(),
  hash: z.string(),
})
export type PlannedFixture = z.infer<typeof plannedFixtureSchema>

/** Everything fixed before the first request. Two rows compare only where it agrees. */
export const planSchema = z
  .object({
    tool: z.object({ name: z.literal('vox-efficacy'), version: z.string() }),
    corpus: z.object({
      name: z.string(),
      hash: z.string(),
      split: z.enum(['held-out', 'training-eligible', 'all']),
      total: z.number().int(),
      heldOut: z.number().int(),
      warnings: z.array(z.object({ fixture: z.string(), field: z.string(), message: z.string() })),
      /** Who wrote the problems and how; goes into the caveat. */
      origin: z.string(),
    }),
    fixtures: z.array(plannedFixtureSchema),
    /** Problems that were asked for and left out, since this engine fails their references. */
    excluded: z.array(z.object({ fixture: z.string(), reason: z.string() })),
    subjects: z.array(subjectSchema),
    /** The list of models that prices, contexts and cutoffs were taken from; null when none was used. */
    catalogue: z.object({ source: z.string(), fetchedAt: z.string().nullable(), sha256: z.string() }).nullable(),
    conditions: z.array(conditionSchema),
    cells: z.array(cellSchema),
    prompts: z.array(promptSchema),
    samples: z.number().int().positive().max(1000),
    k: z.array(z.number().int().positive()),
    seed: z.number().int(),
    /** What may be spent at most, in USD; null for no cap. */
    caps: z.object({
      runUsd: z.number().nullable(),
      /** Of a calendar month (UTC), over all runs that share a spend book. */
      monthUsd: z.number().nullable(),
    }),
    versions: z.object({
      template: z.number(),
      extraction: z.number(),
      policy: z.number(),
      composition: z.number(),
      /** Of what a second turn is told. */
      feedback: z.number().default(1),
    }),
    /** `demo` and `smoke` runs say so in every headline. */
    purpose: z.enum(['run', 'smoke', 'demo']),
  })
  .superRefine((plan, context) => {
    const names = {
      fixtures: plan.fixtures.map(({ id }) => id),
      subjects: plan.subjects.map(({ id }) => id),
      conditions: plan.conditions.map(({ name }) => name),
      cells: plan.cells.map(({ id }) => id),
    }
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    for (const [list, all] of Object.entries(names)) {
      const seen = new Set<string>()
      for (const [index, name] of all.entries()) {
        const label = list === 'conditions' ? 'name' : 'id'
        if (seen.has(name)) refuse([list, index], `a second one with the ${label} "${name}"`)
        seen.add(name)
      }
    }
    const subjects = new Set(names.subjects)
    const conditions = new Set(names.conditions)
    for (const [index, { subject, condition }] of plan.cells.entries()) {
      if (!subjects.has(subject)) refuse(['cells', index, 'subject'], `there is no subject "${subject}" in the plan`)
      if (!conditions.has(condition))
        refuse(['cells', index, 'condition'], `there is no condition "${condition}" in the plan`)
    }
  })
export type Plan = z.infer<typeof planSchema>
