import { expect, test } from 'vitest'
import { createEndpointGate } from '../../src/models/endpoint-gate.ts'
import { createOpenAiProvider } from '../../src/models/openai-provider.ts'
import { type Completion, type InfraClass, infraClasses, type Provider } from '../../src/models/provider.ts'
import { type RetryOptions, retrying } from '../../src/models/retrying-provider.ts'
import { chatCompletion, sendJson, startServer } from './loopback-server.ts'
import { never, requestWith } from './sample-request.ts'

/** Fails with these classes one after the other, then answers. */
function failingWith(
  classes: readonly InfraClass[],
  retryAfterMs?: number,
): Provider & { readonly made: () => number } {
  let made = 0
  return {
    made: () => made,
    async complete(): Promise<Completion> {
      const failure = classes[made++]
      const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
      if (failure !== undefined) return { kind: 'infra-error', class: failure, message: 'no', requests: 1, ...wait }
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

const options: RetryOptions = { attempts: 4, firstDelayMs: 1, gate: createEndpointGate(8), until: never }

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
  const patient = retrying(provider, { ...options, firstDelayMs: 60_000, until: cancel.signal })
  const completion = patient.complete(requestWith(), cancel.signal)
  setTimeout(() => cancel.abort(), 5)
  expect(await completion).toMatchObject({ kind: 'not-attempted', why: 'cancelled', failedRequests: ['rate'] })
  expect(provider.made()).toBe(1)
})

test('the deadline ends the wait for the next request', async () => {
  const deadline = new AbortController()
  const provider = failingWith(['overloaded'], 60_000)
  const completion = retrying(provider, { ...options, until: deadline.signal }).complete(requestWith(), never)
  setTimeout(() => deadline.abort(), 5)
  expect(await completion).toMatchObject({ kind: 'not-attempted', why: 'deadline', failedRequests: ['overloaded'] })
  expect(provider.made()).toBe(1)
})

test('after the deadline no request starts', async () => {
  const provider = failingWith([])
  const late = retrying(provider, { ...options, until: AbortSignal.abort() })
  expect(await late.complete(requestWith(), never)).toEqual({
    kind: 'not-attempted',
    why: 'deadline',
    message: 'the deadline of the run came',
  })
  expect(provider.made()).toBe(0)
})

test('the next request waits as long as the endpoint asks', async () => {
  const startedAt = performance.now()
  const provider = failingWith(['rate'], 300)
  expect(await retrying(provider, options).complete(requestWith(), never)).toMatchObject({ kind: 'answered' })
  // Timers may fire a little early.
  expect(performance.now() - startedAt).toBeGreaterThan(290)
})

test('an endpoint that asks for more patience than a run has is not asked again, and the message says so', async () => {
  const provider = failingWith(['rate'], 3_600_000)
  expect(await retrying(provider, options).complete(requestWith(), never)).toEqual({
    kind: 'infra-error',
    class: 'rate',
    message: expect.stringContaining('wants 3600 s before that, and a run waits 600 s at most: no'),
    requests: 1,
    retryAfterMs: 3_600_000,
  })
  expect(provider.made()).toBe(1)
})

test.each(['auth', 'quota'] as const)(
  'after %s nothing that waits is asked, be it for its turn or its time',
  async (lasting) => {
    let made = 0
    const provider: Provider = {
      async complete(): Promise<Completion> {
        made++
        if (made > 1) return { kind: 'infra-error', class: lasting, message: 'no', requests: 1 }
        return { kind: 'infra-error', class: 'overloaded', message: 'busy', requests: 1, retryAfterMs: 60_000 }
      },
    }
    const subject = retrying(provider, { ...options, gate: createEndpointGate(1) })
    const completions = await Promise.all([1, 2, 3].map(() => subject.complete(requestWith(), never)))
    expect(made).toBe(2)
    const stopped = { kind: 'not-attempted', why: 'subject-stopped', message: expect.stringContaining(lasting) }
    expect(completions).toEqual([
      { ...stopped, failedRequests: ['overloaded'] },
      { kind: 'infra-error', class: lasting, message: 'no', requests: 1 },
      stopped,
    ])
  },
)

test('requests of all subjects of an endpoint together keep to its gate', async () => {
  const gate = createEndpointGate(2)
  let underWay = 0
  let most = 0
  const provider: Provider = {
    async complete(request, signal) {
      most = Math.max(most, ++underWay)
      await new Promise((done) => setTimeout(done, 2))
      underWay--
      return failingWith([]).complete(request, signal)
    },
  }
  const subjects = [1, 2, 3].map(() => retrying(provider, { ...options, gate }))
  await Promise.all(subjects.flatMap((subject) => [1, 2].map(() => subject.complete(requestWith(), never))))
  expect(most).toBe(2)
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
