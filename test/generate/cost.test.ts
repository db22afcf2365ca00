import fc from 'fast-check'
import { expect, test } from 'vitest'
import { billedUsd, settlementUsd, worstCaseUsd } from '../../src/generate/cost.ts'
import { countTokens } from '../../src/generate/count-tokens.ts'
import type { Prompt } from '../../src/generate/plan.ts'
import { type Completion, infraClasses, type Usage } from '../../src/models/provider.ts'
import { answer, sampleSubject } from '../score/sample-run.ts'

function priced(promptUsdPerM: number, completionUsdPerM: number, maxTokens: number | null = 1000) {
  return sampleSubject('m', {
    price: { promptUsdPerM, completionUsdPerM },
    sampling: { temperature: 0, topP: null, maxTokens, reasoningEffort: null },
  })
}

function used(usage: Partial<Usage>, costUsd: number | null = null) {
  const unknown = { promptTokens: null, cachedPromptTokens: null, completionTokens: null, reasoningTokens: null }
  return answer({ usage: { ...unknown, ...usage }, costUsd })
}

function promptOf(user: string, system = 'You write Vox.'): Prompt {
  return { fixture: '001', condition: 'C1', system, user, hash: 'h' }
}

test('a cost that the provider tells is the bill', () => {
  const completion = used({ promptTokens: 2006, cachedPromptTokens: 1920, completionTokens: 300 }, 0.005615)
  expect(billedUsd(priced(2.5, 10), completion)).toBe(0.005615)
})

test('without one, cached prompt tokens count in full: an upper bound on the bill of $0.005615', () => {
  const completion = used({ promptTokens: 2006, cachedPromptTokens: 1920, completionTokens: 300 })
  expect(billedUsd(priced(2.5, 10), completion)).toBeCloseTo(0.008015, 12)
})

test('thinking is part of the completion tokens and not added again', () => {
  const completion = used({ promptTokens: 9, completionTokens: 22, reasoningTokens: 21 })
  expect(billedUsd(priced(0.3, 2.5), completion)).toBeCloseTo(0.0000577, 12)
})

test.each([
  ['no usage', priced(1, 1), answer({ usage: null, costUsd: null })],
  ['no completion tokens', priced(1, 1), used({ promptTokens: 5 })],
  ['no prompt tokens', priced(1, 1), used({ completionTokens: 5 })],
  ['no price', sampleSubject('m', { price: null }), used({ promptTokens: 5, completionTokens: 5 })],
])('%s: the bill is unknown, not zero', (_name, subject, completion) => {
  expect(billedUsd(subject, completion)).toBeNull()
})

test('the worst case is unknown without a price or without a longest answer', () => {
  expect(worstCaseUsd(sampleSubject('m', { price: null }), promptOf('x'), 1)).toBeNull()
  expect(worstCaseUsd(priced(1, 1, null), promptOf('x'), 1)).toBeNull()
})

test('a prompt has at most as many tokens as the worst case allows it', async () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom('a', ' ', '\n', '{', '"'), fc.string({ unit: 'binary' })) })
  await fc.assert(
    fc.asyncProperty(text, text, async (system, user) => {
      const boundTokens = ((worstCaseUsd(priced(1, 0), promptOf(user, system), 1) ?? 0) * 1e6) / 1
      // A chat format adds at most 16 tokens a message.
      const tokens = (await countTokens(system)) + (await countTokens(user)) + 32
      expect(tokens).toBeLessThanOrEqual(boundTokens + 1e-6)
    }),
    { numRuns: 60 },
  )
})

test('no usage within the limits costs more than the worst case', () => {
  const amount = fc.double({ min: 0, max: 100, noNaN: true })
  fc.assert(
    fc.property(amount, amount, fc.nat(5000), fc.nat(1), fc.nat(1), (prompt, completion, length, a, b) => {
      const subject = priced(prompt, completion, 4096)
      const worst = worstCaseUsd(subject, promptOf('x'.repeat(length)), 1) ?? 0
      const bill = billedUsd(subject, used({ promptTokens: length * a, completionTokens: 4096 * b })) ?? 0
      expect(bill).toBeLessThanOrEqual(worst + 1e-9)
    }),
  )
})

const infra = { kind: 'infra-error', message: 'no', requests: 1 } as const

test.each(['auth', 'quota', 'rate', 'overloaded', 'request'] as const)(
  'a request turned away with %s is not booked',
  (name) => {
    expect(settlementUsd(priced(1, 1), { ...infra, class: name }, 0.5, 4)).toBe(0)
  },
)

test.each(['server', 'timeout', 'network', 'malformed'] as const)(
  'a request that failed with %s may be billed and is booked',
  (name) => {
    expect(settlementUsd(priced(1, 1), { ...infra, class: name }, 0.5, 4)).toBe(0.5)
  },
)

test('an answer books its bill and what failed requests before it may have cost', () => {
  const completion: Completion = { ...answer({ costUsd: 0.1 }), failedRequests: ['rate', 'timeout', 'server'] }
  expect(settlementUsd(priced(1, 1), completion, 0.5, 4)).toBeCloseTo(1.1)
})

test('an answer whose bill nobody told books the worst case of one request', () => {
  expect(settlementUsd(priced(1, 1), answer({ usage: null, costUsd: null }), 0.5, 4)).toBe(0.5)
})

test('a cancelled request books all that was reserved, one never sent nothing', () => {
  const missing = { kind: 'not-attempted', message: '' } as const
  expect(settlementUsd(priced(1, 1), { ...missing, why: 'cancelled' }, 0.5, 4)).toBe(2)
  expect(settlementUsd(priced(1, 1), { ...missing, why: 'context' }, 0.5, 4)).toBe(0)
})

test('whatever happens, no more is booked than was reserved, as long as bills keep to the worst case', () => {
  const failures = fc.array(fc.constantFrom(...infraClasses), { maxLength: 3 })
  const last = fc.oneof(
    fc.double({ min: 0, max: 0.5, noNaN: true }).map((costUsd) => answer({ costUsd })),
    fc.constantFrom(...infraClasses).map((name) => ({ ...infra, class: name })),
  )
  fc.assert(
    fc.property(failures, last, (failedRequests, completion) => {
      const booked = settlementUsd(priced(1, 1), { ...completion, failedRequests }, 0.5, 4)
      expect(booked).toBeGreaterThanOrEqual(0)
      expect(booked).toBeLessThanOrEqual(2)
    }),
  )
})
