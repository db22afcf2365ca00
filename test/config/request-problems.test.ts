import { expect, test } from 'vitest'
import { requestProblems } from '../../src/config/request-problems.ts'
import { type SubjectOptions, sweepFileSchema } from '../../src/config/sweep-config.ts'

function problemsOf(subject: Partial<SubjectOptions>, more: object = {}): string[] {
  const config = sweepFileSchema.parse({ subjects: [subject], ...more })
  return config.subjects.flatMap((each) => requestProblems(each, config)).map((problem) => problem.join(': '))
}

const elsewhere = { model: 'm', 'base-url': 'http://127.0.0.1:9/v1' }

test('providers are named at OpenRouter, by its URL too, and nowhere else', () => {
  expect(problemsOf({ model: 'm', provider: ['a', 'b'] })).toEqual([])
  expect(problemsOf({ model: 'm', 'base-url': 'https://openrouter.ai/api/v1', provider: ['a'] })).toEqual([])
  expect(problemsOf({ ...elsewhere, provider: ['a'] })).toEqual([
    'provider: is a setting of OpenRouter, but another endpoint is asked; leave it out',
  ])
})

test('settings of requests are refused where answers come from files', () => {
  const settings = { provider: ['a'], 'reasoning-max-tokens': 5, 'extra-body': {} }
  expect(problemsOf({ 'from-dir': 'answers', ...settings, 'max-tokens-field': 'max_tokens' })).toHaveLength(4)
})

test('how much to think is said once', () => {
  expect(problemsOf({ model: 'm', 'reasoning-max-tokens': 5, 'reasoning-effort': 'low' })).toEqual([
    expect.stringContaining('give one of them'),
  ])
})

test('thinking leaves room for the program, of the default as of a given bound', () => {
  expect(problemsOf({ model: 'm', 'reasoning-max-tokens': 16_383 })).toEqual([])
  expect(problemsOf({ model: 'm', 'reasoning-max-tokens': 16_384 })).toHaveLength(1)
  expect(problemsOf({ model: 'm', 'reasoning-max-tokens': 100, 'max-tokens': 100 })).toHaveLength(1)
})

test('a service tier under a cap needs a declared price', () => {
  const tier = { model: 'm', 'extra-body': { service_tier: 'priority' } }
  expect(problemsOf(tier)).toEqual([])
  expect(problemsOf(tier, { 'max-spend-usd': 1 })).toEqual([expect.stringContaining('service_tier')])
  const priced = { ...tier, 'prompt-usd-per-m': 1, 'completion-usd-per-m': 1 }
  expect(problemsOf(priced, { 'max-spend-usd': 1 })).toEqual([])
})
