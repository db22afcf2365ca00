import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { createOpenAiProvider, NO_KEY, type OpenAiOptions } from '../../src/models/openai-provider.ts'
import type { Completion, Sampling } from '../../src/models/provider.ts'
import { chatCompletion, type SeenRequest, sendJson, startServer } from './loopback-server.ts'
import { never, requestWith } from './sample-request.ts'

const KEY = 'sk-secret-0123456789'

type Respond = (request: SeenRequest, response: ServerResponse) => void

async function ask(respond: Respond, options: Partial<OpenAiOptions> = {}, signal = never) {
  const server = await startServer(respond)
  const provider = createOpenAiProvider({
    baseUrl: server.baseUrl,
    apiKey: KEY,
    model: 'a/b',
    timeoutMs: 5000,
    ...options,
  })
  const completion = await provider.complete(requestWith(), signal)
  return { completion, seen: server.seen, origin: server.origin }
}

const answering =
  (body: unknown): Respond =>
  (_request, response) =>
    sendJson(response, 200, body)

const failing =
  (status: number, error: object = { message: 'no' }): Respond =>
  (_request, response) =>
    sendJson(response, status, { error })

function whyOf(completion: Completion): string {
  if (completion.kind === 'answered') return 'answered'
  return completion.kind === 'infra-error' ? completion.class : completion.why
}

test('an answer comes with its text, finish reason, usage, cost, model and provider', async () => {
  const { completion } = await ask(
    answering(
      chatCompletion('fn f() {}', {
        provider: 'Some Host',
        usage: {
          prompt_tokens: 2006,
          completion_tokens: 300,
          prompt_tokens_details: { cached_tokens: 1920, cache_write_tokens: 64 },
          completion_tokens_details: { reasoning_tokens: 21 },
          total_tokens: 2306,
          cost: 0.005615,
        },
      }),
    ),
  )
  expect(completion).toEqual({
    kind: 'answered',
    text: 'fn f() {}',
    finishReason: 'stop',
    usage: {
      promptTokens: 2006,
      cachedPromptTokens: 1920,
      cacheWriteTokens: 64,
      completionTokens: 300,
      reasoningTokens: 21,
      totalTokens: 2306,
    },
    costUsd: 0.005615,
    latencyMs: expect.any(Number),
    modelReturned: 'served/model',
    providerReturned: 'Some Host',
    requests: 1,
  })
})

test('what the endpoint does not say is null, never zero', async () => {
  const { completion } = await ask(answering({ choices: [{ message: { content: 'x' } }] }))
  expect(completion).toMatchObject({
    finishReason: null,
    usage: null,
    costUsd: null,
    modelReturned: null,
    providerReturned: null,
  })
  const { completion: partly } = await ask(answering(chatCompletion('x', { usage: { prompt_tokens: 5 } })))
  expect(partly).toMatchObject({
    usage: {
      promptTokens: 5,
      cachedPromptTokens: null,
      cacheWriteTokens: null,
      completionTokens: null,
      reasoningTokens: null,
      totalTokens: null,
    },
  })
})

test('fields of a wrong type or a negative amount are not taken over', async () => {
  const { completion } = await ask(
    answering({
      model: 7,
      provider: {},
      choices: [{ message: { content: 'x' }, finish_reason: 3 }],
      usage: { prompt_tokens: '12', completion_tokens: -4, cost: -1 },
    }),
  )
  expect(completion).toMatchObject({
    text: 'x',
    finishReason: null,
    usage: { promptTokens: null, completionTokens: null },
    costUsd: null,
    modelReturned: null,
    providerReturned: null,
  })
})

test('null content that hit its token limit stays an answer, with its usage', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'length' }]
  const { completion } = await ask(
    answering(chatCompletion(null, { choices, usage: { prompt_tokens: 9, completion_tokens: 16 } })),
  )
  expect(completion).toMatchObject({ kind: 'answered', text: null, finishReason: 'length' })
  expect(completion).toMatchObject({ usage: { promptTokens: 9, completionTokens: 16 } })
})

