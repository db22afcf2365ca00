import * as undici from 'undici'
import { beforeEach, expect, test, vi } from 'vitest'
import { createOpenAiProvider, NO_KEY } from '../../src/models/openai-provider.ts'
import { chatCompletion, sendJson, startServer } from './loopback-server.ts'
import { never, requestWith } from './sample-request.ts'

const seen = vi.hoisted(() => ({ agents: [] as object[], failure: null as Error | null }))

// Only looked into: what the limits of the library come to would take five minutes to see.
vi.mock('undici', async (load) => {
  const real = await load<typeof undici>()
  class Agent extends real.Agent {
    constructor(options: undici.Agent.Options) {
      super(options)
      seen.agents.push(options)
    }
  }
  const fetch: typeof real.fetch = (...args) =>
    seen.failure === null ? real.fetch(...args) : Promise.reject(new TypeError('fetch failed', { cause: seen.failure }))
  return { ...real, Agent, fetch }
})

beforeEach(() => Object.assign(seen, { agents: [], failure: null }))

async function ask(baseUrl: string) {
  const provider = createOpenAiProvider({ baseUrl, apiKey: NO_KEY, model: 'a/b', timeoutMs: 900_000 })
  await provider.complete(requestWith(), never)
  return provider.complete(requestWith(), never)
}

test('no limit but our own ends a request, and one agent keeps the connections of an endpoint', async () => {
  const { baseUrl } = await startServer((_request, response) => sendJson(response, 200, chatCompletion('x')))
  expect(await ask(baseUrl)).toMatchObject({ kind: 'answered' })
  expect(seen.agents).toEqual([expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 })])
})

test('an endpoint that no connection could be made to in time is unreachable', async () => {
  seen.failure = new undici.errors.ConnectTimeoutError('Connect Timeout Error (attempted address: x.test:443)')
  expect(await ask('http://x.test/v1')).toMatchObject({ kind: 'infra-error', class: 'unreachable' })
})
