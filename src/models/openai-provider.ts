import type OpenAI from 'openai'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { VERSION } from '../version.ts'
import { listIssues } from '../zod-issues.ts'
import { createKeyMask } from './key-mask.ts'
import type { Completion, CompletionRequest, Provider, Usage } from './provider.ts'
import { failedCompletion } from './request-failure.ts'

export interface OpenAiOptions {
  /** URL below which `/chat/completions` lies. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
  readonly timeoutMs: number
}

/** Sent to endpoints that take no key; the client insists on one. */
export const NO_KEY = 'none'

export interface OpenAiProvider extends Provider {
  /**
   * Asks the endpoint which models it serves, where it can say.
   * @throws BenchError `model/unknown` when it lists models and ours is not one of them.
   */
  confirmModel(): Promise<void>
}

/** Fields beyond the OpenAI API that OpenRouter and others send. */
interface Extras {
  provider?: unknown
  usage?: { cost?: unknown } | null
  error?: unknown
}

/** Listing models is a courtesy of the endpoint; a run does not wait longer for it. */
const LIST_TIMEOUT_MS = 30_000

/** OpenRouter takes these behind the name of any model: they say how to serve it, and no list has them. */
const ROUTING_SUFFIXES = /(:(nitro|floor|online))+$/

/**
 * Any OpenAI-compatible chat endpoint. One request a call: retries are the caller's, so that each is counted.
 * Redirects are refused, since they would carry the key to another origin. The key appears in no completion.
 */
export function createOpenAiProvider(options: OpenAiOptions): OpenAiProvider {
  let client: Promise<OpenAI> | null = null
  const withoutKey = createKeyMask(options.apiKey)
  return {
    async confirmModel() {
      client ??= createClient(options)
      let served: string[]
      try {
        const signal = AbortSignal.timeout(Math.min(options.timeoutMs, LIST_TIMEOUT_MS))
        const ids: unknown[] = (await (await client).models.list({ signal })).data.map((model) => model.id)
        served = ids.filter((id) => typeof id === 'string')
      } catch {
        // Listing models is optional for an endpoint; one that is down shows itself at the first request.
        return
      }
      const names = [options.model, options.model.replace(ROUTING_SUFFIXES, '')]
      if (served.length > 0 && !names.some((name) => served.includes(name)))
        throw unknownModel(options, served.map(withoutKey))
    },
    async complete(request, signal) {
      client ??= createClient(options)
      const startedMs = performance.now()
      const limit = limitRequest(signal, options.timeoutMs)
      try {
        const response = await (await client).chat.completions.create(bodyOf(options.model, request), {
          signal: limit.signal,
        })
        return cleaned(readResponse(response, Math.round(performance.now() - startedMs)), withoutKey)
      } catch (error) {
        if (signal.aborted)
          return {
            kind: 'not-attempted',
            why: 'cancelled',
            message: 'the run was cancelled while the request was under way',
          }
        if (limit.signal.aborted) {
          const message = `no whole answer came within ${options.timeoutMs / 1000} s`
          return { kind: 'infra-error', class: 'timeout', message, requests: 1 }
        }
        return cleaned(classifyError(error), withoutKey)
      } finally {
        limit.end()
      }
    },
  }
}

/**
 * A signal that is aborted with `cancelled` and after `timeoutMs`, until `end`. The client's own timeout ends with the
 * headers, and a body may stall as well; signals of `AbortSignal.timeout` would each live on for the whole time.
 */
function limitRequest(cancelled: AbortSignal, timeoutMs: number) {
  const limit = new AbortController()
  const abort = () => limit.abort()
  const timer = setTimeout(abort, timeoutMs)
  cancelled.addEventListener('abort', abort)
  if (cancelled.aborted) abort()
  return {
    signal: limit.signal,
    end() {
      clearTimeout(timer)
      cancelled.removeEventListener('abort', abort)
    },
  }
}

function unknownModel({ model, baseUrl }: OpenAiOptions, ids: readonly string[]): BenchError {
  // An endpoint writes these; they must not run on for ever.
  const served = ids.map((id) => id.slice(0, 100).replaceAll('\n', ' '))
  const name = model.split('/').at(-1)?.toLowerCase() ?? ''
  const near = served.filter((id) => id.toLowerCase().includes(name) || name.includes(id.toLowerCase()))
  const shown = (near.length > 0 ? near : served).slice(0, 8)
  return new BenchError({
    code: 'model/unknown',
    message: `The endpoint ${new URL(baseUrl).origin} serves no model "${model}".`,
    hint: `It serves ${near.length > 0 ? 'these with a like name' : 'for example'}: ${shown.join(', ')}.`,
  })
}

async function createClient(options: OpenAiOptions): Promise<OpenAI> {
  const [{ OpenAI: Client }, { Agent, fetch }] = await Promise.all([import('openai/client'), import('undici')])
  // The limits of Node's own fetch, five minutes each, are below what a request may be given, and cannot be set.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  const send = fetch as unknown as (url: unknown, init: object) => Promise<Response>
  return new Client({
    apiKey: options.apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    baseURL: options.baseUrl,
    // Above the deadline of a request, which is ours.
    timeout: options.timeoutMs + 60_000,
    maxRetries: 0,
    logLevel: 'off',
    fetch: (url, init) => send(url, { ...init, headers: headersOf(options), redirect: 'error', dispatcher }),
  })
}

/** All headers that are sent. The client would add what the environment has for another origin (OPENAI_CUSTOM_HEADERS). */
function headersOf({ apiKey }: OpenAiOptions): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'user-agent': `vox-efficacy/${VERSION}`,
  }
}