test('a refusal is told by its finish reason', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: null, refusal: 'No.' }, finish_reason: 'stop' }]
  const { completion } = await ask(answering(chatCompletion(null, { choices })))
  expect(completion).toMatchObject({ kind: 'answered', finishReason: 'refusal' })
})

test.each<[number, object, string]>([
  [401, { message: 'bad key' }, 'auth'],
  [403, { message: 'not allowed' }, 'auth'],
  [402, { message: 'no credit' }, 'quota'],
  [429, { message: 'slow down' }, 'rate'],
  [429, { message: 'used up', code: 'insufficient_quota' }, 'quota'],
  [500, { message: 'broken' }, 'server'],
  [502, { message: 'broken' }, 'server'],
  [503, { message: 'busy' }, 'overloaded'],
  [529, { message: 'busy' }, 'overloaded'],
  [408, { message: 'late' }, 'timeout'],
  [400, { message: 'This model has a maximum context length of 2048 tokens' }, 'context'],
  [400, { message: 'too long', code: 'context_length_exceeded' }, 'context'],
  [400, { message: 'temperature is not supported' }, 'request'],
  [404, { message: 'no such model' }, 'request'],
])('HTTP %i with %j is %s, after one request', async (status, error, expected) => {
  const { completion, seen } = await ask(failing(status, error))
  expect(whyOf(completion)).toBe(expected)
  expect(completion).toMatchObject({ message: expect.stringContaining((error as { message: string }).message) })
  expect(seen.length).toBe(1)
})

test.each<[unknown, string]>([
  [{ error: { code: 429, message: 'upstream is busy' } }, 'rate'],
  [{ error: { message: 'upstream broke' } }, 'server'],
  [
    chatCompletion('fn f() to int { ret', {
      choices: [{ message: { content: 'fn f(' }, finish_reason: 'error', error: { code: 502, message: 'cut off' } }],
    }),
    'server',
  ],
])('a failure that is reported with status 200 is no answer: %j', async (body, expected) => {
  const { completion } = await ask(answering(body))
  expect(whyOf(completion)).toBe(expected)
})

const half = { message: { content: 'fn f(' }, finish_reason: 'error' }
const usage = { prompt_tokens: 2000, completion_tokens: 900, cost: 0.2 }

test.each<[string, object]>([
  ['of class rate in a choice', { choices: [{ ...half, error: { code: 429, message: 'cut off' } }] }],
  ['of class quota beside a choice', { error: { code: 402, message: 'cut off' }, choices: [half] }],
  ['of class auth beside usage', { error: { code: 401, message: 'cut off' }, usage }],
  ['of class request beside usage', { error: { code: 400, message: 'cut off' }, usage }],
  ['of the context beside usage', { error: { code: 400, message: 'cut off by the context length' }, usage }],
])('an error %s may have been billed, so it is one of the server', async (_name, body) => {
  const { completion } = await ask(answering(body))
  expect(completion).toMatchObject({ class: 'server', message: expect.stringContaining('cut off') })
})

test('an error that comes alone keeps its class', async () => {
  const error = { code: 401, message: 'bad key' }
  for (const more of [{}, { choices: [] }, { usage: null }])
    expect(whyOf((await ask(answering({ error, ...more }))).completion)).toBe('auth')
})

test.each<[string, object]>([
  ['no text', { message: { content: '' }, finish_reason: null }],
  ['null', { message: { content: null }, finish_reason: null }],
  ['nothing', { message: {} }],
  ['an empty refusal', { message: { content: null, refusal: '' } }],
])('a choice of %s that names no end is no answer', async (_name, choice) => {
  const { completion } = await ask(answering({ choices: [choice] }))
  expect(whyOf(completion)).toBe('malformed')
})

