import { expect, test } from 'vitest'
import { matchCosts } from '../../src/report/matched-cost.ts'
import { judged, type Outcome, type SampleOptions, sampleSubject, usageOf } from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

const FAIL = judged({ kind: 'truncated' }, { usage: usageOf({ promptTokens: 9e6, completionTokens: 9e6 }) })

/** A pass that took so many tokens, ten times as many milliseconds, and a thousandth of a cent a token. */
function pass(tokens: number): Outcome {
  return judged(
    { kind: 'passed' },
    {
      usage: usageOf({ promptTokens: tokens - 10, completionTokens: 10 }),
      costUsd: tokens / 1e5,
      latencyMs: tokens * 10,
    },
  )
}

const OPTIONS: SampleOptions = {
  fixtures: 5,
  subjects: [sampleSubject('one', { price: null })],
  conditions: ['C0', 'C1'],
}

async function match(options: SampleOptions) {
  const { helpEffects } = await sampleReport({ ...OPTIONS, ...options })
  const [pair] = helpEffects?.matchedCosts ?? []
  if (pair === undefined) throw new Error('no pair')
  return pair
}

test('only problems whose first sample passed on both sides count, whatever the others took', async () => {
  const pair = await match({
    outcome: ({ condition, fixture }) => {
      if (fixture === 0 || (fixture === 1 && condition === 'C0')) return FAIL
      return pass(condition === 'C0' ? 100 : 300 + fixture)
    },
  })
  expect(pair).toMatchObject({ kind: 'help', first: 'one C0', second: 'one C1', fixtures: 3 })
  expect(pair.tokens).toMatchObject({ fixtures: 3, first: 100, second: 303, ratio: 3.03, reason: null })
  expect(pair.usd.ratio).toBeCloseTo(3.03, 9)
  expect(pair.latencyMs).toMatchObject({ first: 1000, second: 3030 })
  expect(pair.tokens.interval?.low).toBeLessThan(3.03)
  expect(pair.tokens.interval?.high).toBeGreaterThan(3.03)
})

test('later samples do not count', async () => {
  const pair = await match({ samples: 2, outcome: ({ sample }) => (sample === 1 ? pass(100) : FAIL) })
  expect(pair).toMatchObject({
    fixtures: 0,
    tokens: { reason: 'no problem is solved by both', ratio: null, first: null },
  })
})

test('an amount that is not known on both sides of any problem is unknown; one that is of some counts those', async () => {
  const pair = await match({
    outcome: ({ condition, fixture }) =>
      fixture < 2 ? pass(100) : judged({ kind: 'passed' }, { latencyMs: condition === 'C0' ? 5 : null }),
  })
  expect(pair).toMatchObject({ fixtures: 5, tokens: { fixtures: 2, ratio: 1 }, latencyMs: { fixtures: 2 } })
  const bare = await match({ outcome: () => judged({ kind: 'passed' }) })
  expect(bare.usd).toEqual({
    fixtures: 0,
    first: null,
    second: null,
    ratio: null,
    interval: null,
    reason: 'unknown for every problem that both solve',
  })
})

test('an attempt with two turns takes what both took', async () => {
  const { plan, attempts } = await sampleReport({ ...OPTIONS, fixtures: 2, outcome: () => pass(100) })
  const [first] = attempts
  const { completion, verification } = pass(900)
  if (first === undefined || verification === null) throw new Error('no attempt')
  const mended = attempts.map((attempt) =>
    attempt === first ? { ...attempt, first: { completion, verification, feedback: null } } : attempt,
  )
  const [pair] = matchCosts(plan, mended, [{ kind: 'help', first: 'one C0', second: 'one C1' }])
  expect(pair?.tokens).toMatchObject({ first: (1000 + 100) / 2, second: 100 })
})

test('each pair of subjects under one condition is matched, and each ladder’s ends', async () => {
  const { helpEffects } = await sampleReport({
    fixtures: 1,
    subjects: ['a', 'b', 'c'].map((id) => sampleSubject(id)),
    conditions: ['C0', 'C1', 'C3'],
  })
  const pairs = helpEffects?.matchedCosts.map(({ kind, first, second }) => `${kind}: ${first}, ${second}`) ?? []
  expect(pairs.slice(0, 4)).toEqual([
    'help: a C0, a C3',
    'help: b C0, b C3',
    'help: c C0, c C3',
    'subjects: a C0, b C0',
  ])
  expect(pairs.length).toBe(3 + 3 * 3)
})
