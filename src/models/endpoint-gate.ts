import type { Completion } from './provider.ts'

/** Admits requests to one endpoint, whatever subject they are of, and finds out how many at once it takes. */
export interface EndpointGate {
  /** Requests that may be under way at once now. */
  readonly limit: number
  /** Sends a request once there is room for it; null when `until` was aborted before that, and nothing was sent. */
  send(request: () => Promise<Completion>, until: AbortSignal): Promise<Completion | null>
}

/**
 * A gate with additive increase and multiplicative decrease: it starts at `most`, is halved when the endpoint is short
 * of room (rate, overloaded), and grows by one after as many answers as it admits at once, up to `most` again. Of the
 * requests that were under way together only the first failure halves it, since all of them met the same shortage.
 */
export function createEndpointGate(most: number): EndpointGate {
  const waiting = new Set<() => void>()
  let limit = most
  let underWay = 0
  let answers = 0
  let halvings = 0

  function admit(): void {
    for (const start of waiting) {
      if (underWay >= limit) return
      start()
    }
  }

  function enter(until: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (until.aborted) return resolve(false)
      const start = () => {
        waiting.delete(start)
        until.removeEventListener('abort', giveUp)
        underWay += 1
        resolve(true)
      }
      const giveUp = () => {
        waiting.delete(start)
        resolve(false)
      }
      until.addEventListener('abort', giveUp, { once: true })
      waiting.add(start)
      admit()
    })
  }

  function learn(completion: Completion, halvingsBefore: number): void {
    if (completion.kind === 'answered') {
      answers += 1
      if (answers < limit || limit === most) return
      limit += 1
      answers = 0
    } else if (isShortOfRoom(completion) && halvings === halvingsBefore) {
      limit = Math.max(1, Math.floor(limit / 2))
      halvings += 1
      answers = 0
    }
  }

  return {
    get limit() {
      return limit
    },
    async send(request, until) {
      if (!(await enter(until))) return null
      const halvingsBefore = halvings
      try {
        const completion = await request()
        learn(completion, halvingsBefore)
        return completion
      } finally {
        underWay -= 1
        admit()
      }
    },
  }
}

function isShortOfRoom(completion: Completion): boolean {
  return completion.kind === 'infra-error' && (completion.class === 'rate' || completion.class === 'overloaded')
}
