import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { billedUsd, billOf, settlementUsd, worstCaseUsd } from '../../src/generate/cost.ts'
import { countTokens } from '../../src/generate/count-tokens.ts'
import type { Price, Prompt } from '../../src/generate/plan.ts'
import { messagesOf } from '../../src/generate/prompt.ts'
import { type Completion, infraClasses, type Usage } from '../../src/models/provider.ts'
import { answer, samplePrice, sampleSubject, usageOf } from '../score/sample-run.ts'

function priced(
  promptUsdPerM: number,
  completionUsdPerM: number,
  further: Partial<Price> = {},
  maxTokens: number | null = 1000,
) {
  return sampleSubject('m', {
    price: samplePrice({ promptUsdPerM, completionUsdPerM, ...further }),
    sampling: { temperature: 0, topP: null, maxTokens, reasoningEffort: null },
  })
}

function used(usage: Partial<Usage>, costUsd: number | null = null) {
  return answer({ usage: usageOf(usage), costUsd })
}

function promptOf(user: string, system = 'You write Vox.'): Prompt {
  return { fixture: '001', condition: 'C1', system, user, hash: 'h' }
}

const cached = { promptTokens: 2006, cachedPromptTokens: 1920, completionTokens: 300 }

describe('the bill of an answer', () => {
  test('is what the provider tells, where its usage and the price agree', () => {
    const subject = priced(2.5, 10, { cachedPromptUsdPerM: 1.25 })
    expect(billOf(subject, used(cached, 0.00562))).toEqual({ usd: 0.00562, differenceUsd: 0 })
  })

  test('counts cached prompt tokens at their price', () => {
    const subject = priced(2.5, 10, { cachedPromptUsdPerM: 1.25 })
    expect(billedUsd(subject, used(cached))).toBeCloseTo(0.005615, 12)
  })

  test('counts them in full where they have no price: never too little', () => {
    expect(billedUsd(priced(2.5, 10), used(cached))).toBeCloseTo(0.008015, 12)
  })

  test('counts tokens that were put into the cache at their price, in full where they have none', () => {
    const usage = { promptTokens: 1000, cachedPromptTokens: 100, cacheWriteTokens: 600, completionTokens: 10 }
    const further = { cachedPromptUsdPerM: 1, cacheWriteUsdPerM: 12.5 }
    expect(billedUsd(priced(10, 0, further), used(usage))).toBeCloseTo((300 * 10 + 100 + 600 * 12.5) / 1e6, 12)
    expect(billedUsd(priced(10, 0), used(usage))).toBeCloseTo(0.01, 12)
  })

  test('counts cache tokens beside the prompt tokens when there are more of them than of those', () => {
    const usage = { promptTokens: 50, cachedPromptTokens: 900, cacheWriteTokens: 100, completionTokens: 0 }
    const further = { cachedPromptUsdPerM: 1, cacheWriteUsdPerM: 12.5 }
    expect(billedUsd(priced(10, 0, further), used(usage))).toBeCloseTo((50 * 10 + 900 + 100 * 12.5) / 1e6, 12)
  })

  test('has the price of the request beside the tokens', () => {
    const usage = { promptTokens: 100, completionTokens: 10 }
    expect(billedUsd(priced(1, 1, { requestUsd: 0.01 }), used(usage))).toBeCloseTo(0.01011, 12)
  })

  test.each([
    ['part of the completion tokens', { promptTokens: 9, completionTokens: 22, reasoningTokens: 21 }],
    [
      'part of them by the total as well',
      { promptTokens: 9, completionTokens: 22, reasoningTokens: 21, totalTokens: 31 },
    ],
    ['more than the completion tokens', { promptTokens: 9, completionTokens: 1, reasoningTokens: 21 }],
    ['beside them by the total', { promptTokens: 9, completionTokens: 1, reasoningTokens: 21, totalTokens: 31 }],
  ])('has thinking once: %s', (_name, usage) => {
    expect(billedUsd(priced(0.3, 2.5), used(usage))).toBeCloseTo(0.0000577, 12)
  })

  test('adds thinking that is less than the completion tokens only where the total shows it apart', () => {
    const usage = { promptTokens: 10, completionTokens: 30, reasoningTokens: 20 }
    expect(billedUsd(priced(1, 1), used({ ...usage, totalTokens: 60 }))).toBeCloseTo(60 / 1e6, 12)
    expect(billedUsd(priced(1, 1), used({ ...usage, totalTokens: 40 }))).toBeCloseTo(40 / 1e6, 12)
  })
})

