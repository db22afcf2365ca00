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

/** Asks again, after a delay that doubles and is jittered, when a request failed for a reason that may pass. */
export function retrying(provider: Provider, options: RetryOptions): Provider {
  return {
    async complete(request, signal): Promise<Completion> {
      for (let made = 1; ; made++) {
        const completion = await provider.complete(request, signal)
        if (completion.kind === 'not-attempted') return completion
        if (completion.kind === 'answered') return { ...completion, requests: made }
        if (made >= options.attempts || !worthRetrying.has(completion.class)) return { ...completion, requests: made }
        const delayMs = options.firstDelayMs * 2 ** (made - 1) * (0.5 + Math.random())
        try {
          await sleep(delayMs, undefined, { signal })
        } catch {
          return {
            kind: 'not-attempted',
            why: 'cancelled',
            message: 'the run was cancelled before the request was repeated',
          }
        }
      }
    },
  }
}
