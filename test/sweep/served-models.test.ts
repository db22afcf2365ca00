import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type SubjectOptions, type SweepConfig, sweepFileSchema } from '../../src/config/sweep-config.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { chooseServerIsolation } from '../../src/engine/server-isolation.ts'
import { type AnsweredLine, openJournal } from '../../src/generate/journal.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { listFacts } from '../../src/report/facts.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { runSweep, type SweepEvent } from '../../src/sweep/run-sweep.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { folderWith } from '../models/temp-folder.ts'
import { smallCorpus, temporaryFolder } from './small-corpus.ts'

const script = path.join(import.meta.dirname, '../models/model-server-script.mjs')
const WEIGHTS = 'nova/checkpoint-900/model.safetensors'
const LATER_WEIGHTS = 'nova/checkpoint-1200/model.safetensors'

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

/** Two checkpoints of a run, and the file in which their servers note what they do. */
function mensRuns() {
  const runs = folderWith({ [WEIGHTS]: 'early', [LATER_WEIGHTS]: 'late' })
  const log = path.join(temporaryFolder(), 'log')
  const notes = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [])
  const subject = (checkpoint: string, more = ''): SubjectOptions => ({
    model: 'mens/nova',
    checkpoint,
    'mens-serve': `'${process.execPath}' '${script}' --port {port} --name {checkpoint} --log '${log}' ${more}`,
  })
  return { runs, notes, subject }
}

interface Sweep {
  readonly runs: string
  readonly subjects: readonly SubjectOptions[]
  readonly config?: Partial<SweepConfig>
  readonly corpus?: string
  readonly env?: NodeJS.ProcessEnv
  readonly earlier?: readonly unknown[]
  readonly onEvent?: (event: SweepEvent, cancel: () => void) => void
}

async function sweep({ runs, subjects, config = {}, corpus = smallCorpus(2), env, earlier, onEvent }: Sweep) {
  const journal = path.join(temporaryFolder(), 'attempts.jsonl')
  writeFileSync(journal, (earlier ?? []).map((line) => `${JSON.stringify(line)}\n`).join(''))
  const cancel = new AbortController()
  const warnings: string[] = []
  const whole = { ...sweepFileSchema.parse({ subjects, 'mens-runs': runs, 'mens-ready-s': 20 }), ...config }
  const error = await runSweep(whole, 'run', corpus, {
    loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
    openEngine: async () => ({ ...engine, close: async () => {} }),
    openJournal: () => openJournal(journal),
    env: env ?? { PATH: process.env.PATH },
    signal: cancel.signal,
    onEvent(event) {
      if (event.kind === 'warning') warnings.push(event.text)
      onEvent?.(event, () => cancel.abort())
    },
    ...(earlier === undefined ? {} : { earlier: await joinRecords(earlier) }),
  }).then(
    () => null,
    (caught: unknown) => caught,
  )
  const text = readFileSync(journal, 'utf8')
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return { lines, error, warnings }
}

const answersIn = (lines: readonly unknown[]) =>
  (lines as AnsweredLine[])
    .filter(({ kind }) => kind === 'answered')
    .map(({ attempt, completion }) => ({ attempt, completion }))

/** The notes without the numbers of processes and the names that models are asked for as. */
const shortened = (notes: readonly string[]) => notes.map((note) => note.split(' ').slice(0, 2).join(' '))

// Between choosing a port and listening on it another process may take it: the server is then started again, which the
// notes would show.
test('two checkpoints are served one after the other, each asked for all its samples', { retry: 1 }, async () => {
  const { runs, notes, subject } = mensRuns()
  const { lines, error } = await sweep({
    runs,
    subjects: [subject('900', '--list its-own-name'), subject('checkpoint-1200')],
    config: { n: 2, condition: ['C0', 'C1'], concurrency: 3 },
  })
  expect(error).toBeNull()
  const of = (name: string) => [`start ${name}`, ...Array(8).fill(`ask ${name}`), `term ${name}`, `stop ${name}`]
  expect(shortened(notes())).toEqual([...of('checkpoint-900'), ...of('checkpoint-1200')])
  expect(notes().filter((note) => note === 'ask checkpoint-900 its-own-name')).toHaveLength(8)
  const report = buildReport(await joinRecords(lines))
  expect(report.run.complete).toBe(true)
  expect(report.rows.map(({ subject: id }) => id)).toEqual([
    ...['mens/nova@checkpoint-900', 'mens/nova@checkpoint-900'],
    ...['mens/nova@checkpoint-1200', 'mens/nova@checkpoint-1200'],
  ])
  const completions = answersIn(lines).map(({ completion }) => completion)
  expect(completions.every((each) => each.kind === 'answered' && each.modelReturned === 'mens/nova')).toBe(true)
  const samples = answersIn(lines).map(({ attempt }) => attempt.replace(/^\S+@(\S+) .*(\d)$/, '$1 $2'))
  expect(
    [...samples].sort((a, b) => Number(a.startsWith('checkpoint-1')) - Number(b.startsWith('checkpoint-1'))),
  ).toEqual(samples)
})

