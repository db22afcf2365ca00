import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { openEvents } from '../../src/cli/event-sink.ts'
import { eventSchema, type StreamEvent } from '../../src/cli/events.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { prepareOutput } from '../../src/sweep/output-folder.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { damage, smallCorpus, temporaryFolder } from '../sweep/small-corpus.ts'
import { buildCli } from './built-cli.ts'
import { type CliResult, startNode } from './cli-process.ts'
import { Screen } from './screen.ts'

vi.setConfig({ testTimeout: 120_000 })

let cli: string

beforeAll(async () => {
  cli = path.join(await buildCli(), 'cli.js')
})

/** Every field that is not described fails, too. */
const strictSchema = z.union(eventSchema.options.map((option) => option.strict()))

function eventsIn(text: string): StreamEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => strictSchema.parse(JSON.parse(line)))
}

const MARK = 'never_shown_to_programs'

/** A run of three samples over two problems; requests whose number is in `failing` fail, and answers wait for `until`. */
async function stand({ failing = [] as number[], until = Promise.resolve() } = {}) {
  const folder = temporaryFolder()
  const corpus = smallCorpus(2)
  const { baseUrl } = await startServer(async ({ url }, response, number) => {
    if (url === '/v1/models') return sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
    await until
    if (failing.includes(number)) return sendJson(response, 400, { error: { message: MARK } })
    const usage = { prompt_tokens: 100, completion_tokens: 10 }
    const program = `\`\`\`vox\nfn luggage_tag(${MARK}: int) to int { ret ${MARK} + "a" }\n\`\`\``
    sendJson(response, 200, chatCompletion(program, { usage }))
  })
  const options = [
    ...['run', '--model', 'a/b', '--base-url', baseUrl, '--corpus', corpus, '--n', '3', '--concurrency', '1'],
    ...['--prompt-usd-per-m', '1', '--completion-usd-per-m', '2', '--retries', '0', '--max-spend-usd', '9'],
    ...['--output', 'out'],
  ]
  const env = { XDG_CACHE_HOME: path.join(folder, 'cache') }
  const start = (...args: string[]) => startNode([cli, ...args], { cwd: folder, env })
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  return {
    ...{ folder, corpus, start, read },
    run: (...more: string[]): Promise<CliResult> => start(...options, ...more).result,
    options,
    reportOf: () => JSON.parse(read('out/report.json')),
  }
}

const onceUsd = (100 + 2 * 10) / 1e6

test('a file gets every event of a run, in the shape that is described', async () => {
  const { run, read, reportOf } = await stand()
  const { code, stdout } = await run('--events', 'events.jsonl')
  expect(code).toBe(0)
  expect(stdout).toContain('Written:')
  const events = eventsIn(read('events.jsonl'))
  expect(events.map(({ event }) => event)).toEqual(['planned', 'preflight', ...Array(6).fill('attempt'), 'ended'])
  expect(events[0]).toMatchObject({ v: 1, cells: [{ id: 'a/b C1' }], fixtures: ['001', '002'], total: 6, capUsd: 9 })
  expect(events[1]).toMatchObject({ references: 2, failures: 0 })
  expect(events[7]).toMatchObject({
    ...{ cell: 'a/b C1', outcome: 'answered', infraClass: null, turns: 1, isAsked: true, done: 6, total: 6 },
    verdict: { kind: expect.any(String), class: expect.any(String) },
    tokens: { prompt: 100, completion: 10, reasoning: null },
    latencyMs: expect.any(Number),
    costUsd: expect.closeTo(onceUsd, 12),
    spentUsd: expect.closeTo(6 * onceUsd, 12),
    cellSpentUsd: expect.closeTo(6 * onceUsd, 12),
  })
  const { spentUsd } = reportOf().spend
  expect(events[8]).toMatchObject({ complete: true, endedBecause: null, error: null, done: 6, total: 6, spentUsd })
})

test('verdicts and samples of the events are those of the report', async () => {
  const { run, read, reportOf } = await stand()
  await run('--events', 'events.jsonl')
  const told = eventsIn(read('events.jsonl')).flatMap((each) =>
    each.event === 'attempt' ? [`${each.cell} / ${each.fixture} / ${each.sample}: ${each.verdict?.kind}`] : [],
  )
  const reported: { attempt: string; verification: { verdict: { kind: string } } }[] = reportOf().attempts
  expect(told.sort()).toEqual(
    reported.map(({ attempt, verification }) => `${attempt}: ${verification.verdict.kind}`).sort(),
  )
})

