import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'

/** In USD; null where the catalogue does not say. */
export interface CataloguePrice {
  readonly promptUsdPerM: number
  readonly completionUsdPerM: number
  /** Of a million tokens of thinking, where they have a price of their own. */
  readonly reasoningUsdPerM: number | null
  readonly cachedPromptUsdPerM: number | null
  readonly cacheWriteUsdPerM: number | null
  readonly requestUsd: number | null
}

/** What a catalogue says of one model; null where it does not say. */
export interface CatalogueModel {
  readonly id: string
  readonly name: string
  /** Prompt and answer together. */
  readonly contextTokens: number | null
  readonly maxCompletionTokens: number | null
  /** Null as well where it varies from request to request. */
  readonly price: CataloguePrice | null
  /** YYYY-MM-DD; a month alone is its last day. */
  readonly knowledgeCutoff: string | null
  /** Null where it lists none. */
  readonly supportedParameters: readonly string[] | null
}

/** A list of models as it was at one time. */
export interface Catalogue {
  /** Where it was taken from: a URL, or the name of a file that does not say. */
  readonly source: string
  /** ISO 8601; null for a snapshot that does not say. */
  readonly fetchedAt: string | null
  /** Of the text it was read from. */
  readonly sha256: string
  readonly models: ReadonlyMap<string, CatalogueModel>
  /** Entries that could not be read, or had the id of an earlier one. */
  readonly skipped: number
}

/** Larger lists are not read: the whole of OpenRouter's takes a hundredth of it. */
export const MAX_CATALOGUE_BYTES = 32 * 1024 * 1024

const usd = z.union([z.string().regex(/^-?\d+(\.\d+)?(e-?\d+)?$/i), z.number()]).transform(Number)
const tokens = z.number().int().positive().nullish()

/** A model as OpenRouter lists it; other fields are passed over. Prices are in USD for one token, or one request. */
const modelSchema = z.object({
  id: z.string().min(1).max(300),
  name: z.string().nullish(),
  context_length: tokens,
  top_provider: z.object({ context_length: tokens, max_completion_tokens: tokens }).nullish(),
  pricing: z
    .object({
      prompt: usd,
      completion: usd,
      internal_reasoning: usd.nullish(),
      input_cache_read: usd.nullish(),
      input_cache_write: usd.nullish(),
      request: usd.nullish(),
    })
    .nullish(),
  knowledge_cutoff: z.string().nullish(),
  supported_parameters: z.array(z.string()).nullish(),
})

/** The answer of OpenRouter's `/models`; a snapshot may say besides where and when it was taken. */
const listSchema = z.object({
  source: z.string().max(500).optional(),
  fetchedAt: z.iso.datetime().optional(),
  data: z.array(z.unknown()).min(1),
})

/**
 * Reads a list of models as OpenRouter gives it. Entries that cannot be read are counted and skipped.
 * @param name what the text is called where it does not say its source
 * @throws BenchError `catalogue/invalid` when it is no such list or no entry can be read.
 */
export function readCatalogue(text: string, name: string): Catalogue {
  const list = listSchema.safeParse(parseJson(text))
  const models = new Map<string, CatalogueModel>()
  for (const entry of list.data?.data ?? []) {
    const read = modelSchema.safeParse(entry)
    if (read.success && !models.has(read.data.id)) models.set(read.data.id, describeModel(read.data))
  }
  if (!list.success || models.size === 0) {
    throw new BenchError({
      code: 'catalogue/invalid',
      message: `${name} is no list of models: it must be JSON with a "data" list of models, as OpenRouter's /models gives.`,
      hint: 'Take the snapshot anew, or switch the catalogue off with --catalogue off.',
    })
  }
  const { source = name, fetchedAt = null, data } = list.data
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { source, fetchedAt, sha256, models, skipped: data.length - models.size }
}

/** `catalogue of 2026-11-30`, as sources of prices and cutoffs are named. */
export function nameCatalogue({ fetchedAt }: Catalogue): string {
  return `catalogue of ${fetchedAt === null ? 'an unknown date' : fetchedAt.slice(0, 10)}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeModel(entry: z.infer<typeof modelSchema>): CatalogueModel {
  return {
    id: entry.id,
    name: entry.name ?? entry.id,
    contextTokens: entry.context_length ?? entry.top_provider?.context_length ?? null,
    maxCompletionTokens: entry.top_provider?.max_completion_tokens ?? null,
    price: describePrice(entry.pricing ?? null),
    knowledgeCutoff: readCutoff(entry.knowledge_cutoff ?? null),
    supportedParameters: entry.supported_parameters ?? null,
  }
}

/** A negative price stands for one that varies. 0 beside the prompt and completion prices stands for none of its own. */
function describePrice(pricing: NonNullable<z.infer<typeof modelSchema>['pricing']> | null): CataloguePrice | null {
  if (pricing === null) return null
  const parts = Object.values(pricing).filter((part) => part !== null && part !== undefined)
  if (parts.some((part) => part < 0)) return null
  const ownPerM = (part: number | null | undefined) => (part ? perMillion(part) : null)
  return {
    promptUsdPerM: perMillion(pricing.prompt),
    completionUsdPerM: perMillion(pricing.completion),
    reasoningUsdPerM: ownPerM(pricing.internal_reasoning),
    cachedPromptUsdPerM: ownPerM(pricing.input_cache_read),
    cacheWriteUsdPerM: ownPerM(pricing.input_cache_write),
    requestUsd: pricing.request ? pricing.request : null,
  }
}

/** Without the digits that only the multiplication makes: 0.00000015 is 0.15. */
function perMillion(usdPerToken: number): number {
  return Number((usdPerToken * 1e6).toPrecision(12))
}

/** The last day that the text may mean: with an earlier one, problems would count as unseen that may have been seen. */
function readCutoff(text: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T.*)?$/.exec(text?.trim() ?? '') ?? []
  if (year === undefined || month === undefined) return null
  const last = day === undefined ? new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() : Number(day)
  const date = `${year}-${month}-${String(last).padStart(2, '0')}`
  const parsed = Date.parse(date)
  return Number.isNaN(parsed) || !new Date(parsed).toISOString().startsWith(date) ? null : date
}