test('the report says by which command and with which weights a subject was served', async () => {
  const { runs, subject } = mensRuns()
  const served = subject('900')
  const { lines } = await sweep({ runs, subjects: [served] })
  const report = buildReport(await joinRecords(lines))
  expect(report.plan.subjects).toMatchObject([
    {
      id: 'mens/nova@checkpoint-900',
      checkpoint: 'checkpoint-900',
      endpoint: 'http://127.0.0.1',
      served: { command: served['mens-serve'], weights: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ])
  const weights = report.plan.subjects[0]?.served?.weights ?? ''
  expect(listFacts(report)).toContainEqual([
    'Served',
    `mens/nova@checkpoint-900 by ${served['mens-serve']}, weights ${weights.slice(0, 12)}`,
  ])
})

test('a server that never gets ready stops the run before anything is asked or written', async () => {
  const { runs, notes, subject } = mensRuns()
  const { baseUrl, seen } = await startServer((_request, response) => sendJson(response, 404, {}))
  const { lines, error } = await sweep({
    runs,
    subjects: [subject('900', '--no-models 1'), { model: 'a/b', 'base-url': baseUrl }],
    config: { 'mens-ready-s': 1 },
  })
  expect(error).toMatchObject({
    code: 'infra/serve',
    message: expect.stringMatching(/^mens\/nova@checkpoint-900 cannot be served: the server was not ready within 1 s/),
  })
  expect(lines).toEqual([])
  expect(seen.map(({ url }) => url)).toEqual(['/v1/models'])
  expect(shortened(notes()).at(-1)).toBe('stop checkpoint-900')
})

test('a server that dies is started again twice, then its subject stops and the next one goes on', async () => {
  const { runs, notes, subject } = mensRuns()
  const { lines, error, warnings } = await sweep({
    runs,
    subjects: [subject('900', '--die-after 1'), subject('1200')],
    config: { n: 3, concurrency: 1 },
  })
  expect(error).toBeNull()
  expect(shortened(notes()).filter((note) => note.startsWith('start'))).toEqual([
    ...Array(3).fill('start checkpoint-900'),
    'start checkpoint-1200',
  ])
  expect(warnings).toEqual([
    'mens/nova@checkpoint-900: the server ended with exit code 9; it is started again (1 of 2 times)',
    'mens/nova@checkpoint-900: the server ended with exit code 9; it is started again (2 of 2 times)',
  ])
  const of = (checkpoint: string) => answersIn(lines).filter(({ attempt }) => attempt.includes(checkpoint))
  expect(of('1200').map(({ completion }) => completion.kind)).toEqual(Array(6).fill('answered'))
  const [first, second, third, fourth, ...others] = of('900').map(({ completion }) => completion)
  expect([first?.kind, second?.kind, third?.kind]).toEqual(Array(3).fill('answered'))
  expect(fourth).toMatchObject({
    kind: 'infra-error',
    class: 'unreachable',
    message: expect.stringMatching(
      /^the server ended with exit code 9\ncommand: [\s\S]*\n {2}out of memory in checkpoint-900$/,
    ),
  })
  expect(others).toEqual(
    Array(2).fill({
      kind: 'not-attempted',
      why: 'subject-stopped',
      message: 'this subject is asked no more: the server ended with exit code 9',
    }),
  )
  const [row] = buildReport(await joinRecords(lines)).rows
  expect(row?.attempts).toMatchObject({ infraErrors: { unreachable: 1 }, notAttempted: { 'subject-stopped': 2 } })
})

test('a second server that cannot be started stops its subject alone', async () => {
  const { runs, subject } = mensRuns()
  const { lines, error } = await sweep({ runs, subjects: [subject('900'), subject('1200', '--exit 3')] })
  expect(error).toBeNull()
  expect(answersIn(lines).map(({ attempt, completion }) => [attempt.includes('900'), completion.kind])).toEqual([
    [true, 'answered'],
    [true, 'answered'],
    [false, 'infra-error'],
    [false, 'not-attempted'],
  ])
})

describe('a checkpoint that changes during the run', () => {
  const kindsOf = (lines: readonly unknown[], label: string) =>
    answersIn(lines).flatMap(({ attempt, completion }) => (attempt.includes(label) ? [completion.kind] : []))

  test('before its turn is not served: no answer is journaled as of the weights that were read', async () => {
    const { runs, notes, subject } = mensRuns()
    const { lines, error } = await sweep({
      runs,
      subjects: [subject('900'), subject('1200')],
      onEvent: ({ kind }) => kind === 'preflight' && appendFileSync(path.join(runs, LATER_WEIGHTS), 'trained further'),
    })
    expect(error).toBeNull()
    expect(kindsOf(lines, '900')).toEqual(['answered', 'answered'])
    expect(kindsOf(lines, '1200')).toEqual(['infra-error', 'not-attempted'])
    expect(JSON.stringify(answersIn(lines))).toMatch(/checkpoint-1200 changed .*: model\.safetensors is another file/)
    expect(shortened(notes()).filter((note) => note.includes('1200'))).toEqual([])
    expect(buildReport(await joinRecords(lines)).run.complete).toBe(false)
  })

  test('while it is asked ends its subject: the answers from then on do not count', async () => {
    const { runs, subject } = mensRuns()
    const { lines, error } = await sweep({
      runs,
      subjects: [subject('900')],
      config: { n: 5, concurrency: 1 },
      onEvent: ({ kind }) => kind === 'attempt' && writeFileSync(path.join(runs, WEIGHTS), 'later'),
    })
    expect(error).toBeNull()
    const kinds = kindsOf(lines, '900')
    expect([kinds[0], kinds.at(-1)]).toEqual(['answered', 'not-attempted'])
    expect(kinds.filter((kind) => kind === 'infra-error')).toHaveLength(1)
    expect(buildReport(await joinRecords(lines)).run.complete).toBe(false)
  })
})

test('other endpoints are asked while a model is served', async () => {
  const { runs, subject } = mensRuns()
  const hold = path.join(temporaryFolder(), 'hold')
  const { baseUrl } = await startServer(({ url }, response, number) => {
    if (url === '/v1/models') return sendJson(response, 404, {})
    // The served model answers once all others are answered.
    if (number === 3) writeFileSync(hold, '')
    sendJson(response, 200, chatCompletion('no'))
  })
  const { lines, error } = await sweep({
    runs,
    subjects: [subject('900', `--hold '${hold}'`), { model: 'a/b', 'base-url': baseUrl }],
    config: { concurrency: 1 },
  })
  expect(error).toBeNull()
  expect(answersIn(lines).map(({ completion }) => completion.kind)).toEqual(Array(4).fill('answered'))
})

test('a model with a second turn is asked for it while its own server is up', async () => {
  const { runs, notes, subject } = mensRuns()
  const { lines, error } = await sweep({
    runs,
    // Code that lexes and is wrong, so that there is something to say of it.
    subjects: ['900', '1200'].map((label) => ({ ...subject(label, "--answer '```vox\nfn x( {\n```'"), fix: true })),
  })
  expect(error).toBeNull()
  expect(answersIn(lines).length).toBeGreaterThanOrEqual(8)
  expect(shortened(notes()).filter((note) => note.startsWith('start'))).toEqual([
    'start checkpoint-900',
    'start checkpoint-1200',
  ])
})

test('when the run is cancelled the server is stopped, and no other is started', async () => {
  const { runs, notes, subject } = mensRuns()
  const { lines, error } = await sweep({
    runs,
    subjects: [subject('900'), subject('1200')],
    config: { n: 5, concurrency: 1 },
    onEvent: (event, cancel) => event.kind === 'attempt' && cancel(),
  })
  expect(error).toBeNull()
  expect(lines.at(-1)).toMatchObject({ kind: 'ended', stoppedBecause: 'the run was cancelled' })
  const starts = shortened(notes()).filter((note) => /^(start|stop) /.test(note))
  expect(starts).toEqual(['start checkpoint-900', 'stop checkpoint-900'])
})

describe('resumed', () => {
  /** A run of which one answer is left to be given. */
  async function interrupted() {
    const all = mensRuns()
    const corpus = smallCorpus(2)
    const subjects = [all.subject('900')]
    const { lines } = await sweep({ runs: all.runs, corpus, subjects })
    const [, last] = answersIn(lines)
    const earlier = lines.filter(({ kind, attempt }) => kind !== 'ended' && attempt !== last?.attempt)
    return { ...all, corpus, subjects, earlier }
  }

  test('the same weights and command are the same plan: only what is left is asked', async () => {
    const { runs, corpus, subjects, earlier, notes } = await interrupted()
    const before = notes().length
    const { error } = await sweep({ runs, corpus, subjects, earlier })
    expect(error).toBeNull()
    expect(shortened(notes().slice(before)).filter((note) => note.startsWith('ask'))).toHaveLength(1)
  })

  test('no server is started of a subject whose answers are all kept; that of the next one is', async () => {
    const { runs, notes, subject } = mensRuns()
    const corpus = smallCorpus(2)
    const subjects = [subject('900'), subject('1200')]
    const { lines } = await sweep({ runs, corpus, subjects })
    const earlier = lines.filter(({ kind, attempt = '' }) => kind !== 'ended' && !attempt.includes('1200'))
    const before = notes().length
    expect((await sweep({ runs, corpus, subjects, earlier })).error).toBeNull()
    const starts = shortened(notes().slice(before)).filter((note) => note.startsWith('start'))
    expect(starts).toEqual(['start checkpoint-1200'])
  })

  test('other weights are another plan', async () => {
    const { runs, corpus, subjects, earlier, notes } = await interrupted()
    const before = notes().length
    appendFileSync(path.join(runs, WEIGHTS), 'trained further')
    const { error } = await sweep({ runs, corpus, subjects, earlier })
    expect(error).toMatchObject({
      code: 'resume/other-plan',
      message: expect.stringMatching(
        /subject mens\/nova@checkpoint-900: its checkpoint has other weights \(sha256 was [0-9a-f]{12}, is/,
      ),
    })
    expect(notes().length).toBe(before)
  })

  test('another command is another plan', async () => {
    const { runs, corpus, subject, earlier } = await interrupted()
    const { error } = await sweep({ runs, corpus, subjects: [subject('900', '--answer yes')], earlier })
    expect(error).toMatchObject({
      code: 'resume/other-plan',
      message: expect.stringContaining('subject mens/nova@checkpoint-900: it is served by another command (was '),
    })
  })
})

describe('a response store', () => {
  test('answers by weights and command, whatever the port', async () => {
    const { runs, notes, subject } = mensRuns()
    const corpus = smallCorpus(2)
    const config = { 'response-store': temporaryFolder() }
    const asks = () => notes().filter((note) => note.startsWith('ask')).length
    await sweep({ runs, corpus, subjects: [subject('900')], config })
    const { lines } = await sweep({ runs, corpus, subjects: [subject('900')], config })
    expect(answersIn(lines)).toMatchObject(Array(2).fill({ completion: { stored: true } }))
    expect(asks()).toBe(2)
    appendFileSync(path.join(runs, WEIGHTS), 'trained further')
    await sweep({ runs, corpus, subjects: [subject('900')], config })
    expect(asks()).toBe(4)
  })
})

const isIsolated = (await chooseServerIsolation({ PATH: process.env.PATH ?? '' })).kind === 'process namespace'

test.skipIf(!isIsolated)('a served model finds no key of ours, neither given nor in /proc', async () => {
  const { runs, subject } = mensRuns()
  const canary = `canary-${process.pid}-of-the-served-models-test`
  const bearer = spawn('sleep', ['600'], { env: { PATH: process.env.PATH ?? '', MODEL_API_KEY: canary } })
  onTestFinished(() => void bearer.kill('SIGKILL'))
  await once(bearer, 'spawn')
  expect(readFileSync(`/proc/${bearer.pid}/environ`, 'utf8')).toContain(canary)
  const [scan, environment] = ['scan', 'environment'].map((name) => path.join(temporaryFolder(), name))
  const { error } = await sweep({
    runs,
    subjects: [subject('900', `--scan '${scan}' --needle ${canary} --environment '${environment}'`)],
    env: { PATH: process.env.PATH, OPENROUTER_API_KEY: canary, CUDA_VISIBLE_DEVICES: '0' },
  })
  expect(error).toBeNull()
  expect(JSON.parse(readFileSync(scan ?? '', 'utf8')).found).toEqual([])
  const seen = readFileSync(environment ?? '', 'utf8')
  expect([seen.includes('CUDA_VISIBLE_DEVICES'), seen.includes(canary)]).toEqual([true, false])
})

describe('where no process namespace works', () => {
  const env = { PATH: '/nowhere' }

  test('sandbox "require" refuses to serve', async () => {
    const { runs, notes, subject } = mensRuns()
    const { error, lines } = await sweep({ runs, subjects: [subject('900')], config: { sandbox: 'require' }, env })
    expect(error).toMatchObject({ code: 'infra/serve-isolation' })
    expect([lines, notes()]).toEqual([[], []])
  })

  test.each([
    { sandbox: 'best', warnings: [expect.stringContaining('can read the environment of this process')] },
    { sandbox: 'off', warnings: [] },
  ] as const)('sandbox "$sandbox" serves', async ({ sandbox, warnings: expected }) => {
    const { runs, subject } = mensRuns()
    const { error, warnings } = await sweep({ runs, subjects: [subject('900')], config: { sandbox }, env })
    expect([error, warnings]).toEqual([null, expected])
  })
})