describe('where the told cost and the usage contradict each other', () => {
  const usage = { promptTokens: 1000, completionTokens: 1000 }

  test.each([
    ['more than the usage comes to', 0.05, 0.05, 0.03],
    ['less', 0.001, 0.02, 0.019],
    ['nothing', 0, 0.02, 0.02],
  ])('%s: the larger is booked and the difference told', (_name, costUsd, usd, differenceUsd) => {
    const bill = billOf(priced(10, 10), used(usage, costUsd))
    expect(bill?.usd).toBeCloseTo(usd, 12)
    expect(bill?.differenceUsd).toBeCloseTo(differenceUsd, 12)
  })

  test('a difference of up to 1 % or $0.0001 is rounding, and the told cost stays', () => {
    expect(billOf(priced(10, 10), used(usage, 0.01981))).toEqual({ usd: 0.01981, differenceUsd: 0 })
    const small = { promptTokens: 10, completionTokens: 10 }
    expect(billOf(priced(10, 10), used(small, 0.00029))).toEqual({ usd: 0.00029, differenceUsd: 0 })
  })

  test('a little more than that is none', () => {
    expect(billOf(priced(10, 10), used(usage, 0.01975))).toEqual({
      usd: 0.02,
      differenceUsd: expect.closeTo(0.00025, 12),
    })
    const small = { promptTokens: 10, completionTokens: 10 }
    expect(billOf(priced(10, 10), used(small, 0.00031))?.differenceUsd).toBeCloseTo(0.00011, 12)
  })

  test('a discount on cached tokens whose price is not known contradicts nothing', () => {
    expect(billOf(priced(2.5, 10), used(cached, 0.005615))).toEqual({ usd: 0.005615, differenceUsd: 0 })
    expect(billOf(priced(2.5, 10), used(cached, 0.001))?.usd).toBeCloseTo(0.008015, 12)
  })
})

test('a told cost without usage or without a price is the bill', () => {
  expect(billedUsd(priced(1, 1), answer({ usage: null, costUsd: 0.3 }))).toBe(0.3)
  expect(billedUsd(sampleSubject('m', { price: null }), used(cached, 0.3))).toBe(0.3)
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
  expect(worstCaseUsd(sampleSubject('m', { price: null }), messagesOf(promptOf('x')), 1)).toBeNull()
  expect(worstCaseUsd(priced(1, 1, {}, null), messagesOf(promptOf('x')), 1)).toBeNull()
})

test('a prompt has at most as many tokens as the worst case allows it', async () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom('a', ' ', '\n', '{', '"'), fc.string({ unit: 'binary' })) })
  await fc.assert(
    fc.asyncProperty(text, text, async (system, user) => {
      const boundTokens = ((worstCaseUsd(priced(1, 0), messagesOf(promptOf(user, system)), 1) ?? 0) * 1e6) / 1
      // A chat format adds at most 16 tokens a message.
      const tokens = (await countTokens(system)) + (await countTokens(user)) + 32
      expect(tokens).toBeLessThanOrEqual(boundTokens + 1e-6)
    }),
    { numRuns: 60 },
  )
})

