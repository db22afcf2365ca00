import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type SubjectOptions, type SweepConfig, sweepFileSchema } from '../../src/config/sweep-config.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { resolveCondition } from '../../src/generate/condition.ts'
import { buildPrompt } from '../../src/generate/prompt.ts'
import { createEndpointGate } from '../../src/models/endpoint-gate.ts'
import { openSubjects } from '../../src/sweep/open-subject.ts'
import { createServing } from '../../src/sweep/serving.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { never, requestWith } from '../models/sample-request.ts'
import { folderWith } from '../models/temp-folder.ts'
import { usageOf } from '../score/sample-run.ts'

const corpus = await loadCorpus(path.resolve(import.meta.dirname, '../../corpus'))
const [fixture] = corpus.fixtures
if (fixture === undefined) throw new Error('the corpus is empty')
const condition = await resolveCondition(
  'C1',
  async () => '',
  async () => 0,
)
const prompt = buildPrompt(fixture, condition)
const asked = requestWith({
  fixture: fixture.id,
  messages: [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ],
  seed: 12345,
})

function configOf(subject: SubjectOptions, more: Partial<SweepConfig> = {}): SweepConfig {
  return { ...sweepFileSchema.parse({ subjects: [subject] }), ...more }
}

async function open(options: SubjectOptions, more: Partial<SweepConfig> = {}, env: NodeJS.ProcessEnv = {}) {
  const [subject] = await openSubjects(configOf(options, more), env)
  if (subject === undefined) throw new Error('it has no subject')
  onTestFinished(() => subject.close())
  return subject
}

function recordingWith(lines: readonly object[]): string {
  const index = lines.map((line) =>
    JSON.stringify({
      condition: 'C1',
      fixture: fixture?.id,
      sample: 0,
      promptHash: prompt.hash,
      finishReason: 'stop',
      usage: null,
      latencyMs: null,
      ...line,
    }),
  )
  return folderWith({
    'recording.yaml': `model: some/model
harness: llama.cpp
obtained: one request each
date: 2026-11-29
batched: true
sampling: { temperature: 0, topP: null, maxTokens: 512, reasoningEffort: null }
`,
    'answers.jsonl': index.join('\n'),
    [`C1/${fixture?.id}.md`]: 'zero',
    [`C1/${fixture?.id}.1.md`]: 'one',
  })
}

const asking = {
  gateOf: () => createEndpointGate(4),
  until: never,
  unanswered: new Set<string>(),
  responseStore: null,
  serving: createServing(configOf({ model: 'a/b' }), {
    env: {},
    until: never,
    cancelled: never,
    warn: expect.unreachable,
  }),
  warn: expect.unreachable,
}

test('a recording is replayed with the usage and latency that were recorded', async () => {
  const usage = usageOf({ promptTokens: 900, completionTokens: 40 })
  const recording = recordingWith([{ usage, latencyMs: 86_400_000 }, { sample: 1 }])
  const { start, subject } = await open({ recording })
  const provider = await start([prompt], asking)
  expect(await provider.complete(asked, never)).toMatchObject({
    text: 'zero',
    usage,
    latencyMs: 86_400_000,
    costUsd: null,
    requests: 0,
  })
  expect(await provider.complete({ ...asked, sample: 1 }, never)).toMatchObject({
    text: 'one',
    usage: null,
    latencyMs: null,
  })
  expect(subject).toMatchObject({
    id: 'some/model',
    harness: 'llama.cpp',
    sampling: { temperature: 0, maxTokens: 512 },
    recording: { obtained: 'one request each', date: '2026-11-29', isBatched: true },
  })
})

test('a recording made before cache writes and totals were kept is replayed, without them', async () => {
  const usage = { promptTokens: 900, cachedPromptTokens: 32, completionTokens: 40, reasoningTokens: null }
  const { start } = await open({ recording: recordingWith([{ usage }]) })
  const provider = await start([prompt], asking)
  expect(await provider.complete(asked, never)).toMatchObject({ usage: usageOf(usage) })
})