test.each(['stop', 'length', 'content_filter'])('no text that ends by %s is an answer', async (reason) => {
  for (const content of ['', null]) {
    const { completion } = await ask(answering({ choices: [{ message: { content }, finish_reason: reason }] }))
    expect(completion).toMatchObject({ kind: 'answered', text: content, finishReason: reason })
  }
})

test('a refusal that names no end is an answer', async () => {
  const { completion } = await ask(answering({ choices: [{ message: { refusal: 'No.' } }] }))
  expect(completion).toMatchObject({ kind: 'answered', finishReason: 'refusal' })
})

test.each<[string, string]>([
  ['application/json', '{"choices": ['],
  ['application/json', 'null'],
  ['application/json', '{"choices": []}'],
  ['text/html', '<h1>Welcome</h1>'],
])('a body of %s %j is malformed', async (type, body) => {
  const { completion } = await ask((_request, response) => response.writeHead(200, { 'content-type': type }).end(body))
  expect(whyOf(completion)).toBe('malformed')
})

test('a connection that is dropped is a network failure and says what happened', async () => {
  const { completion } = await ask((_request, response) => response.destroy())
  expect(completion).toMatchObject({
    kind: 'infra-error',
    class: 'network',
    message: expect.stringMatching(/closed|socket|reset/i),
  })
})

test('a connection that is dropped within the answer is a network failure', async () => {
  const { completion } = await ask((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices": [')
    setTimeout(() => response.destroy(), 20)
  })
  expect(whyOf(completion)).toBe('network')
})

test.each<[string, string, RegExp]>([
  ['refuses connections', 'http://127.0.0.1:2/v1', /ECONNREFUSED/],
  ['has no address', 'http://nowhere.invalid/v1', /ENOTFOUND|EAI_AGAIN/],
])('an endpoint that %s is unreachable: nothing was sent', async (_name, baseUrl, message) => {
  const { completion } = await ask(answering({}), { baseUrl })
  expect(completion).toMatchObject({ class: 'unreachable', message: expect.stringMatching(message), requests: 1 })
})

