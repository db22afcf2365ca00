import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sweepFileSchema } from '../../src/config/sweep-config.ts'
import type { Fixture } from '../../src/corpus/fixture.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openJournal } from '../../src/generate/journal.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { listFacts } from '../../src/report/facts.ts'
import type { Report } from '../../src/report/schema.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import type { AttemptRecord } from '../../src/score/record.ts'
import { runSweep } from '../../src/sweep/run-sweep.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { smallCorpus, temporaryFolder } from './small-corpus.ts'

vi.setConfig({ testTimeout: 120_000 })

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

const TIMEOUT_S = 4

/** What the scripted server does to the first request for a problem, or to every one. */
type Fault = (mock: LLMock, userMessage: string, answer: string) => void

const first =
  (response: Parameters<LLMock['on']>[1], options: Parameters<LLMock['on']>[2] = {}): Fault =>
  (mock, userMessage, answer) =>
    mock.on({ userMessage, sequenceIndex: 0 }, response, options).on({ userMessage }, { content: answer })
const always =
  (response: Parameters<LLMock['on']>[1]): Fault =>
  (mock, userMessage) =>
    mock.on({ userMessage }, response)

const tooLong = { message: 'this is more than the maximum context length', code: 'context_length_exceeded' }

/** A problem for each fault, and what is to become of it. */
const faults: readonly [name: string, fault: Fault, outcome: string][] = [
  ['429 with Retry-After', first({ error: { message: 'slow down' }, status: 429, retryAfter: 1 }), 'rate, passed'],
  ['500', first({ error: { message: 'broken' }, status: 500 }), 'server, passed'],
  ['503', first({ error: { message: 'busy' }, status: 503 }), 'overloaded, passed'],
  ['reset', first({ content: '' }, { chaos: { disconnectRate: 1 } }), 'network, passed'],
  ['malformed JSON', first({ content: '' }, { chaos: { malformedRate: 1 } }), 'malformed, passed'],
  ['slow first byte', first({ content: '' }, { chaos: { latencyMs: 2000 * TIMEOUT_S } }), 'timeout, passed'],
  [
    'wrong model echoed',
    (mock, userMessage, content) => mock.on({ userMessage }, { content, model: 'else/other-model' }),
    'passed',
  ],
  ['cut by its token limit', always({ content: 'fn', finishReason: 'length' }), 'truncated'],
  ['content filter', always({ content: '', finishReason: 'content_filter' }), 'no-code filtered'],
  ['500 for ever', always({ error: { message: 'broken' }, status: 500 }), 'server, server'],
  ['429 for ever', always({ error: { message: 'slow' }, status: 429, retryAfter: 0 }), 'rate, rate'],
  ['prompt too long', always({ error: tooLong, status: 400 }), 'context'],
]