test('a price has the parts that were declared; the others are not told', async () => {
  const declared = {
    model: 'a/b',
    'base-url': 'http://127.0.0.1:9/v1',
    'prompt-usd-per-m': 2.5,
    'completion-usd-per-m': 10,
  }
  const { subject } = await open({ ...declared, 'cached-usd-per-m': 1.25 })
  expect(subject.price).toEqual({
    promptUsdPerM: 2.5,
    completionUsdPerM: 10,
    cachedPromptUsdPerM: 1.25,
    cacheWriteUsdPerM: null,
    requestUsd: null,
    source: 'declared by the user',
  })
})

test('an answer to a prompt of another wording is not replayed', async () => {
  const { start } = await open({ recording: recordingWith([{ promptHash: 'of an older template' }]) })
  const provider = await start([prompt], asking)
  expect(await provider.complete(asked, never)).toMatchObject({ kind: 'infra-error', class: 'request' })
})

test('a recording takes part in the conditions it has', async () => {
  const { conditions } = await open({ recording: recordingWith([{}]) }, { condition: ['C0', 'C1'] })
  expect(conditions).toEqual(['C1'])
})

test('a recording that has none of the conditions is refused instead of silently missing', async () => {
  await expect(open({ recording: recordingWith([{}]) }, { condition: ['C2'] })).rejects.toMatchObject({
    code: 'recording/no-condition',
    hint: expect.stringContaining('C1'),
  })
})

test('in a smoke run every subject is asked under C1', async () => {
  const smoke = { smoke: true, condition: ['C1'] }
  const { conditions } = await open(
    { script: path.join(folderWith({ s: 'rules: [{answer: x}]' }), 's'), condition: ['C3'] },
    smoke,
  )
  expect(conditions).toEqual(['C1'])
})

test('an endpoint is asked with the key of the variable named, which is nowhere else', async () => {
  const { baseUrl, origin, seen } = await startServer(({ url }, response) =>
    url === '/v1/models'
      ? sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
      : sendJson(response, 200, chatCompletion('x')),
  )
  const options = { model: 'a/b', 'base-url': baseUrl, 'api-key-env': 'MY_KEY' }
  const { start, subject } = await open(options, {}, { MY_KEY: ' sk-secret-42 ', OPENROUTER_API_KEY: 'sk-other' })
  const provider = await start([prompt], asking)
  const completion = await provider.complete(asked, never)
  expect(completion).toMatchObject({ kind: 'answered', requests: 1 })
  expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/v1/models', 'Bearer sk-secret-42'],
    ['/v1/chat/completions', 'Bearer sk-secret-42'],
  ])
  expect(JSON.stringify([subject, completion])).not.toContain('sk-secret-42')
  expect(subject.endpoint).toBe(origin)
  expect(JSON.parse(seen[1]?.text ?? '')).toMatchObject({ seed: 12345 })
})

test('without a key variable an own endpoint gets no key of the environment', async () => {
  const { baseUrl, seen } = await startServer((_request, response) => sendJson(response, 200, chatCompletion('x')))
  const { start } = await open({ model: 'a/b', 'base-url': baseUrl }, {}, { OPENROUTER_API_KEY: 'sk-other' })
  await (await start([prompt], asking)).complete(asked, never)
  expect(JSON.stringify(seen)).not.toContain('sk-other')
})

test('a name or password in the URL of an endpoint is refused, and not repeated', async () => {
  const error: Error = await open({ model: 'a/b', 'base-url': 'http://user:hunter2@127.0.0.1:9/v1' }).then(
    () => new Error('accepted'),
    (caught) => caught,
  )
  expect(error).toMatchObject({ code: 'subject/credentials' })
  expect(error.message).not.toContain('hunter2')
})