function bodyOf(model: string, request: CompletionRequest): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { sampling } = request
  const { maxTokensField = 'max_tokens', providers, reasoningMaxTokens } = sampling
  return {
    // First, so that it replaces nothing of what follows.
    ...sampling.extraBody,
    model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    ...(sampling.maxTokens === null ? {} : { [maxTokensField]: sampling.maxTokens }),
    ...(sampling.temperature === null ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === null ? {} : { top_p: sampling.topP }),
    ...(request.seed === null ? {} : { seed: request.seed }),
    ...(sampling.reasoningEffort === null
      ? {}
      : { reasoning_effort: sampling.reasoningEffort as OpenAI.ReasoningEffort }),
    // OpenRouter's: providers are tried in this order, and others only where fallbacks are allowed.
    ...(reasoningMaxTokens === undefined ? {} : { reasoning: { max_tokens: reasoningMaxTokens } }),
    ...(providers === undefined ? {} : { provider: { order: providers, allow_fallbacks: false } }),
  }
}

/** What an endpoint sent is checked field by field: a wrong type would make the journal unreadable. */
function readResponse(response: OpenAI.ChatCompletion & Extras, latencyMs: number): Completion {
  const choices: unknown = response?.choices
  const choice: unknown = Array.isArray(choices) ? choices[0] : choices
  // Gateways report a failure upstream as a success of theirs, even half way through an answer.
  const failure = response?.error ?? (choice as Extras | null | undefined)?.error
  if (failure !== undefined && failure !== null)
    return (choice ?? response.usage ?? null) === null ? reportedFailure(failure) : lateFailure(failure)
  if (choice === undefined || choice === null) return malformed('the endpoint answered without any choice')
  const read = choiceSchema.safeParse(choice)
  if (!Array.isArray(choices) || !read.success) {
    const problems = read.success ? 'choices: must be a list' : listIssues(read.error).join('; ')
    return malformed(`the endpoint answered in another form than the API's: ${problems}`)
  }
  const { message, finish_reason: finishReason } = read.data
  // What a gateway says when its upstream broke off; the text before that is no answer of the model.
  if (finishReason === 'error')
    return lateFailure({ message: 'the endpoint reports an error as the end of the answer' })
  const text = typeof message.content === 'string' ? message.content : joinParts(message.content)
  const isRefused = (message.refusal ?? '') !== ''
  const end = finishReason ?? null
  // A stub of the endpoint; of a model it would be told why it ended.
  if ((text ?? '') === '' && !isRefused && end === null)
    return malformed('the endpoint answered without text and without a reason for that')
  return {
    kind: 'answered',
    text,
    finishReason: isRefused ? 'refusal' : end,
    usage: readUsage(response.usage),
    costUsd: amountOrNull(response.usage?.cost, MAX_COST_USD),
    latencyMs,
    modelReturned: textOrNull(response.model),
    providerReturned: textOrNull(response.provider),
    requests: 1,
  }
}

/** Amounts above these are mistakes of the endpoint; sums of them would tell nothing, or not be finite. */
const MAX_COST_USD = 1e6
const MAX_TOKENS = 1e9

