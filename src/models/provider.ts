import { z } from 'zod'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export const samplingSchema = z.object({
  temperature: z.number().nullable(),
  topP: z.number().nullable(),
  maxTokens: z.number().int().positive().nullable(),
  reasoningEffort: z.string().nullable(),
  /** Field that carries `maxTokens`; left out for `max_tokens`. */
  maxTokensField: z.literal('max_completion_tokens').optional(),
  reasoningMaxTokens: z.number().int().positive().optional(),
  /** Providers behind a gateway, tried in this order and no others. */
  providers: z.array(z.string()).min(1).optional(),
  /** Further fields of the body of a request, as JSON. */
  extraBody: z.record(z.string(), z.unknown()).optional(),
})
/**
 * Null leaves a setting to the endpoint, or says that it is not known of a recording. What can be left out is then not
 * sent: a request without it has the key in the response store, and its row the digest, that it had before there was such
 * a setting.
 */
export type Sampling = z.infer<typeof samplingSchema>

/** One request for one sample; nothing in it is shared with another sample. */
export interface CompletionRequest {
  readonly attempt: string
  readonly fixture: string
  readonly condition: string
  readonly sample: number
  readonly messages: readonly Message[]
  readonly sampling: Sampling
  readonly seed: number | null
}

export const usageSchema = z.object({
  promptTokens: z.number().nullable(),
  /** Part of `promptTokens` that was read from the provider's cache. */
  cachedPromptTokens: z.number().nullable(),
  /** Tokens of the prompt that were put into the provider's cache. */
  cacheWriteTokens: z.number().nullable().default(null),
  completionTokens: z.number().nullable(),
  reasoningTokens: z.number().nullable(),
  /** All tokens of the request, as the provider sums them. */
  totalTokens: z.number().nullable().default(null),
})
/** Token counts as reported; null where the provider did not say. */
export type Usage = z.infer<typeof usageSchema>

export const infraClasses = [
  'auth',
  'quota',
  'rate',
  'overloaded',
  'server',
  'timeout',
  'network',
  'unreachable',
  'malformed',
  'request',
] as const
/** Why a request brought no answer, none of them the model's fault. */
export type InfraClass = (typeof infraClasses)[number]

/** Classes of the requests that failed before the last one was made; left out when there were none. */
const failedRequests = z.array(z.enum(infraClasses)).optional()

export const completionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answered'),
    /** The raw answer, untouched; null when the provider sent no content. */
    text: z.string().nullable(),
    finishReason: z.string().nullable(),
    usage: usageSchema.nullable(),
    costUsd: z.number().nullable(),
    latencyMs: z.number().nullable(),
    modelReturned: z.string().nullable(),
    providerReturned: z.string().nullable(),
    /** Requests made until the answer came; 0 when it was read from a folder. */
    requests: z.number().int(),
    failedRequests,
    /** Set when an earlier run got this answer to an identical request: this one paid nothing for it. */
    stored: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('infra-error'),
    class: z.enum(infraClasses),
    message: z.string(),
    requests: z.number().int(),
    failedRequests,
    /** How long the endpoint asked to wait before the next request; left out when it did not say. */
    retryAfterMs: z.number().nonnegative().optional(),
  }),
  z.object({
    kind: z.literal('not-attempted'),
    why: z.enum([
      'no-answer-file',
      'spend-cap',
      'cancelled',
      'deadline',
      'context',
      'subject-stopped',
      /** In a report only: the shard that it is of does not make this attempt. */
      'other-shard',
    ]),
    message: z.string(),
    failedRequests,
  }),
])
/** What became of a request. */
export type Completion = z.infer<typeof completionSchema>
export type Answer = Extract<Completion, { kind: 'answered' }>

/** A source of answers. It reports what a provider did as a `Completion` and throws for bugs only. */
export interface Provider {
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>
}
