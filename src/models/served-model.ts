import { setMaxListeners } from 'node:events'
import type { ModelServer, StartedServer } from './model-server.ts'
import type { Completion, Provider } from './provider.ts'
import type { ServerSlot, SlotHolder } from './server-slot.ts'

export interface ServedModelOptions {
  /** What the model is asked for as, whatever name its server has for it. */
  readonly model: string
  readonly slot: ServerSlot
  /** Why it is not what it is named after any more, before a start and after each answer; null as long as it is. */
  whyUnfit(): Promise<string | null>
  /** Starts its server; aborted with `signal`. */
  startServer(signal: AbortSignal): Promise<StartedServer>
  /** Asks a server that is up. */
  createProvider(server: ModelServer): Provider
  /** Puts what is around a provider around that of the server, such as trying again. */
  around(provider: Provider): Provider
  /** Aborted when no further request may start; nor does a server then. */
  readonly until: AbortSignal
  /** Aborted when the run is cancelled: the server is stopped at once. */
  readonly cancelled: AbortSignal
  warn(text: string): void
}

/** A model whose server is up while it is asked. */
export interface ServedModel extends SlotHolder {
  readonly provider: Provider
  /** Starts the server before any request; gives why it cannot be, or null. */
  start(): Promise<string | null>
}

/** So often a server that ended by itself is started again. */
const MAX_RESTARTS = 2

type ServerState =
  | { readonly kind: 'up'; readonly server: ModelServer; readonly provider: Provider }
  | { readonly kind: 'down' }
  | { readonly kind: 'ending' }

/**
 * Starts the server of a model at its first request, and again, twice at most, when it ended by itself. After that, or once it is unfit, the
 * model is asked no more: one attempt has the end of the server's output, as `unreachable`, all others are not attempted. An attempt has the slot from its
 * first request to its last, so that no other server is started between them.
 */
export function createServedModel(options: ServedModelOptions): ServedModel {
  const { model, slot, until, cancelled, warn } = options
  const ending = AbortSignal.any([until, cancelled])
  // Every sample that waits listens to it.
  setMaxListeners(0, ending)
  let up: Extract<ServerState, { kind: 'up' }> | null = null
  let starting: Promise<ServerState> | null = null
  let stopping: Promise<void> | null = null
  let restarts = 0
  /** Why the model is asked no more. */
  let failure: string | null = null
  let isFailureTold = false

  async function isFit(): Promise<boolean> {
    const reason = await options.whyUnfit()
    failure ??= reason
    return reason === null
  }

  async function startOnce(): Promise<ServerState | string> {
    if (!(await isFit())) return { kind: 'down' }
    const started = await options.startServer(ending)
    if (started.kind === 'cancelled') return { kind: 'ending' }
    if (started.kind === 'failed') return started.message
    up = { kind: 'up', server: started.server, provider: options.createProvider(started.server) }
    return up
  }

  async function bringUp(): Promise<ServerState> {
    let reason = up?.server.failure() ?? null
    await up?.server.stop()
    up = null
    if (reason === null) {
      const first = await startOnce()
      if (typeof first !== 'string') return first
      reason = first
    } else {
      while (restarts < MAX_RESTARTS) {
        restarts += 1
        warn(`${firstLine(reason)}; it is started again (${restarts} of ${MAX_RESTARTS} times)`)
        const again = await startOnce()
        if (typeof again !== 'string') return again
        reason = again
      }
    }
    failure = reason
    return { kind: 'down' }
  }

  function ensureUp(): Promise<ServerState> {
    if (failure !== null) return Promise.resolve({ kind: 'down' })
    if (up !== null && up.server.failure() === null) return Promise.resolve(up)
    starting ??= bringUp().finally(() => {
      starting = null
    })
    return starting
  }

  /** Every caller waits until the server is gone, also when another asked before. */
  function stop(): Promise<void> {
    stopping ??= stopOnce().finally(() => {
      stopping = null
    })
    return stopping
  }

  async function stopOnce(): Promise<void> {
    await starting?.catch(() => {})
    const stopped = up
    up = null
    await stopped?.server.stop()
  }

  const asked: Provider = {
    async complete(request, signal) {
      const state = await ensureUp()
      if (state.kind === 'down') return notAttempted('subject-stopped', stoppedMessage(failure))
      if (state.kind === 'up') {
        const completion = await state.provider.complete(request, signal)
        if (completion.kind === 'answered' && !(await isFit()))
          return notAttempted('subject-stopped', stoppedMessage(failure))
        return underOurName(completion, state.server, model)
      }
      return signal.aborted
        ? notAttempted('cancelled', 'the run was cancelled')
        : notAttempted('deadline', 'the deadline of the run came')
    },
  }
  const provider = options.around(asked)

  /** One attempt tells the whole of why the server is gone. */
  function telling(completion: Completion): Completion {
    if (failure === null || isFailureTold) return completion
    if (completion.kind !== 'not-attempted' || completion.why !== 'subject-stopped') return completion
    isFailureTold = true
    const { failedRequests } = completion
    const earlier = failedRequests === undefined ? {} : { failedRequests }
    return {
      kind: 'infra-error',
      class: 'unreachable',
      message: failure,
      requests: failedRequests?.length ?? 0,
      ...earlier,
    }
  }

  const holder: ServedModel = {
    provider: {
      async complete(request, signal) {
        const leave = await slot.enter(holder, ending)
        try {
          // Without the slot it sends nothing any more, and says why.
          return telling(await provider.complete(request, signal))
        } finally {
          leave?.()
        }
      },
    },
    async start() {
      const leave = await slot.enter(holder, ending)
      try {
        if (leave !== null) await ensureUp()
        return failure
      } finally {
        leave?.()
      }
    },
    stop,
  }
  cancelled.addEventListener('abort', () => void stop(), { once: true })
  return holder
}

/** That a server lists its only model under another name, by which it is asked, does not make it another model. */
function underOurName(completion: Completion, server: ModelServer, model: string): Completion {
  if (completion.kind !== 'answered' || completion.modelReturned !== server.model) return completion
  return { ...completion, modelReturned: model }
}

function notAttempted(why: 'subject-stopped' | 'cancelled' | 'deadline', message: string): Completion {
  return { kind: 'not-attempted', why, message }
}

function stoppedMessage(failure: string | null): string {
  return `this subject is asked no more: ${firstLine(failure ?? '')}`
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}