const choiceSchema = z.object({
  message: z.object({
    content: z
      .union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))])
      .nullish()
      .transform((content) => content ?? null),
    refusal: z.string().nullish(),
  }),
  finish_reason: z.string().nullish().catch(null),
})

/** Some endpoints send an answer in parts; those of text are one text. */
function joinParts(parts: readonly { type: string; text?: string | undefined }[] | null): string | null {
  return parts === null ? null : parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')
}

function malformed(message: string): Completion {
  return { kind: 'infra-error', class: 'malformed', message, requests: 1 }
}

/** A gateway gives the status of its own upstream as the code, a number or its digits. */
function reportedFailure(failure: unknown): Completion {
  const { code, message } = failure as { code?: unknown; message?: unknown }
  const status = Number(code)
  return failedCompletion({
    status: Number.isInteger(status) && status >= 400 ? status : 502,
    message: textOrNull(message) ?? 'the endpoint reported a failure without a message',
    body: failure,
    headers: null,
    cause: null,
  })
}

/**
 * A failure after the model had begun, as a choice or usage beside it shows. Whatever its own class, the request may
 * have been billed; only an answer of the content filter stays one, whose bill nobody told.
 */
function lateFailure(failure: unknown): Completion {
  const completion = reportedFailure(failure)
  if (completion.kind === 'answered') return completion
  return { kind: 'infra-error', class: 'server', message: completion.message, requests: 1 }
}

function readUsage(usage: OpenAI.CompletionUsage | undefined): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null
  const promptDetails: { cache_write_tokens?: unknown } | undefined = usage.prompt_tokens_details
  return {
    promptTokens: tokensOrNull(usage.prompt_tokens),
    cachedPromptTokens: tokensOrNull(usage.prompt_tokens_details?.cached_tokens),
    cacheWriteTokens: tokensOrNull(promptDetails?.cache_write_tokens),
    completionTokens: tokensOrNull(usage.completion_tokens),
    reasoningTokens: tokensOrNull(usage.completion_tokens_details?.reasoning_tokens),
    totalTokens: tokensOrNull(usage.total_tokens),
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function tokensOrNull(value: unknown): number | null {
  return Number.isInteger(value) ? amountOrNull(value, MAX_TOKENS) : null
}

function amountOrNull(value: unknown, most: number): number | null {
  return typeof value === 'number' && value >= 0 && value <= most ? value : null
}

/** Error pages can be long, and every attempt of a run may bring one. */
const MAX_MESSAGE_LENGTH = 2000

/** Far longer than any program, as for answers from files; what lies beyond is cut, and the answer counts as truncated. */
const MAX_ANSWER_LENGTH = 1024 * 1024

/**
 * A completion fit for a journal: without the key, should the endpoint have repeated it, and not too long. It is cut
 * last, since half a key is found by no mask.
 */
function cleaned(completion: Completion, withoutKey: (text: string) => string): Completion {
  const entries = Object.entries(completion).map(([name, value]) => {
    if (typeof value !== 'string' || name === 'kind' || name === 'class' || name === 'why') return [name, value]
    const text = withoutKey(value.slice(0, 2 * MAX_ANSWER_LENGTH))
    return [
      name,
      name === 'message' && text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text,
    ]
  })
  return withinLength(Object.fromEntries(entries) as Completion)
}

function withinLength(completion: Completion): Completion {
  if (completion.kind !== 'answered' || (completion.text?.length ?? 0) <= MAX_ANSWER_LENGTH) return completion
  const { text, finishReason } = completion
  return {
    ...completion,
    text: text?.slice(0, MAX_ANSWER_LENGTH) ?? null,
    finishReason: finishReason === 'refusal' ? finishReason : 'length',
  }
}

function classifyError(error: unknown): Completion {
  const { status, error: body, headers } = error as Partial<InstanceType<typeof OpenAI.APIError>>
  return failedCompletion({
    status,
    message: describe(error),
    body,
    headers: headers ?? null,
    cause: error,
  })
}

/** The message with its causes: the client hides what the network said (`connection refused`) in a cause. */
function describe(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at instanceof Error && parts.length < 4; at = at.cause) {
    // What a parser says quotes some characters of the text, which may be half a key.
    parts.push(at instanceof SyntaxError ? 'the answer is not JSON' : at.message)
  }
  return parts.filter((part) => part !== '').join(': ') || String(error)
}