test.each<[string, Respond]>([
  ['never answers', () => {}],
  [
    'stalls within its answer',
    (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices": ['),
  ],
])('an endpoint that %s times out', async (_name, respond) => {
  const { completion } = await ask(respond, { timeoutMs: 150 })
  expect(completion).toMatchObject({
    kind: 'infra-error',
    class: 'timeout',
    message: expect.stringContaining('0.15 s'),
  })
})

test('a request that is cancelled was not attempted', async () => {
  const cancel = new AbortController()
  const { completion } = await ask(() => cancel.abort(), {}, cancel.signal)
  expect(whyOf(completion)).toBe('cancelled')
})

test('a redirect is refused, so that the key reaches no other origin', async () => {
  const other = await startServer((_request, response) => sendJson(response, 200, chatCompletion('stolen')))
  const { completion } = await ask((_request, response) =>
    response.writeHead(307, { location: `${other.baseUrl}/chat/completions` }).end(),
  )
  expect(whyOf(completion)).toBe('network')
  expect(other.seen).toEqual([])
})

test.each<[string, Respond]>([
  ['an error', failing(401, { message: `Incorrect API key provided: ${KEY}.` })],
  ['a failure with status 200', answering({ error: { message: `bad key ${KEY}` } })],
  ['a bad request', failing(400, { message: `context ${KEY}` })],
  ['an answer', answering(chatCompletion(`your key is ${KEY}`, { model: KEY, provider: KEY }))],
  ['a long error page', (_request, response) => response.writeHead(500).end('x'.repeat(1990) + KEY)],
])('the key is in no completion when %s repeats it', async (_name, respond) => {
  const { completion, seen } = await ask(respond)
  expect(seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(JSON.stringify(completion)).not.toContain(KEY.slice(0, 9))
})

test('a word given in place of a key does not change an answer that has it', async () => {
  const { completion } = await ask(answering(chatCompletion('fn test() {}')), { apiKey: 'test' })
  expect(completion).toMatchObject({ text: 'fn test() {}' })
})

test('a long error page is cut', async () => {
  const { completion } = await ask((_request, response) => response.writeHead(500).end('x'.repeat(100_000)))
  expect(JSON.stringify(completion).length).toBeLessThan(2500)
})

test('nothing of the environment is sent', async () => {
  vi.stubEnv('OPENAI_ORG_ID', 'org-private')
  vi.stubEnv('OPENAI_PROJECT_ID', 'project-private')
  vi.stubEnv('OPENAI_API_KEY', 'sk-private')
  vi.stubEnv('OPENAI_ADMIN_KEY', 'admin-private')
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: Bearer private\nX-Team: private')
  try {
    const { seen } = await ask(answering(chatCompletion('x')), { apiKey: NO_KEY })
    expect(JSON.stringify(seen)).not.toContain('private')
    expect(seen[0]?.headers.authorization).toBe('Bearer none')
  } finally {
    vi.unstubAllEnvs()
  }
})

test('settings that are left to the endpoint are not sent', async () => {
  const { seen } = await ask(answering(chatCompletion('x')))
  expect(JSON.parse(seen[0]?.text ?? '')).toEqual({ model: 'a/b', messages: requestWith().messages })
})

test('seed and every setting are sent', async () => {
  const server = await startServer((_request, response) => sendJson(response, 200, chatCompletion('x')))
  const provider = createOpenAiProvider({ baseUrl: server.baseUrl, apiKey: KEY, model: 'a/b', timeoutMs: 5000 })
  const sampling = { temperature: 0, topP: 0.9, maxTokens: 64, reasoningEffort: 'low' }
  await provider.complete(requestWith({ seed: 0, sampling }), never)
  expect(JSON.parse(server.seen[0]?.text ?? '')).toMatchObject({
    seed: 0,
    temperature: 0,
    top_p: 0.9,
    max_tokens: 64,
    reasoning_effort: 'low',
  })
})

async function bodyWith(more: Partial<Sampling>): Promise<object> {
  const server = await startServer((_request, response) => sendJson(response, 200, chatCompletion('x')))
  const provider = createOpenAiProvider({ baseUrl: server.baseUrl, apiKey: KEY, model: 'a/b', timeoutMs: 5000 })
  const sampling = { temperature: null, topP: null, maxTokens: 64, reasoningEffort: null, ...more }
  await provider.complete(requestWith({ sampling }), never)
  return JSON.parse(server.seen[0]?.text ?? '')
}

const plainBody = { model: 'a/b', messages: requestWith().messages, max_tokens: 64 }

test('the bound of an answer is sent in the field that was asked for, and in no other', async () => {
  const { max_tokens, ...rest } = plainBody
  expect(await bodyWith({ maxTokensField: 'max_completion_tokens' })).toEqual({
    ...rest,
    max_completion_tokens: max_tokens,
  })
})

test('providers are sent in their order, without any other to fall back to', async () => {
  expect(await bodyWith({ providers: ['deepinfra/fp8', 'novita'] })).toEqual({
    ...plainBody,
    provider: { order: ['deepinfra/fp8', 'novita'], allow_fallbacks: false },
  })
})

test('the bound of thinking is sent as OpenRouter takes it', async () => {
  expect(await bodyWith({ reasoningMaxTokens: 32 })).toEqual({ ...plainBody, reasoning: { max_tokens: 32 } })
})

test('further fields are sent as they are and replace nothing', async () => {
  const extraBody = { top_k: 20, chat_template_kwargs: { enable_thinking: false }, stop: [], a: null }
  expect(await bodyWith({ extraBody: { ...extraBody, model: 'other', max_tokens: 1 } })).toEqual({
    ...plainBody,
    ...extraBody,
  })
})

async function confirm(respond: Respond, model = 'vendor/nova'): Promise<unknown> {
  const { baseUrl } = await startServer(respond)
  return createOpenAiProvider({ baseUrl, apiKey: KEY, model, timeoutMs: 500 })
    .confirmModel()
    .catch((error: unknown) => error)
}

test('a model that the endpoint does not list is refused, with like names', async () => {
  const data = [{ id: 'vendor/nova-2' }, { id: 'other/model' }, { id: 7 }]
  expect(await confirm(answering({ object: 'list', data }))).toMatchObject({
    code: 'model/unknown',
    message: expect.stringContaining('vendor/nova'),
    hint: 'It serves these with a like name: vendor/nova-2.',
  })
})

test.each(['nitro', 'floor', 'online'])('a model may be asked for with :%s, which no list has', async (suffix) => {
  const listing = answering({ object: 'list', data: [{ id: 'vendor/nova' }] })
  expect(await confirm(listing, `vendor/nova:${suffix}`)).toBeUndefined()
  expect(await confirm(listing, `vendor/supernova:${suffix}`)).toMatchObject({ code: 'model/unknown' })
})

test('another model of a family is not taken for the one that is listed', async () => {
  const listing = answering({ object: 'list', data: [{ id: 'vendor/nova:8b' }, { id: 'vendor/nova' }] })
  expect(await confirm(listing, 'vendor/nova:70b')).toMatchObject({ code: 'model/unknown' })
})

test.each<[string, Respond]>([
  ['lists the model', answering({ object: 'list', data: [{ id: 'vendor/nova' }] })],
  ['lists nothing', answering({ object: 'list', data: [] })],
  ['cannot list', failing(404)],
  ['sends something else', answering({ models: [] })],
  ['does not answer', () => {}],
])('an endpoint that %s lets the run begin', async (_name, respond) => {
  expect(await confirm(respond)).toBeUndefined()
})

test.each<[string, unknown]>([
  ['choices as a map', { '0': { message: { content: 'x' } } }],
  ['choices as text', 'abc'],
  ['a choice that is a number', [5]],
  ['a message that is text', [{ message: 'x' }]],
  ['content as a map', [{ message: { content: { text: 'x' } } }]],
])('an answer in another form is the fault of the endpoint: %s', async (_name, choices) => {
  const { completion } = await ask(answering({ choices }))
  expect(completion).toMatchObject({ kind: 'infra-error', class: 'malformed' })
})

test('an answer in parts is one text', async () => {
  const content = [
    { type: 'text', text: 'fn f() ' },
    { type: 'image_url' },
    { type: 'text', text: 'to int { return 1 }' },
  ]
  const { completion } = await ask(answering({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
  expect(completion).toMatchObject({ kind: 'answered', text: 'fn f() to int { return 1 }' })
})

test('absurd amounts are not taken over, so that sums stay finite', async () => {
  const absurd = { prompt_tokens: 1e308, completion_tokens: 1.5, cost: 1e308 }
  const { completion } = await ask(answering({ choices: [{ message: { content: 'x' } }], usage: absurd }))
  expect(completion).toMatchObject({ usage: { promptTokens: null, completionTokens: null }, costUsd: null })
})

test('an answer longer than any program is cut and counts as truncated', async () => {
  const choices = [{ message: { content: 'x'.repeat(1024 * 1024 + 1) }, finish_reason: 'stop' }]
  const { completion } = await ask(answering({ choices }), { timeoutMs: 20_000 })
  expect(completion).toMatchObject({ finishReason: 'length' })
})

test('ids of an endpoint carry neither the key nor line breaks into a message', async () => {
  const data = [{ id: `x${KEY}` }, { id: 'y\n::error::pwn' }]
  const error = await confirm(answering({ object: 'list', data }))
  expect(JSON.stringify(error)).not.toContain(KEY)
  expect((error as { hint: string }).hint).not.toContain('\n')
})