/** What the scripted server cannot do, done by one of our own; problems beyond these are answered at once. */
const ownFaults: readonly [name: string, respond: OwnFault, outcome: string][] = [
  [
    '429 without Retry-After',
    firstOnly((response) => sendJson(response, 429, { error: { message: 'slow' } })),
    'rate, passed',
  ],
  [
    'stream broken off',
    firstOnly((response, answer) => {
      const whole = JSON.stringify(chatCompletion(answer))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
      response.write(whole.slice(0, 40), () => response.destroy())
    }),
    'network, passed',
  ],
  [
    'JSON that ends early',
    firstOnly((response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": [{"mess')),
    'malformed, passed',
  ],
  ['no usage', (response, answer) => sendJson(response, 200, chatCompletion(answer)), 'passed'],
  [
    'null content at the token limit',
    (response) =>
      sendJson(
        response,
        200,
        chatCompletion(null, { choices: [{ message: { content: null }, finish_reason: 'length' }] }),
      ),
    'truncated',
  ],
  [
    'refusal',
    (response) =>
      sendJson(response, 200, chatCompletion(null, { choices: [{ message: { content: null, refusal: 'No.' } }] })),
    'no-code refused',
  ],
]

type OwnFault = (response: ServerResponse, answer: string, number: number) => void

function firstOnly(fault: (response: ServerResponse, answer: string) => void): OwnFault {
  return (response, answer, number) =>
    number === 1 ? fault(response, answer) : sendJson(response, 200, chatCompletion(answer))
}

const right = ({ reference }: Fixture) => `\`\`\`vox\n${reference}\`\`\``

async function startMock(fixtures: readonly Fixture[]): Promise<LLMock> {
  const mock = new LLMock({ host: '127.0.0.1', port: 0 })
  for (const [index, [, fault]] of faults.entries()) {
    const fixture = fixtures[index] as Fixture
    fault(mock, fixture.signature, right(fixture))
  }
  await mock.start()
  onTestFinished(async () => void (await mock.stop()))
  return mock
}

function startOwn(fixtures: readonly Fixture[]) {
  const counts = new Map<string, number>()
  return startServer(({ url, text }, response) => {
    const fixture = url === '/v1/models' ? undefined : fixtures.find(({ signature }) => text.includes(signature))
    if (fixture === undefined) return sendJson(response, 404, {})
    const number = (counts.get(fixture.id) ?? 0) + 1
    counts.set(fixture.id, number)
    const [, respond] = ownFaults[fixtures.indexOf(fixture)] ?? []
    if (respond === undefined) sendJson(response, 200, chatCompletion(right(fixture)))
    else respond(response, right(fixture), number)
  })
}

async function sweep(corpus: string, subjects: readonly object[]): Promise<Report> {
  const journal = path.join(temporaryFolder(), 'attempts.jsonl')
  writeFileSync(journal, '')
  const config = sweepFileSchema.parse({
    subjects,
    condition: 'C0',
    retries: 1,
    'request-timeout-s': TIMEOUT_S,
    concurrency: 6,
  })
  await runSweep(config, 'run', corpus, {
    loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
    openEngine: async () => ({ ...engine, close: async () => {} }),
    openJournal: () => openJournal(journal),
    env: {},
    signal: new AbortController().signal,
    onEvent: () => {},
  })
  const lines = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return buildReport(await joinRecords(lines.map((line) => JSON.parse(line))))
}

/** The classes of failed requests, then what came in the end. */
function outcomeOf({ completion, verification }: AttemptRecord): string {
  const failed = completion.failedRequests ?? []
  return [...failed, lastOf(completion, verification)].join(', ')
}

function lastOf(completion: AttemptRecord['completion'], verification: AttemptRecord['verification']): string {
  if (completion.kind === 'infra-error') return completion.class
  if (completion.kind === 'not-attempted') return completion.why
  const verdict = verification?.verdict
  return verdict?.kind === 'no-code' ? `no-code ${verdict.why}` : (verdict?.kind ?? 'not verified')
}

test('each fault lands in its class, what can recover does, and none counts as a failure of the model', async () => {
  const corpus = smallCorpus(faults.length)
  const { fixtures } = await loadCorpus(corpus)
  const mock = await startMock(fixtures)
  const own = await startOwn(fixtures)
  const locked = await startServer((_request, response) => sendJson(response, 401, { error: { message: 'bad key' } }))
  const report = await sweep(corpus, [
    // The name of a model that the scripted server lists.
    { model: 'gpt-4', 'base-url': `${mock.url}/v1` },
    { model: 'own', 'base-url': own.baseUrl },
    { model: 'locked', 'base-url': locked.baseUrl },
  ])

  const outcomes = (subject: string, names: readonly string[]) =>
    report.attempts
      .filter((attempt) => attempt.subject === subject)
      .map((attempt, index) => [names[index] ?? 'nothing', outcomeOf(attempt)])
  expect(
    outcomes(
      'gpt-4',
      faults.map(([name]) => name),
    ),
  ).toEqual(faults.map(([name, , outcome]) => [name, outcome]))
  const calm = faults.slice(ownFaults.length).map(() => ['nothing', 'passed'])
  expect(
    outcomes(
      'own',
      ownFaults.map(([name]) => name),
    ),
  ).toEqual([...ownFaults.map(([name, , outcome]) => [name, outcome]), ...calm])

  const [scripted, ours, refused] = report.rows
  expect(scripted?.attempts).toMatchObject({
    judged: 9,
    infraErrors: { server: 1, rate: 1 },
    notAttempted: { context: 1 },
  })
  expect(ours?.attempts).toMatchObject({ judged: 12, infraErrors: {}, notAttempted: {} })
  expect(refused?.attempts).toMatchObject({ judged: 0, infraErrors: { auth: expect.any(Number) } })
  expect(locked.seen.filter(({ url }) => url !== '/v1/models').length).toBeLessThanOrEqual(6)

  const asked = mock.getRequests().filter(({ body }) => JSON.stringify(body).includes(fixtures[0]?.signature ?? '?'))
  // A timer may fire a little early.
  expect((asked[1]?.timestamp ?? 0) - (asked[0]?.timestamp ?? 0)).toBeGreaterThan(990)

  expect(report.caveat.find(({ id, numbers }) => id === 'model' && numbers.subject === 'gpt-4')?.text).toContain(
    'another name for 1 answer: else/other-model (1 answer)',
  )
  expect(listFacts(report).find(([name, text]) => name === 'Model' && text.startsWith('gpt-4'))?.[1]).toContain(
    'gpt-4 (8 answers), else/other-model (1 answer)',
  )
  expect(report.run.complete).toBe(false)
})
