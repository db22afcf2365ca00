import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEndpointGate, type EndpointGate } from '../../src/models/endpoint-gate.ts'
import type { Completion, InfraClass } from '../../src/models/provider.ts'
import { answer } from '../score/sample-run.ts'
import { never } from './sample-request.ts'

const failure = (kind: InfraClass): Completion => ({ kind: 'infra-error', class: kind, message: '', requests: 1 })

/** Sends requests that end when they are told how. */
function sendAll(gate: EndpointGate, count: number) {
  const started: ((completion: Completion) => void)[] = []
  const all = Array.from({ length: count }, () =>
    gate.send(() => new Promise<Completion>((end) => started.push(end)), never),
  )
  return { started, all }
}

const settled = () => new Promise((done) => setImmediate(done))

async function endWith(gate: EndpointGate, completions: readonly Completion[]): Promise<void> {
  const { started, all } = sendAll(gate, completions.length)
  for (const [index, completion] of completions.entries()) {
    await settled()
    started[index]?.(completion)
  }
  await Promise.all(all)
}

test('as many requests start as the limit admits, in the order they came', async () => {
  const { started, all } = sendAll(createEndpointGate(2), 3)
  await settled()
  expect(started.length).toBe(2)
  started[0]?.(answer())
  await settled()
  expect(started.length).toBe(3)
  for (const end of started) end(answer())
  expect((await Promise.all(all)).length).toBe(3)
})

test.each(['rate', 'overloaded'] as const)('%s halves the limit, down to one', async (shortage) => {
  const gate = createEndpointGate(5)
  const limits: number[] = []
  for (let round = 0; round < 4; round++) {
    await endWith(gate, [failure(shortage)])
    limits.push(gate.limit)
  }
  expect(limits).toEqual([2, 1, 1, 1])
})

test('requests that were under way together halve the limit once', async () => {
  const gate = createEndpointGate(8)
  const { started, all } = sendAll(gate, 8)
  await settled()
  for (const end of started) end(failure('rate'))
  await Promise.all(all)
  expect(gate.limit).toBe(4)
})

test.each(['server', 'timeout', 'network', 'unreachable', 'malformed', 'auth', 'quota', 'request'] as const)(
  '%s says nothing of how much room there is',
  async (other) => {
    const gate = createEndpointGate(4)
    await endWith(gate, [failure(other)])
    expect(gate.limit).toBe(4)
  },
)

test('after as many answers as it admits the limit grows by one, and never above where it began', async () => {
  const gate = createEndpointGate(4)
  await endWith(gate, [failure('rate')])
  const limits: number[] = []
  for (let sent = 0; sent < 8; sent++) {
    await endWith(gate, [answer()])
    limits.push(gate.limit)
  }
  expect(limits).toEqual([2, 3, 3, 3, 4, 4, 4, 4])
})

test('a request that waits is given up when there is no more asking, and keeps no room', async () => {
  const gate = createEndpointGate(1)
  const { started, all } = sendAll(gate, 1)
  await settled()
  const ending = new AbortController()
  let isSent = false
  const waiting = gate.send(async () => {
    isSent = true
    return answer()
  }, ending.signal)
  ending.abort()
  expect(await waiting).toBeNull()
  started[0]?.(answer())
  await Promise.all(all)
  expect(isSent).toBe(false)
  expect(await gate.send(async () => answer(), never)).toMatchObject({ kind: 'answered' })
})

test('a request that throws gives its room back', async () => {
  const gate = createEndpointGate(1)
  await expect(gate.send(() => Promise.reject(new Error('fault')), never)).rejects.toThrow('fault')
  expect(await gate.send(async () => answer(), never)).toMatchObject({ kind: 'answered' })
})

test('whatever comes back, never more are under way than the limit was when the last one started', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.constantFrom<Completion>(answer(), failure('rate'), failure('overloaded'), failure('server')), {
        maxLength: 40,
      }),
      async (most, completions) => {
        const gate = createEndpointGate(most)
        let underWay = 0
        await Promise.all(
          completions.map((completion) =>
            gate.send(async () => {
              expect(++underWay).toBeLessThanOrEqual(gate.limit)
              await settled()
              underWay--
              return completion
            }, never),
          ),
        )
        expect(gate.limit).toBeGreaterThanOrEqual(1)
        expect(gate.limit).toBeLessThanOrEqual(most)
      },
    ),
    { numRuns: 60 },
  )
})
