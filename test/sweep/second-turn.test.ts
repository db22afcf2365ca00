import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SweepConfig, sweepFileSchema } from '../../src/config/sweep-config.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openJournal } from '../../src/generate/journal.ts'
import { buildReport } from '../../src/report/build-report.ts'
import type { Report } from '../../src/report/schema.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { reverify } from '../../src/sweep/reverify.ts'
import { runSweep } from '../../src/sweep/run-sweep.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { referenceOf, smallCorpus, temporaryFolder } from './small-corpus.ts'

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

const fenced = (program: string) => `\`\`\`vox\n${program}\n\`\`\`\n`
const RIGHT = fenced(referenceOf('001-luggage-tag'))
const UNDEFINED = fenced(
  referenceOf('001-luggage-tag').replace(/^fn .*$/m, (line) => `${line}\n    let lost = nowhere`),
)
const WRONG = fenced('fn luggage_tag(owner: str, width: int, fragile: bool) to str {\n    return "wrong"\n}')

type Message = { readonly role: string; readonly content: string }

interface Request {
  readonly messages: readonly Message[]
  readonly seed: number
}

/** Answers the first and the second turn of one problem through a real endpoint. */
async function sweep(
  turns: readonly [string, string],
  { config = {}, earlier = [] as readonly unknown[], usage = {}, stopAfter = Number.POSITIVE_INFINITY } = {},
) {
  const corpus = smallCorpus(1)
  const seen: Request[] = []
  const { baseUrl } = await startServer((request, response) => {
    if (request.url.endsWith('/models')) return sendJson(response, 404, {})
    const body = JSON.parse(request.text) as Request
    seen.push(body)
    const isSecond = body.messages.some(({ role }) => role === 'assistant')
    sendJson(response, 200, {
      ...chatCompletion(turns[isSecond ? 1 : 0]),
      usage: { prompt_tokens: 100, completion_tokens: 10, ...usage },
    })
  })
  const journal = path.join(temporaryFolder(), 'attempts.jsonl')
  writeFileSync(journal, earlier.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const cancel = new AbortController()
  const whole: SweepConfig = {
    ...sweepFileSchema.parse({
      subjects: [{ model: 'm', 'base-url': baseUrl, fix: true, 'prompt-usd-per-m': 1, 'completion-usd-per-m': 2 }],
      retries: 0,
    }),
    ...config,
  }
  await runSweep(whole, 'run', corpus, {
    loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
    openEngine: async () => ({ ...engine, close: async () => {} }),
    openJournal: () => {
      const opened = openJournal(journal)
      let answers = 0
      return {
        ...opened,
        append(line, durability) {
          opened.append(line, durability)
          if (line.kind === 'answered' && ++answers === stopAfter) cancel.abort()
        },
      }
    },
    env: {},
    signal: cancel.signal,
    onEvent: () => {},
    ...(earlier.length === 0 ? {} : { earlier: await joinRecords(earlier) }),
  })
  const lines = readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { corpus, seen, lines, report: buildReport(await joinRecords(lines)), endpoint: baseUrl }
}

test('an answer that the check refuses is given back with its diagnostics, and the second one counts', async () => {
  const { seen, report } = await sweep([UNDEFINED, RIGHT])
  expect(seen).toHaveLength(2)
  const [, second] = seen
  expect(second?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(second?.messages.slice(0, 2)).toEqual(seen[0]?.messages)
  expect(second?.messages[2]?.content).toBe(UNDEFINED)
  expect(second?.messages[3]?.content).toMatch(/line 4, column \d+: .*nowhere.*\n {4}let lost = nowhere/)
  const [row] = report.rows
  expect(row).toMatchObject({
    subject: 'm+fix1',
    harness: 'vox-harness+fix1',
    firstSample: { passed: 1, of: 1 },
    fix: {
      judged: 1,
      passedAtOnce: 0,
      mended: { passed: 1, of: 1 },
      byFailure: [{ kind: 'check-failed', class: 'undefined_name', given: 1, mended: 1 }],
    },
  })
  expect(report.run.complete).toBe(true)
})

test('an answer that passes is not given back', async () => {
  const { seen, report } = await sweep([RIGHT, 'never'])
  expect(seen).toHaveLength(1)
  expect(report.rows[0]?.fix).toMatchObject({ passedAtOnce: 1, mended: { passed: 0, of: 0 } })
  expect(report.attempts[0]?.first).toBeNull()
})

test('of a wrong answer neither the input nor a value nor the text of an assertion is told', async () => {
  const { corpus, seen } = await sweep([WRONG, RIGHT])
  const told = seen[1]?.messages[3]?.content ?? ''
  expect(told).toMatch(/wrong result for at least one input/)
  const [fixture] = (await loadCorpus(corpus)).fixtures
  const secrets = (fixture?.tests ?? '').match(/"[^"]+"|luggage_tag\([^)]*\)/g) ?? []
  expect(secrets.length).toBeGreaterThan(3)
  for (const secret of secrets) expect(told).not.toContain(secret)
})

test('of a program whose type does not fit the tests only the signature is told', async () => {
  const { corpus, seen } = await sweep([
    fenced('fn luggage_tag(owner: int, width: str, fragile: bool) to bool {\n    return true\n}'),
    RIGHT,
  ])
  const [fixture] = (await loadCorpus(corpus)).fixtures
  const told = seen[1]?.messages[3]?.content ?? ''
  expect(told).toContain(fixture?.signature)
  for (const literal of (fixture?.tests ?? '').match(/"[^"]+"/g) ?? []) expect(told).not.toContain(literal)
})

test('lines are those of the answer, also when a main was stripped in front', async () => {
  const main = 'fn main() to str {\n    let unused = 1\n    return "x"\n}\n'
  const program = UNDEFINED.replace('```vox\n', '').replace('\n```', '')
  const { seen } = await sweep([fenced(`${main}${program}`), RIGHT])
  expect(seen[1]?.messages[3]?.content).toMatch(/line 8, column 16: .*nowhere/)
})

test('an answer without any text is given back as one, since endpoints refuse an empty message', async () => {
  const { seen, report } = await sweep(['', RIGHT])
  expect(seen[1]?.messages[2]?.content).toBe('(no text)')
  expect(report.run.complete).toBe(true)
})

test('the tokens, the cost and the time of both turns count', async () => {
  const { report } = await sweep([WRONG, RIGHT])
  const [row] = report.rows
  expect(row?.tokens).toMatchObject({
    prompt: { total: 200, known: 2, of: 2 },
    completion: { total: 20 },
    perPass: 220,
  })
  expect(row?.cost.usd.total).toBeCloseTo(2 * (100 + 2 * 10) * 1e-6, 12)
  expect(report.spend.spentUsd).toBeCloseTo(2 * (100 + 2 * 10) * 1e-6, 12)
  expect(row?.latency).toMatchObject({ known: 1, of: 1 })
})

test('both turns reserve their worst case, the second with the first answer in it', async () => {
  const { lines } = await sweep([WRONG, RIGHT])
  const reserved = lines.filter(({ kind }) => kind === 'reserved')
  expect(reserved.map(({ attempt }) => attempt)).toEqual(['m+fix1 C1 / 001 / 0', 'm+fix1 C1 / 001 / 0 / fix'])
  expect(reserved[1].usd - reserved[0].usd).toBeGreaterThan(WRONG.length * 1e-6)
})

test('an attempt whose second turn the cap has no room for is missing, not failed', async () => {
  const { lines } = await sweep([WRONG, RIGHT])
  const firstUsd = lines.find(({ kind }) => kind === 'reserved').usd
  const { seen, report } = await sweep([WRONG, RIGHT], { config: { 'max-spend-usd': firstUsd } })
  expect(seen).toHaveLength(1)
  expect(report.attempts[0]).toMatchObject({
    completion: { kind: 'not-attempted', why: 'spend-cap' },
    first: { verification: { verdict: { kind: 'wrong-answer' } } },
  })
  expect(report.rows[0]).toMatchObject({
    headline: { kind: 'withheld' },
    attempts: { judged: 0, notAttempted: { 'spend-cap': 1 } },
  })
  expect(report.run.complete).toBe(false)
})

test.each([
  [
    'a refusal',
    { ...chatCompletion('No.'), choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] },
  ],
  [
    'an answer that was cut off',
    { ...chatCompletion(WRONG), choices: [{ message: { content: WRONG }, finish_reason: 'length' }] },
  ],
])('%s is not given back', async (_name, answer) => {
  const seen: unknown[] = []
  const { baseUrl } = await startServer((request, response) => {
    if (request.url.endsWith('/models')) return sendJson(response, 404, {})
    seen.push(request.text)
    sendJson(response, 200, answer)
  })
  const journal = path.join(temporaryFolder(), 'attempts.jsonl')
  await runSweep(
    sweepFileSchema.parse({ subjects: [{ model: 'm', 'base-url': baseUrl, fix: true }] }),
    'run',
    smallCorpus(1),
    {
      loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
      openEngine: async () => ({ ...engine, close: async () => {} }),
      openJournal: () => openJournal(journal),
      env: {},
      signal: new AbortController().signal,
      onEvent: () => {},
    },
  )
  expect(seen).toHaveLength(1)
})

test('a run that was cancelled between the turns asks only the second when it is resumed', async () => {
  const cut = await sweep([WRONG, RIGHT], { stopAfter: 1 })
  expect(cut.seen).toHaveLength(1)
  expect(cut.report.attempts[0]).toMatchObject({ completion: { kind: 'not-attempted', why: 'cancelled' } })
  const config = {
    subjects: [{ model: 'm', 'base-url': cut.endpoint, fix: true, 'prompt-usd-per-m': 1, 'completion-usd-per-m': 2 }],
  }
  const before = cut.seen.length
  const again = await sweep([WRONG, RIGHT], { earlier: cut.lines, config })
  expect(cut.seen.slice(before)).toHaveLength(1)
  expect(cut.seen.at(-1)?.messages).toHaveLength(4)
  expect(again.report.run).toMatchObject({ complete: true, resumed: 1 })
  expect(again.report.rows[0]?.fix).toMatchObject({ mended: { passed: 1, of: 1 } })
})

test('a run that is resumed keeps second answers as well', async () => {
  const whole = await sweep([WRONG, RIGHT])
  const config = {
    subjects: [{ model: 'm', 'base-url': whole.endpoint, fix: true, 'prompt-usd-per-m': 1, 'completion-usd-per-m': 2 }],
  }
  const again = await sweep([WRONG, RIGHT], { earlier: whole.lines, config })
  expect(whole.seen).toHaveLength(2)
  expect(again.report.rows).toEqual(whole.report.rows)
  expect(again.report.spend.spentUsd).toBeCloseTo(whole.report.spend.spentUsd, 12)
})

test('a second answer to another feedback than the one of today is asked for again, and both are paid for', async () => {
  const whole = await sweep([WRONG, RIGHT])
  const config = {
    subjects: [{ model: 'm', 'base-url': whole.endpoint, fix: true, 'prompt-usd-per-m': 1, 'completion-usd-per-m': 2 }],
  }
  const { hashTurn } = await import('../../src/generate/prompt.ts')
  const [prompt] = whole.report.plan.prompts
  const feedback = 'Something else.'
  const promptHash = hashTurn(prompt as NonNullable<typeof prompt>, { answer: WRONG, feedback })
  const earlier = whole.lines.map((line) => (line.feedback === undefined ? line : { ...line, feedback, promptHash }))
  const again = await sweep([WRONG, RIGHT], { earlier, config })
  expect(whole.seen).toHaveLength(3)
  expect(again.report.spend.spentUsd).toBeCloseTo(1.5 * whole.report.spend.spentUsd, 12)
  expect(again.report.run.complete).toBe(true)
})

test('a report with second turns comes out again, and one that was tampered with does not', async () => {
  const { corpus, report } = await sweep([UNDEFINED, RIGHT])
  const { fixtures } = await loadCorpus(corpus)
  const plain: Report = JSON.parse(JSON.stringify(report))
  expect(await reverify(engine, fixtures, plain)).toMatchObject({ verdicts: 2, same: 2, findings: [] })
  const [attempt] = plain.attempts
  const changed = (first: object | null) => ({ ...plain, attempts: [{ ...attempt, first }] }) as Report
  const told = await reverify(engine, fixtures, changed({ ...attempt?.first, feedback: 'The answer is 42.' }))
  expect(told.findings).toMatchObject([{ problem: expect.stringContaining('another text') }])
  const hidden = await reverify(engine, fixtures, changed(null))
  expect(hidden.findings.map(({ of }) => of)).toContain(`row ${attempt?.cell}`)
})
