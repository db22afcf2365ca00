import type OpenAI from 'openai'
import { BenchError } from '../bench-error.ts'
import type { Completion, CompletionRequest, InfraClass, Provider, Usage } from './provider.ts'

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
}

/**
 * Any OpenAI-compatible chat endpoint. One request a call: retries are the caller's, so that each is counted.
 * Redirects are refused, since they would carry the key to another origin; the key never appears in a message.
 */
export function createOpenAiProvider(options: OpenAiOptions): OpenAiProvider {
  let client: Promise<OpenAI> | null = null
  return {
    async confirmModel() {
      client ??= createClient(options)
      let served: string[]
      try {
        served = (await (await client).models.list()).data.map((model) => model.id)
      } catch {
        // Listing models is optional for an endpoint; one that is down shows itself at the first request.
        return
      }
      if (served.length > 0 && !served.includes(options.model)) throw unknownModel(options, served)
    },
    async complete(request, signal) {
      client ??= createClient(options)
      const startedMs = performance.now()
      try {
        const response = await (await client).chat.completions.create(bodyOf(options.model, request), { signal })
        return withoutKey(readResponse(response, Math.round(performance.now() - startedMs)), options.apiKey)
      } catch (error) {
        if (signal.aborted)
          return {
            kind: 'not-attempted',
            why: 'cancelled',
            message: 'the run was cancelled while the request was under way',
          }
        return classifyError(error, options.apiKey)
      }
    },
  }
}

function unknownModel({ model, baseUrl }: OpenAiOptions, served: readonly string[]): BenchError {
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
  const { default: Client } = await import('openai')
  return new Client({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    timeout: options.timeoutMs,
    maxRetries: 0,
    // Organisation and project would otherwise be read from the environment and sent to any origin.
    organization: null,
    project: null,
    fetchOptions: { redirect: 'error' },
  })
}

function bodyOf(model: string, request: CompletionRequest): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { sampling } = request
  return {
    model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    ...(sampling.maxTokens === null ? {} : { max_tokens: sampling.maxTokens }),
    ...(sampling.temperature === null ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === null ? {} : { top_p: sampling.topP }),
    ...(request.seed === null ? {} : { seed: request.seed }),
    ...(sampling.reasoningEffort === null
      ? {}
      : { reasoning_effort: sampling.reasoningEffort as OpenAI.ReasoningEffort }),
  }
}

function readResponse(response: OpenAI.ChatCompletion & Extras, latencyMs: number): Completion {
  const choice = response?.choices?.[0]
  if (choice === undefined) {
    return { kind: 'infra-error', class: 'malformed', message: 'the endpoint answered without any choice', requests: 1 }
  }
  const isRefused = typeof choice.message?.refusal === 'string' && choice.message.refusal !== ''
  return {
    kind: 'answered',
    text: typeof choice.message?.content === 'string' ? choice.message.content : null,
    finishReason: isRefused ? 'refusal' : (choice.finish_reason ?? null),
    usage: readUsage(response.usage),
    costUsd: typeof response.usage?.cost === 'number' ? response.usage.cost : null,
    latencyMs,
    modelReturned: typeof response.model === 'string' ? response.model : null,
    providerReturned: typeof response.provider === 'string' ? response.provider : null,
    requests: 1,
  }
}

function readUsage(usage: OpenAI.CompletionUsage | undefined): Usage | null {
  if (usage === undefined || usage === null) return null
  return {
    promptTokens: usage.prompt_tokens ?? null,
    cachedPromptTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
    completionTokens: usage.completion_tokens ?? null,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? null,
  }
}

/** An endpoint that repeats the key must not get it into a journal. */
function withoutKey(completion: Completion, apiKey: string): Completion {
  if (completion.kind !== 'answered' || apiKey === NO_KEY || completion.text === null) return completion
  return { ...completion, text: completion.text.replaceAll(apiKey, '***') }
}

/** The class follows the HTTP status, then the error code in the body, then the kind of failure of the client. */
function classifyError(error: unknown, apiKey: string): Completion {
  const { status, code } = error as { status?: number; code?: string | null }
  const message = apiKey === NO_KEY ? describe(error) : describe(error).replaceAll(apiKey, '***')
  if (status === 400 && /context|too many tokens|maximum.*length/i.test(`${code ?? ''} ${message}`)) {
    return { kind: 'not-attempted', why: 'context', message }
  }
  return { kind: 'infra-error', class: classOf(error, status, code), message, requests: 1 }
}

function classOf(error: unknown, status: number | undefined, code: string | null | undefined): InfraClass {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402 || code === 'insufficient_quota') return 'quota'
  if (status === 429) return 'rate'
  if (status === 408) return 'timeout'
  if (status === 503 || status === 529) return 'overloaded'
  if (status !== undefined && status >= 500) return 'server'
  if (status !== undefined) return 'request'
  if (error instanceof SyntaxError) return 'malformed'
  return /timeout/i.test((error as Error)?.constructor?.name ?? '') ? 'timeout' : 'network'
}

/** The message with its causes: the client hides what the network said (`connection refused`) in a cause. */
function describe(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at instanceof Error && parts.length < 4; at = at.cause) parts.push(at.message)
  return parts.filter((part) => part !== '').join(': ') || String(error)
}
