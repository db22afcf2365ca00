import type { Completion, InfraClass } from './provider.ts'

/** What an endpoint, a gateway or the network says of a request that failed; any of it may be missing or of a wrong type. */
export interface RequestFailure {
  /** Of HTTP, or what a gateway reports in its place; undefined when no response came. */
  readonly status: number | undefined
  readonly message: string
  /** The error object of the body. */
  readonly body: unknown
  readonly headers: Headers | null
  /** What was thrown, with its causes; null where an answer reports the failure. */
  readonly cause: unknown
}

/**
 * The completion of a request that failed. A prompt that does not fit the context was not attempted, and one that a
 * content filter turned away is answered by that; everything else has the class of its status, then of the words of
 * the body, then of the kind of failure.
 */
export function failedCompletion(failure: RequestFailure): Completion {
  const { status, message, body } = failure
  const words = wordsOf(body)
  if (isFiltered(status, words, body)) return filtered
  if (isOfContext(status, `${words} ${message}`)) return { kind: 'not-attempted', why: 'context', message }
  const retryAfterMs = readRetryAfter(failure.headers)
  return {
    kind: 'infra-error',
    class: classOf(failure, words),
    message,
    requests: 1,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  }
}

const filtered: Completion = {
  kind: 'answered',
  text: null,
  finishReason: 'content_filter',
  usage: null,
  costUsd: null,
  latencyMs: null,
  modelReturned: null,
  providerReturned: null,
  requests: 1,
}

/** The words by which an error names itself: `rate_limit_exceeded`. */
function wordsOf(body: unknown): string {
  const { code, type } = (body ?? {}) as { code?: unknown; type?: unknown }
  return [code, type].filter((word) => typeof word === 'string').join(' ')
}

/** OpenAI and Azure answer a filtered prompt with 400 and a code, OpenRouter with 403 and the reasons. */
function isFiltered(status: number | undefined, words: string, body: unknown): boolean {
  if (status === 400 && /content_filter|content_policy_violation/.test(words)) return true
  const { metadata } = (body ?? {}) as { metadata?: { flagged_input?: unknown; reasons?: unknown } | null }
  return status === 403 && (metadata?.flagged_input !== undefined || Array.isArray(metadata?.reasons))
}

function isOfContext(status: number | undefined, text: string): boolean {
  if (status !== 400 && status !== 413) return false
  return /context_length|context (length|window|size)|maximum context|too many tokens|maximum number of tokens|prompt is too long/i.test(
    text,
  )
}

function classOf({ status, cause }: RequestFailure, words: string): InfraClass {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402 || words.includes('insufficient_quota')) return 'quota'
  if (status === 429 || words.includes('rate_limit')) return 'rate'
  if (status === 408 || status === 504) return 'timeout'
  if (status === 503 || status === 529 || words.includes('overloaded')) return 'overloaded'
  if (status !== undefined && status >= 500) return 'server'
  if (status !== undefined) return 'request'
  if (cause instanceof SyntaxError) return 'malformed'
  return isUnsent(cause) ? 'unreachable' : 'network'
}

const unsentCodes: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether no connection was made, so that nothing can have been sent; the reason lies in the causes. */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return unsentCodes.has(code) || syscall === 'connect' || isUnsent(error.cause)
}

/**
 * The wait an endpoint asks for, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as a date, which
 * is counted from the endpoint's own clock where it tells that. Null where there is none that can be read.
 */
export function readRetryAfter(headers: Headers | null): number | null {
  const milliseconds = amountOf(headers?.get('retry-after-ms'))
  if (milliseconds !== null) return milliseconds
  const text = headers?.get('retry-after')?.trim() ?? ''
  const seconds = amountOf(text)
  if (seconds !== null) return seconds * 1000
  // A date begins with the day of the week; `Date.parse` takes nearly anything for one.
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return null
  const now = Date.parse(headers?.get('date') ?? '')
  return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now))
}

function amountOf(text: string | null | undefined): number | null {
  return /^\d+(\.\d+)?$/.test(text?.trim() ?? '') ? Number(text) : null
}
