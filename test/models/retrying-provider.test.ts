import { expect, test } from 'vitest'
import { createOpenAiProvider } from '../../src/models/openai-provider.ts'
import { type Completion, type InfraClass, infraClasses, type Provider } from '../../src/models/provider.ts'
import { retrying } from '../../src/models/retrying-provider.ts'
import { chatCompletion, sendJson, startServer } from './loopback-server.ts'
import { never, requestWith } from './sample-request.ts'

/** Fails with these classes one after the other, then answers. */
function failingWith(classes: readonly InfraClass[]): Provider & { readonly made: () => number } {
  let made = 0
  return {
    made: () => made,
    async complete(): Promise<Completion> {
      const failure = classes[made++]
      if (failure !== undefined) return { kind: 'infra-error', class: failure, message: 'no', requests: 1 }
      return {
        kind: 'answered',
        text: 'x',
        finishReason: 'stop',
        usage: null,
        costUsd: null,
        latencyMs: 1,
        modelReturned: null,
        providerReturned: null,
        requests: 1,
      }
    },
  }
}

const options = { attempts: 4, firstDelayMs: 1 }

test('an answer at once is one request, and no failure is named', async () => {
  const completion = await retrying(failingWith([]), options).complete(requestWith(), never)
  expect(completion).toMatchObject({ kind: 'answered', requests: 1 })
  expect(completion).not.toHaveProperty('failedRequests')
})

test('an answer after failures counts every request and names each failure', async () => {
  const completion = await retrying(failingWith(['rate', 'timeout']), options).complete(requestWith(), never)
  expect(completion).toMatchObject({ kind: 'answered', requests: 3, failedRequests: ['rate', 'timeout'] })
})

test('when every request fails, the last failure stands', async () => {
  const provider = failingWith(['rate', 'rate', 'server', 'overloaded', 'rate'])
  const completion = await retrying(provider, options).complete(requestWith(), never)
  expect(completion).toMatchObject({
    kind: 'infra-error',
    class: 'overloaded',
    requests: 4,
    failedRequests: ['rate', 'rate', 'server'],
  })
  expect(provider.made()).toBe(4)
})

const lasting: readonly InfraClass[] = ['auth', 'quota', 'request']

test.each(lasting)('a failure of class %s is not tried again', async (failure) => {
  const provider = failingWith([failure])
  expect(await retrying(provider, options).complete(requestWith(), never)).toMatchObject({
    class: failure,
    requests: 1,
  })
  expect(provider.made()).toBe(1)
})

test.each(infraClasses.filter((name) => !lasting.includes(name)))(
  'a failure of class %s is tried again',
  async (failure) => {
    const provider = failingWith([failure])
    expect(await retrying(provider, options).complete(requestWith(), never)).toMatchObject({ kind: 'answered' })
    expect(provider.made()).toBe(2)
  },
)

test('cancelling ends the wait for the next request', async () => {
  const cancel = new AbortController()
  const provider = failingWith(['rate', 'rate'])
  const completion = retrying(provider, { attempts: 3, firstDelayMs: 60_000 }).complete(requestWith(), cancel.signal)
  setTimeout(() => cancel.abort(), 5)
  expect(await completion).toMatchObject({ kind: 'not-attempted', why: 'cancelled' })
  expect(provider.made()).toBe(1)
})

test('over the real client, 429 until retries run out makes exactly that many requests', async () => {
  const { baseUrl, seen } = await startServer((_request, response) =>
    sendJson(response, 429, { error: { message: 'slow down' } }),
  )
  const client = createOpenAiProvider({ baseUrl, apiKey: 'k', model: 'm', timeoutMs: 2000 })
  expect(await retrying(client, options).complete(requestWith(), never)).toMatchObject({ class: 'rate', requests: 4 })
  expect(seen.length).toBe(4)
})

test('over the real client, a request repeated is the same request', async () => {
  const { baseUrl, seen } = await startServer((_request, response, number) =>
    number === 1 ? response.destroy() : sendJson(response, 200, chatCompletion('x')),
  )
  const client = createOpenAiProvider({ baseUrl, apiKey: 'k', model: 'm', timeoutMs: 2000 })
  const completion = await retrying(client, options).complete(requestWith({ seed: 7 }), never)
  expect(completion).toMatchObject({ kind: 'answered', requests: 2, failedRequests: ['network'] })
  expect(seen[1]?.text).toBe(seen[0]?.text)
})