test('no program and no diagnostic is in them', async () => {
  const { run, read } = await stand({ failing: [3] })
  await run('--events', 'events.jsonl')
  expect(read('out/attempts.jsonl')).toContain(MARK)
  expect(read('events.jsonl')).not.toContain(MARK)
})

test('an infra error has its class, and no cost that nobody told', async () => {
  const { run, read } = await stand({ failing: [3] })
  expect((await run('--events', 'events.jsonl')).code).toBe(4)
  const events = eventsIn(read('events.jsonl'))
  const failed = events.filter((each) => each.event === 'attempt' && each.outcome === 'infra-error')
  expect(failed).toMatchObject([{ infraClass: 'request', verdict: null, costUsd: null, tokens: { prompt: null } }])
  expect(events.at(-1)).toMatchObject({
    event: 'ended',
    complete: false,
    endedBecause: expect.any(String),
    error: null,
  })
})

test('on standard output nothing else is, and the summary is on standard error', async () => {
  const { run } = await stand()
  const { code, stdout, stderr } = await run('--events', '-')
  expect(code).toBe(0)
  expect(eventsIn(stdout)).toHaveLength(9)
  expect(stderr).toContain('Written:')
  expect(stderr).toContain('check accepts')
})

test('a run that is refused by its preflight ends the stream with the code', async () => {
  const { run, read, corpus } = await stand()
  damage(corpus, 'problems/002-shuttle-wait/tests.vox', '400) == 150', '400) == 151')
  expect((await run('--events', 'events.jsonl')).code).toBe(3)
  const events = eventsIn(read('events.jsonl'))
  expect(events.map(({ event }) => event)).toEqual(['planned', 'preflight', 'ended'])
  expect(events.at(-1)).toMatchObject({ complete: false, error: 'infra/preflight', done: 0, total: 6 })
})

test('a run that is resumed appends to the file, with what was spent before', async () => {
  const { run, start, read } = await stand({ failing: [3] })
  await run('--events', 'events.jsonl')
  const { code } = await start('resume', 'out', '--events', 'events.jsonl').result
  expect(code).toBe(0)
  const events = eventsIn(read('events.jsonl'))
  const again = events.slice(events.findLastIndex(({ event }) => event === 'planned'))
  expect(again[0]).toMatchObject({ kept: 5, spentUsd: expect.closeTo(5 * onceUsd, 12) })
  const attempts = again.filter((each) => each.event === 'attempt')
  expect(attempts.map(({ isAsked }) => isAsked).sort()).toEqual([false, false, false, false, false, true])
  expect(again.at(-1)).toMatchObject({ complete: true, done: 6, spentUsd: expect.closeTo(6 * onceUsd, 12) })
})

test('half a line that a killed run left is closed', async () => {
  const { run, read, folder } = await stand()
  writeFileSync(path.join(folder, 'events.jsonl'), '{"v":1,"event":"pla')
  await run('--events', 'events.jsonl')
  const [torn, ...lines] = read('events.jsonl').split('\n')
  expect(torn).toBe('{"v":1,"event":"pla')
  expect(eventsIn(lines.join('\n'))).toHaveLength(9)
})

test.each([1, 2, 3, 4])('a file of which a killed run left only %i bytes is begun anew', async (bytes) => {
  const { run, read, folder } = await stand()
  writeFileSync(path.join(folder, 'events.jsonl'), '{"v":1'.slice(0, bytes))
  expect((await run('--events', 'events.jsonl')).stderr).not.toContain('usage/events')
  expect(eventsIn(read('events.jsonl'))).toHaveLength(9)
})

test.each([
  ['something else than events', 'notes.txt', 'holds something else'],
  ['the journal of the run', 'out/attempts.jsonl', 'a file of the run has that name'],
  ['the report of the run', 'out/report.json', 'a file of the run has that name'],
  ['a file in a folder that is not there', 'missing/events.jsonl', 'no such file'],
])('%s is refused before anything is asked', async (_what, target, problem) => {
  const { run, folder, read } = await stand()
  writeFileSync(path.join(folder, 'notes.txt'), 'mine')
  const { code, stderr } = await run('--events', target)
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  expect(stderr).toContain('usage/events')
  expect(read('notes.txt')).toBe('mine')
  expect(existsSync(path.join(folder, 'out/attempts.jsonl'))).toBe(false)
})

test.runIf(existsSync('/dev/full'))('a full disk is told once, and the run goes on', async () => {
  const { run, reportOf } = await stand()
  const { code, stderr } = await run('--events', '/dev/full')
  expect(code).toBe(0)
  expect(stderr.match(/events cannot be written/g)).toHaveLength(1)
  expect(reportOf().run.complete).toBe(true)
})

