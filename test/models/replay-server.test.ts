import { expect, onTestFinished, test } from 'vitest'
import { createOpenAiProvider, NO_KEY } from '../../src/models/openai-provider.ts'
import type { Recording } from '../../src/models/recording.ts'
import { replayKey, startReplayServer } from '../../src/models/replay-server.ts'
import { never, requestWith } from './sample-request.ts'

const usage = {
  promptTokens: 900,
  cachedPromptTokens: 64,
  cacheWriteTokens: 128,
  completionTokens: 40,
  reasoningTokens: 8,
  totalTokens: 940,
}
const { messages } = requestWith()

function recordingOf(answers: readonly Partial<Recording['answers'][number]>[]): Recording {
  return {
    description: {
      model: 'some/model',
      harness: 'h',
      obtained: 'by hand',
      date: '2026-11-29',
      batched: false,
      sampling: requestWith().sampling,
    },
    answers: answers.map((answer) => ({
      condition: 'C1',
      fixture: '001',
      sample: 0,
      promptHash: 'h',
      finishReason: null,
      usage: null,
      latencyMs: null,
      text: '',
      ...answer,
    })),
  }
}

async function startWith(answers: readonly Partial<Recording['answers'][number]>[]) {
  const server = await startReplayServer(recordingOf(answers), (answer) =>
    answer.promptHash === 'stale' ? 'stale' : replayKey(messages, answer.sample),
  )
  onTestFinished(server.close)
  const provider = createOpenAiProvider({
    baseUrl: server.baseUrl,
    apiKey: NO_KEY,
    model: 'some/model',
    timeoutMs: 5000,
  })
  return { provider, baseUrl: server.baseUrl }
}

test('an answer comes back through the real client with its text, finish reason and usage', async () => {
  const text = ' raw “answer”\r\n```vox\nfn f() {}\n```'
  const { provider } = await startWith([{ text, finishReason: 'length', usage }])
  expect(await provider.complete(requestWith({ seed: 0 }), never)).toMatchObject({
    kind: 'answered',
    text,
    finishReason: 'length',
    usage,
    costUsd: null,
    modelReturned: 'some/model',
  })
})

test('what was not recorded stays unknown', async () => {
  const { provider } = await startWith([{ text: 'x' }])
  expect(await provider.complete(requestWith({ seed: 0 }), never)).toMatchObject({ finishReason: null, usage: null })
})

test('an empty answer without a finish reason was recorded as an answer and stays one', async () => {
  const { provider } = await startWith([{ text: '' }])
  expect(await provider.complete(requestWith({ seed: 0 }), never)).toMatchObject({ kind: 'answered', text: '' })
})

test('each sample has its own answer', async () => {
  const { provider } = await startWith([{ text: 'zero' }, { text: 'one', sample: 1 }])
  expect(await provider.complete(requestWith({ seed: 1 }), never)).toMatchObject({ text: 'one' })
  expect(await provider.complete(requestWith({ seed: 0 }), never)).toMatchObject({ text: 'zero' })
})

test.each([
  ['an answer to an older prompt', { text: 'x', promptHash: 'stale' }, requestWith({ seed: 0 })],
  ['another prompt', { text: 'x' }, requestWith({ seed: 0, messages: [{ role: 'user', content: 'Write thrice.' }] })],
  ['a sample that was not recorded', { text: 'x' }, requestWith({ seed: 3 })],
])('%s is never replayed: an error of the request, not an answer', async (_name, answer, request) => {
  const { provider } = await startWith([answer])
  expect(await provider.complete(request, never)).toMatchObject({
    kind: 'infra-error',
    class: 'request',
    message: expect.stringContaining('no recorded answer'),
  })
})

test('it lists its model', async () => {
  const { provider } = await startWith([{ text: 'x' }])
  await expect(provider.confirmModel()).resolves.toBeUndefined()
})

test.each([
  ['GET', '/v1/../../etc/passwd', undefined],
  ['GET', '/v1/chat/completions', undefined],
  ['POST', '/v1/completions', '{}'],
  ['POST', '/v1/chat/completions', '{}'],
])('%s %s gets a 404', async (method, path, body) => {
  const { baseUrl } = await startWith([{ text: 'x' }])
  const response = await fetch(new URL(baseUrl).origin + path, { method, body: body ?? null })
  expect(response.status).toBe(404)
})

test.each(['not json', 'null', '[]', '{"messages": 7}', '{"messages": [null]}'])(
  'a body of %j does not end the server',
  async (body) => {
    const { baseUrl, provider } = await startWith([{ text: 'x' }])
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })
    expect(response.ok).toBe(false)
    expect(await provider.complete(requestWith({ seed: 0 }), never)).toMatchObject({ text: 'x' })
  },
)

test('it listens on the loopback interface only', async () => {
  const { baseUrl } = await startWith([{ text: 'x' }])
  expect(new URL(baseUrl).hostname).toBe('127.0.0.1')
})
