import { expect, test } from 'vitest'
import { infraClasses } from '../../src/models/provider.ts'
import { createScriptedProvider } from '../../src/models/scripted-provider.ts'
import { usageOf } from '../score/sample-run.ts'
import { never, requestWith } from './sample-request.ts'

function answerOf(script: string, request = requestWith()) {
  return createScriptedProvider('script.yml', script).complete(request, never)
}

test('a rule without conditions answers every request', async () => {
  expect(await answerOf('rules:\n  - answer: hello')).toEqual({
    kind: 'answered',
    text: 'hello',
    finishReason: 'stop',
    usage: null,
    costUsd: null,
    latencyMs: null,
    modelReturned: null,
    providerReturned: null,
    requests: 1,
  })
})

test('an answer may be empty, and may have a finish reason, usage and cost', async () => {
  const script = `rules:
  - answer: ""
    finish: length
    usage: { promptTokens: 9, completionTokens: 1 }
    cost-usd: 0.25`
  expect(await answerOf(script)).toMatchObject({
    text: '',
    finishReason: 'length',
    usage: usageOf({ promptTokens: 9, completionTokens: 1 }),
    costUsd: 0.25,
  })
})

const narrowing = `rules:
  - { fixture: "001", condition: C1, sample: 0, answer: all three }
  - { fixture: "001", condition: C1, answer: fixture and condition }
  - { fixture: "001", answer: fixture }
  - { sample: 0, answer: sample }
  - { condition: C0, answer: condition }`

test.each([
  [{ fixture: '001', condition: 'C1', sample: 0 }, 'all three'],
  [{ fixture: '001', condition: 'C1', sample: 1 }, 'fixture and condition'],
  [{ fixture: '001', condition: 'C2', sample: 1 }, 'fixture'],
  [{ fixture: '002', condition: 'C1', sample: 0 }, 'sample'],
  [{ fixture: '002', condition: 'C0', sample: 1 }, 'condition'],
])('the first rule that fits %j decides', async (request, expected) => {
  expect(await answerOf(narrowing, requestWith(request))).toMatchObject({ text: expected })
})

test('a request that no rule fits has no answer', async () => {
  const completion = await answerOf(narrowing, requestWith({ fixture: '002', condition: 'C1', sample: 1 }))
  expect(completion).toMatchObject({ kind: 'not-attempted', why: 'no-answer-file' })
})

test.each(infraClasses)('a rule may fail with class %s', async (failure) => {
  expect(await answerOf(`rules:\n  - fail: ${failure}`)).toMatchObject({ kind: 'infra-error', class: failure })
})

test.each([
  ['rules: [', 'line 1'],
  ['', 'the whole'],
  ['- answer: x', 'the whole'],
  ['rules: []', 'rules'],
  ['rules:\n  - {}', 'needs either "answer" or "fail"'],
  ['rules:\n  - { answer: x, fail: rate }', 'needs either "answer" or "fail"'],
  ['rules:\n  - { fail: tired }', 'rules.0.fail'],
  ['rules:\n  - { answer: x, fixtrue: "001" }', 'fixtrue'],
  ['rules:\n  - { answer: x, fixture: 1 }', 'rules.0.fixture'],
  ['rules:\n  - { answer: x, sample: 0.5 }', 'rules.0.sample'],
  ['rules:\n  - { answer: x, usage: { promptTokens: -1 } }', 'rules.0.usage.promptTokens'],
  ['rules:\n  - { answer: x, cost-usd: -1 }', 'rules.0.cost-usd'],
  ['rule:\n  - { answer: x }', 'rule'],
])('the script %j is refused with its place', (script, place) => {
  expect(() => createScriptedProvider('script.yml', script)).toThrow(
    expect.objectContaining({ code: 'script/invalid', message: expect.stringContaining(place) }),
  )
})

test('all that is wrong with a script is told at once', () => {
  const script = 'rules:\n  - { answer: x, sample: one }\n  - { fail: tired }'
  expect(() => createScriptedProvider('script.yml', script)).toThrow(/rules\.0\.sample.*rules\.1\.fail/s)
})
