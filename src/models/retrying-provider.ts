import { setTimeout as sleep } from 'node:timers/promises'
import type { Completion, InfraClass, Provider } from './provider.ts'

export interface RetryOptions {
  /** Requests for one sample at most. */
  readonly attempts: number
  readonly firstDelayMs: number
}

const worthRetrying: ReadonlySet<InfraClass> = new Set([
  'rate',
  'overloaded',
  'server',
  'timeout',
  'network',
  'malformed',
])

/**
 * Asks again, after a delay that doubles and is jittered, when a request failed for a reason that may pass. The
 * completion counts all requests and names the class of each that failed before the last: some may have been billed.
 */
export function retrying(provider: Provider, options: RetryOptions): Provider {
  return {
    async complete(request, signal): Promise<Completion> {
      const failed: InfraClass[] = []
      for (;;) {
        const completion = await provider.complete(request, signal)
        const made = failed.length + 1
        const earlier = made === 1 ? {} : { failedRequests: failed }
        if (completion.kind === 'not-attempted') return { ...completion, ...earlier }
        const isOver =
          completion.kind === 'answered' || made >= options.attempts || !worthRetrying.has(completion.class)
        if (isOver) return { ...completion, requests: made, ...earlier }
        failed.push(completion.class)
        const delayMs = options.firstDelayMs * 2 ** (made - 1) * (0.5 + Math.random())
        try {
          await sleep(delayMs, undefined, { signal })
        } catch {
          return {
            kind: 'not-attempted',
            why: 'cancelled',
            message: 'the run was cancelled before the request was repeated',
            failedRequests: failed,
          }
        }
      }
    },
  }
}