test('no usage within the limits costs more than the worst case, whatever a cache does', () => {
  const amount = fc.double({ min: 0, max: 100, noNaN: true })
  const further = fc.record({
    cachedPromptUsdPerM: fc.option(amount),
    cacheWriteUsdPerM: fc.option(amount),
    requestUsd: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      amount,
      amount,
      further,
      fc.nat(5000),
      fc.array(share, { minLength: 4, maxLength: 4 }),
      (prompt, completion, further, length, shares) => {
        const [a = 0, b = 0, c = 0, d = 0] = shares
        const subject = priced(prompt, completion, further, 4096)
        const worst = worstCaseUsd(subject, messagesOf(promptOf('x'.repeat(length))), 1) ?? 0
        const cachedPromptTokens = Math.floor(length * a)
        const usage = {
          promptTokens: length,
          cachedPromptTokens,
          cacheWriteTokens: Math.floor((length - cachedPromptTokens) * b),
          completionTokens: Math.floor(4096 * c),
          reasoningTokens: Math.floor(Math.floor(4096 * c) * d),
        }
        expect(billedUsd(subject, used(usage)) ?? 0).toBeLessThanOrEqual(worst + 1e-9)
      },
    ),
    { numRuns: 1000 },
  )
})

test('the worst case takes the whole prompt at the dearest of its prices, and the price of each request', () => {
  const prompt = promptOf('', '')
  // 32 tokens for the chat format.
  expect(
    worstCaseUsd(priced(1, 0, { cacheWriteUsdPerM: 5, cachedPromptUsdPerM: 0.1 }), messagesOf(prompt), 1),
  ).toBeCloseTo(160e-6, 12)
  expect(worstCaseUsd(priced(1, 1, { requestUsd: 0.5 }), messagesOf(prompt), 3)).toBeCloseTo(3 * (0.5 + 1032e-6), 12)
})

const infra = { kind: 'infra-error', message: 'no', requests: 1 } as const

test.each(['auth', 'quota', 'rate', 'overloaded', 'request', 'unreachable'] as const)(
  'a request turned away with %s is not booked',
  (name) => {
    expect(settlementUsd(priced(1, 1), { ...infra, class: name }, 0.5, 2)).toBe(0)
  },
)

test.each(['server', 'timeout', 'network', 'malformed'] as const)(
  'a request that failed with %s may be billed and is booked',
  (name) => {
    expect(settlementUsd(priced(1, 1), { ...infra, class: name }, 0.5, 2)).toBe(0.5)
  },
)

test('an answer books its bill and what failed requests before it may have cost', () => {
  const completion: Completion = { ...answer({ costUsd: 0.1 }), failedRequests: ['rate', 'timeout', 'server'] }
  expect(settlementUsd(priced(1, 1), completion, 0.5, 2)).toBeCloseTo(1.1)
})

test('an answer whose bill nobody told books the worst case of one request', () => {
  expect(settlementUsd(priced(1, 1), answer({ usage: null, costUsd: null }), 0.5, 2)).toBe(0.5)
})

const missing = { kind: 'not-attempted', message: '' } as const

test('a request that was broken off books all that was reserved: nobody says how many were made', () => {
  expect(settlementUsd(priced(1, 1), { ...missing, why: 'cancelled', failedRequests: ['rate'] }, 0.5, 2)).toBe(2)
})

test.each(['context', 'deadline', 'subject-stopped', 'no-answer-file'] as const)(
  'a request that was not sent, for %s, books nothing but what failed before it',
  (why) => {
    expect(settlementUsd(priced(1, 1), { ...missing, why }, 0.5, 2)).toBe(0)
    expect(settlementUsd(priced(1, 1), { ...missing, why, failedRequests: ['rate', 'server'] }, 0.5, 2)).toBe(0.5)
  },
)

test('whatever happens, no more is booked than was reserved, as long as bills keep to the worst case', () => {
  const failures = fc.array(fc.constantFrom(...infraClasses), { maxLength: 3 })
  const last = fc.oneof(
    fc.double({ min: 0, max: 0.5, noNaN: true }).map((costUsd) => answer({ costUsd })),
    fc.constantFrom(...infraClasses).map((name) => ({ ...infra, class: name })),
  )
  fc.assert(
    fc.property(failures, last, (failedRequests, completion) => {
      const booked = settlementUsd(priced(1, 1), { ...completion, failedRequests }, 0.5, 2)
      expect(booked).toBeGreaterThanOrEqual(0)
      expect(booked).toBeLessThanOrEqual(2)
    }),
  )
})