test.each(['?key=hunter2', '#hunter2', '?'])('an endpoint with %s in its URL is refused, unrepeated', async (more) => {
  const error = await open({ model: 'a/b', 'base-url': `http://127.0.0.1:9/v1${more}` }).catch((caught) => caught)
  expect(error).toMatchObject({ code: 'subject/credentials' })
  expect(String(error.message) + error.hint).not.toContain('hunter2')
})

test.each([
  [1, 0],
  [5, 0.8],
])('with n = %i an endpoint is asked at temperature %f', async (n, temperature) => {
  const { subject } = await open({ model: 'a/b', 'base-url': 'http://127.0.0.1:9/v1' }, { n })
  expect(subject.sampling).toMatchObject({ temperature, maxTokens: 16_384 })
})

test('of a folder of answers nothing is claimed that nobody said', async () => {
  const folder = folderWith({})
  writeFileSync(path.join(folder, '001.md'), 'x')
  const { subject } = await open({ 'from-dir': folder })
  expect(subject).toMatchObject({
    id: path.basename(folder),
    harness: 'external',
    endpoint: null,
    price: null,
    sampling: { temperature: null, topP: null, maxTokens: null, reasoningEffort: null },
    cutoff: { date: null },
    recording: { date: null, isBatched: null },
  })
})

test.skipIf(process.platform !== 'linux')('a checkpoint of two subjects is read once', async () => {
  const bytes = 32 * 1024 * 1024
  const runs = folderWith({ 'nova/final/model.safetensors': '' })
  truncateSync(path.join(runs, 'nova/final/model.safetensors'), bytes)
  const subject = { model: 'mens/nova', 'mens-serve': 'server' }
  const config = sweepFileSchema.parse({ 'mens-runs': runs, subjects: [subject, { ...subject, fix: true }] })
  const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  const before = bytesRead()
  const opened = await openSubjects(config, {})
  expect((bytesRead() - before) / bytes).toBeCloseTo(1, 0)
  expect(new Set(opened.map(({ subject }) => subject.served?.weights)).size).toBe(1)
})

test('a checkpoint that changed since its weights were read is not served', async () => {
  const runs = folderWith({ 'nova/final/model.safetensors': 'early' })
  const subject = await open({ model: 'mens/nova', 'mens-serve': 'server {port}' }, { 'mens-runs': runs })
  appendFileSync(path.join(runs, 'nova/final/model.safetensors'), 'trained further')
  await expect(subject.start([prompt], asking)).rejects.toMatchObject({
    code: 'mens/changing',
    message: expect.stringMatching(/nova\/final changed .*model\.safetensors/),
  })
})

test('further settings of a subject are sent and planned', async () => {
  const { baseUrl, seen } = await startServer((_request, response) => sendJson(response, 200, chatCompletion('x')))
  const settings = {
    'max-tokens-field': 'max_completion_tokens' as const,
    'max-tokens': 64,
    'reasoning-max-tokens': 32,
    'extra-body': { top_k: 20 },
  }
  const { subject, start } = await open({ model: 'a/b', 'base-url': baseUrl, ...settings })
  const provider = await start([prompt], asking)
  await provider.complete({ ...asked, sampling: subject.sampling }, never)
  const body: unknown = JSON.parse(seen.at(-1)?.text ?? '')
  expect(body).toMatchObject({ max_completion_tokens: 64, reasoning: { max_tokens: 32 }, top_k: 20 })
  expect(body).not.toHaveProperty('max_tokens')
})

test('a subject without further settings has the sampling that it had before there were any', async () => {
  const plain = { model: 'a/b', 'base-url': 'http://127.0.0.1:9/v1' }
  const { subject } = await open({ ...plain, 'max-tokens-field': 'max_tokens', 'extra-body': {} })
  expect(Object.keys(subject.sampling)).toEqual(['temperature', 'topP', 'maxTokens', 'reasoningEffort'])
})