test('a reader that goes away is told once, and the run goes on', async () => {
  const { start, options, reportOf } = await stand()
  const { child, result } = start(...options, '--events', '-')
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { code, stderr } = await result
  expect(code).toBe(0)
  expect(stderr.match(/events cannot be written/g)).toHaveLength(1)
  expect(stderr).toContain('Written:')
  expect(reportOf().run.complete).toBe(true)
})

test('a run whose results nobody reads goes on to its end', async () => {
  const { start, options, reportOf } = await stand()
  const { child, result } = start(...options)
  child.stdout?.destroy()
  expect((await result).code).toBe(0)
  expect(reportOf().run.complete).toBe(true)
})

test('the end names the run as its report does', async () => {
  const { run, read, reportOf } = await stand()
  await run('--events', 'events.jsonl')
  expect(eventsIn(read('events.jsonl')).at(-1)).toMatchObject({ event: 'ended', run: reportOf().run.id })
})

test('a start that is refused because another run has the folder adds nothing to its events', async () => {
  const { until, open } = gate()
  const { run, start, options, read } = await stand({ until })
  const { result } = start(...options, '--events', 'events.jsonl')
  await vi.waitFor(() => expect(read('events.jsonl')).toContain('preflight'), { timeout: 60_000 })
  const refused = await run('--events', 'events.jsonl')
  open()
  expect((await result).code).toBe(0)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('output/in-use')])
  const events = eventsIn(read('events.jsonl'))
  expect(events.map(({ event }) => event)).toEqual(['planned', 'preflight', ...Array(6).fill('attempt'), 'ended'])
  expect(events.at(-1)).toMatchObject({ complete: true, error: null })
})

function gate() {
  let open = () => {}
  const until = new Promise<void>((done) => {
    open = done
  })
  return { until, open }
}

test('an interruption before there is a plan leaves the folder to others', async () => {
  const { start, options, folder } = await stand()
  const vox = path.join(folder, 'slow-vox')
  writeFileSync(vox, '#!/bin/sh\nexec sleep 10\n', { mode: 0o755 })
  const { child, result } = start(...options, '--engine', 'vox', '--vox', vox)
  const lock = path.join(folder, 'out/.run.lock')
  await vi.waitFor(() => expect(existsSync(lock)).toBe(true), { timeout: 9_000 })
  child.kill('SIGINT')
  expect((await result).code).toBe(130)
  expect(existsSync(lock)).toBe(false)
})

function fifoIn(folder: string): string {
  const fifo = path.join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  return fifo
}

test.skipIf(process.platform === 'win32')('a pipe that nobody reads is refused rather than waited for', async () => {
  const { start, options, folder } = await stand()
  const { child, result } = start(...options, '--events', fifoIn(folder))
  onTestFinished(() => void child.kill('SIGKILL'))
  const { code, stderr } = await result
  expect([code, stderr]).toEqual([2, expect.stringContaining('nobody reads this pipe yet')])
  expect(stderr).toContain('usage/events')
})

test.skipIf(process.platform === 'win32')('a pipe with a reader gets every event', async () => {
  const { run, read, folder } = await stand()
  const fifo = fifoIn(folder)
  const reader = spawn('sh', ['-c', 'cat "$0" > read.jsonl', fifo], { cwd: folder })
  const over = once(reader, 'close')
  expect((await run('--events', fifo)).code).toBe(0)
  await over
  expect(eventsIn(read('read.jsonl'))).toHaveLength(9)
})

test.skipIf(process.platform === 'win32')('a slow reader of a pipe loses nothing', async () => {
  const folder = temporaryFolder()
  const fifo = fifoIn(folder)
  const reader = spawn('sh', ['-c', 'exec < "$0"; sleep 0.5; cat > read.jsonl', fifo], { cwd: folder })
  const over = once(reader, 'close')
  const screen = new Screen(80, 10)
  const stdout = screen as unknown as NodeJS.WriteStream
  const streams = { stdout, terminal: createTerminal(stdout, stdout, {}) }
  const output = await prepareOutput(path.join(folder, 'out'))
  const { sink } = await vi.waitFor(() => openEvents(fifo, output, streams), { timeout: 10_000 })
  // More than a pipe holds.
  const lines = Array.from({ length: 300 }, (_, number) => `${number} ${'x'.repeat(1000)}`)
  for (const line of lines) sink?.write(line)
  sink?.close()
  await over
  expect(readFileSync(path.join(folder, 'read.jsonl'), 'utf8')).toBe(`${lines.join('\n')}\n`)
  expect(screen.shown).toEqual([''])
})
