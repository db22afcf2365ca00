import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EndpointGate } from './endpoint-gate.ts'
import type { Completion, CompletionRequest, InfraClass, Provider } from './provider.ts'

export interface RetryOptions {
  /** Requests for one sample at most. */
  readonly attempts: number
  readonly firstDelayMs: number
  /** Of the endpoint; providers of one endpoint share it. */
  readonly gate: EndpointGate
  /** Aborted at the latest when the run is cancelled or its deadline has come: no request starts after that. */
  readonly until: AbortSignal
}

type InfraError = Extract<Completion, { kind: 'infra-error' }>
type NotAttempted = Extract<Completion, { kind: 'not-attempted' }>

const worthRetrying: ReadonlySet<InfraClass> = new Set([
  'rate',
  'overloaded',
  'server',
  'timeout',
  'network',
  'unreachable',
  'malformed',
])

/** Without word from the endpoint a wait grows no longer than this. */
const MAX_BACKOFF_MS = 60_000
/** An endpoint that asks for more is not waited for: a run would hang on it. */
const MAX_RETRY_AFTER_MS = 600_000

/**
 * Asks again when a request failed for a reason that may pass: after the time the endpoint asks for, and a random part
 * of a delay that doubles (full jitter), so that requests that failed together do not come back together. The
 * completion counts all requests and names the class of each that failed before the last: some may have been billed.
 * After a failure that will not pass (`refusalOf`) the subject is asked no more, not even by what waits already.
 */
export function retrying(provider: Provider, { attempts, firstDelayMs, gate, until }: RetryOptions): Provider {
  const refused = new AbortController()
  const ending = AbortSignal.any([until, refused.signal])
  let refusal: NotAttempted | null = null
  // Every sample that waits listens to it.
  setMaxListeners(0, ending)

  function notStarted(cancelled: AbortSignal): NotAttempted {
    if (cancelled.aborted) return { kind: 'not-attempted', why: 'cancelled', message: 'the run was cancelled' }
    return refusal ?? { kind: 'not-attempted', why: 'deadline', message: 'the deadline of the run came' }
  }

  /** One request. What waits behind it at the gate is to know of a refusal before it has its turn. */
  async function ask(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    const completion = await provider.complete(request, signal)
    refusal ??= refusalOf(completion)
    if (refusal !== null) refused.abort()
    return completion
  }

  /** Whether the time went by; false when there is no more asking. */
  async function wait(delayMs: number): Promise<boolean> {
    try {
      await sleep(delayMs, undefined, { signal: ending })
      return true
    } catch {
      return false
    }
  }

  return {
    async complete(request, signal): Promise<Completion> {
      const failed: InfraClass[] = []
      for (;;) {
        const completion = (await gate.send(() => ask(request, signal), ending)) ?? notStarted(signal)
        const earlier = failed.length === 0 ? {} : { failedRequests: failed }
        if (completion.kind === 'not-attempted') return { ...completion, ...earlier }
        const made = failed.length + 1
        if (completion.kind === 'answered' || made >= attempts || !worthRetrying.has(completion.class))
          return { ...completion, requests: made, ...earlier }
        const { retryAfterMs = 0 } = completion
        if (retryAfterMs > MAX_RETRY_AFTER_MS)
          return { ...completion, message: tooLong(completion, retryAfterMs), requests: made, ...earlier }
        failed.push(completion.class)
        const backoffMs = Math.min(MAX_BACKOFF_MS, firstDelayMs * 2 ** (made - 1))
        if (!(await wait(retryAfterMs + Math.random() * backoffMs)))
          return { ...notStarted(signal), failedRequests: failed }
      }
    },
  }
}

/** What becomes of all further requests of a subject after `completion`; null when they may be made. */
export function refusalOf(completion: Completion): NotAttempted | null {
  if (completion.kind !== 'infra-error' || (completion.class !== 'auth' && completion.class !== 'quota')) return null
  return {
    kind: 'not-attempted',
    why: 'subject-stopped',
    message: `the provider refused an earlier request of this subject (${completion.class}): ${completion.message}`,
  }
}

function tooLong({ message }: InfraError, retryAfterMs: number): string {
  const [asked, most] = [Math.ceil(retryAfterMs / 1000), MAX_RETRY_AFTER_MS / 1000]
  return `not asked again, since the endpoint wants ${asked} s before that, and a run waits ${most} s at most: ${message}`
}
