import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Report } from '../../src/report/schema.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { damage, smallCorpus, temporaryFolder } from '../sweep/small-corpus.ts'
import { buildCli } from './built-cli.ts'
import { startNode } from './cli-process.ts'

vi.setConfig({ testTimeout: 120_000 })

let cli: string

beforeAll(async () => {
  cli = path.join(await buildCli(), 'cli.js')
})

const ATTEMPTS = 6

interface Asked {
  readonly seed: number
  readonly temperature: number
}

/** A folder, a corpus of two problems, an endpoint that can be told what to do, and runs of three samples over them. */
async function stand() {
  const folder = temporaryFolder()
  const corpus = smallCorpus(2)
  const asked: Asked[] = []
  const endpoint = {
    /** Whether a request is answered; one that is not gets an error of the server, or nothing at all. */
    onAsked: (_count: number): 'answer' | 'fail' | 'hang' => 'answer',
  }
  const { baseUrl } = await startServer(({ url, text }, response) => {
    if (url === '/v1/models') return sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
    asked.push(JSON.parse(text))
    const deed = endpoint.onAsked(asked.length)
    if (deed === 'fail') sendJson(response, 400, { error: { message: 'not today' } })
    if (deed === 'answer') {
      const usage = { prompt_tokens: 100, completion_tokens: 10 }
      sendJson(response, 200, chatCompletion('I cannot say.', { usage }))
    }
  })
  const env = { MY_KEY: 'sk-secret-0123456789', XDG_CACHE_HOME: path.join(folder, 'cache') }
  const start = (...args: string[]) => startNode([cli, ...args], { cwd: folder, env })
  const options = [
    ...['--model', 'a/b', '--base-url', baseUrl, '--api-key-env', 'MY_KEY', '--corpus', corpus, '--n', '3'],
    ...['--concurrency', '1', '--retries', '0', '--prompt-usd-per-m', '1', '--completion-usd-per-m', '2'],
    ...['--max-spend-usd', '9', '--output', 'out'],
  ]
  return {
    ...{ folder, corpus, asked, endpoint },
    run: (...more: string[]) => start('run', ...options, ...more),
    resume: (directory = 'out', ...more: string[]) => start('resume', directory, ...more).result,
    report: (name = 'out/report.json'): Report => JSON.parse(readFileSync(path.join(folder, name), 'utf8')),
    /** A run that is killed at its third request. */
    async runAndKill(...more: string[]) {
      const { child, result } = start('run', ...options, ...more)
      endpoint.onAsked = (count) => {
        if (count < 3) return 'answer'
        child.kill('SIGKILL')
        return 'hang'
      }
      await result
      endpoint.onAsked = () => 'answer'
    },
  }
}

test('a crash, a rerun without resume, then resume: exactly the planned attempts, and the crashed run is still to be had', async () => {
  const { run, runAndKill, resume, report, asked } = await stand()
  await runAndKill()
  expect(asked).toHaveLength(3)
  expect((await run().result).code).toBe(0)
  expect(asked).toHaveLength(3 + ATTEMPTS)
  const again = await resume()
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to resume')])
  expect(asked).toHaveLength(3 + ATTEMPTS)
  expect(report()).toMatchObject({ run: { complete: true, resumed: 0 }, rows: [{ attempts: { judged: ATTEMPTS } }] })
  expect(report().attempts).toHaveLength(ATTEMPTS)

  expect((await resume('out/earlier-1')).code).toBe(0)
  const old = report('out/earlier-1/report.json')
  expect(old.run).toMatchObject({ complete: true, resumed: 1 })
  expect(old.attempts).toHaveLength(ATTEMPTS)
  expect(asked).toHaveLength(3 + ATTEMPTS + ATTEMPTS - 2)
})

test('what a run was configured with is for its user alone', async () => {
  const { run, folder } = await stand()
  await run().result
  expect(statSync(path.join(folder, 'out/sweep.json')).mode & 0o777).toBe(0o600)
})

test('what met infra errors is asked again, what was answered is not', async () => {
  const { run, resume, report, asked, endpoint } = await stand()
  endpoint.onAsked = (count) => (count % 2 === 0 ? 'fail' : 'answer')
  expect((await run().result).code).toBe(4)
  const failed = asked.filter((_, index) => index % 2 === 1).map(({ seed }) => seed)
  endpoint.onAsked = () => 'answer'
  const { code, stderr } = await resume('out', '--concurrency', '2')
  expect([code, stderr]).toEqual([0, expect.stringContaining('resumed: 3 answers kept')])
  const again = asked.slice(ATTEMPTS).map(({ seed }) => seed)
  expect(again.sort()).toEqual(failed.sort())
  expect(report().run).toMatchObject({ complete: true, resumed: 1 })
  expect(report().spend).toMatchObject({ spentUsd: expect.closeTo((ATTEMPTS * (100 + 2 * 10)) / 1e6, 12) })
})

test('a cancelled run goes on, and is cancelled and goes on once more', async () => {
  const { run, resume, report, asked, endpoint, folder } = await stand()
  const { child, result } = run()
  endpoint.onAsked = (count) => {
    if (count === 3) child.kill('SIGTERM')
    return count === 3 ? 'hang' : 'answer'
  }
  expect((await result).code).toBe(4)
  const again = startNode([cli, 'resume', 'out'], { cwd: folder, env: { MY_KEY: 'k' } })
  endpoint.onAsked = (count) => {
    if (count === 5) again.child.kill('SIGTERM')
    return count === 5 ? 'hang' : 'answer'
  }
  expect((await again.result).code).toBe(4)
  endpoint.onAsked = () => 'answer'
  expect((await resume()).code).toBe(0)
  expect(report().run).toMatchObject({ complete: true, resumed: 2 })
  expect(asked).toHaveLength(ATTEMPTS + 2)
})

test('what was reserved at a kill counts against the cap, whatever it is resumed for', async () => {
  const { runAndKill, resume, report, asked } = await stand()
  // Room for the worst case of one request beside the answers, and not of two.
  await runAndKill('--max-spend-usd', '0.06')
  for (const resumed of [1, 2]) {
    expect((await resume()).code).toBe(4)
    expect(report().run).toMatchObject({ resumed, endedBecause: 'the spend cap was reached' })
    expect(report().spend.spentUsd).toBeGreaterThan(0.03)
    expect(report().spend.spentUsd).toBeLessThanOrEqual(0.06)
  }
  expect(asked).toHaveLength(3)
  expect(report().rows[0]?.attempts).toMatchObject({ judged: 2, notAttempted: { 'spend-cap': ATTEMPTS - 2 } })
})

test.each<[string, string, (changed: { folder: string; corpus: string }) => void]>([
  [
    'problem',
    'prompt 001',
    ({ corpus }) => damage(corpus, 'problems/001-luggage-tag.spec.toml', 'A machine prints', 'A device prints'),
  ],
  [
    'assertion',
    'corpus, hash',
    ({ corpus }) => damage(corpus, 'problems/002-shuttle-wait/tests.vox', '400) == 150', '400) == 151'),
  ],
  ['help text', 'condition file:help.md', ({ folder }) => writeFileSync(path.join(folder, 'help.md'), 'Other words.')],
  ['model', 'subject', ({ folder }) => damage(folder, 'out/sweep.json', '"model": "a/b"', '"model": "a/c"')],
  ['setting', 'temperature', ({ folder }) => damage(folder, 'out/sweep.json', '"n": 3', '"n": 1')],
])('another %s never gets the old answers', async (_, named, change) => {
  const { folder, corpus, asked, runAndKill, resume } = await stand()
  writeFileSync(path.join(folder, 'help.md'), 'Some words.')
  await runAndKill('--condition', 'file:help.md')
  const journal = readFileSync(path.join(folder, 'out/attempts.jsonl'), 'utf8')
  change({ folder, corpus })
  const { code, stderr } = await resume()
  expect([code, stderr]).toEqual([2, expect.stringContaining('resume/other-plan')])
  expect(stderr).toContain(named)
  expect(asked).toHaveLength(3)
  expect(readFileSync(path.join(folder, 'out/attempts.jsonl'), 'utf8')).toBe(journal)
})

test('the configuration beside the journal names the variable of the key, never the key', async () => {
  const { folder, run } = await stand()
  await run().result
  const sweep = readFileSync(path.join(folder, 'out/sweep.json'), 'utf8')
  expect(sweep).toContain('"MY_KEY"')
  for (const name of readdirSync(path.join(folder, 'out')))
    expect(readFileSync(path.join(folder, 'out', name), 'utf8')).not.toContain('sk-secret')
})

test('a run can be moved and resumed from another folder; its report keeps its name', async () => {
  const { folder, corpus, runAndKill, resume } = await stand()
  await runAndKill('--output', 'named/x.json', '--corpus', path.relative(folder, corpus))
  const { code } = await startNode([cli, 'resume', path.join(folder, 'named')], { cwd: corpus, env: { MY_KEY: 'k' } })
    .result
  expect(code).toBe(0)
  expect(JSON.parse(readFileSync(path.join(folder, 'named/x.json'), 'utf8')).run).toMatchObject({ resumed: 1 })
  expect(existsSync(path.join(folder, 'named/report.json'))).toBe(false)
  expect((await resume('named')).stderr).toContain('Nothing to resume')
})

test('half a line of the killed run is passed over, and the journal can be read ever after', async () => {
  const { folder, runAndKill, resume, report } = await stand()
  await runAndKill()
  const journal = path.join(folder, 'out/attempts.jsonl')
  writeFileSync(journal, `${readFileSync(journal, 'utf8')}{"kind":"answered","at":"2026`)
  expect((await resume()).code).toBe(0)
  expect(report().attempts).toHaveLength(ATTEMPTS)
  const first = report()
  await startNode([cli, 'report', 'out'], { cwd: folder }).result
  expect(report()).toEqual(first)
})

test('a run that was killed before its plan was whole on the disk begins anew', async () => {
  const { folder, runAndKill, resume, report, asked } = await stand()
  await runAndKill()
  const journal = path.join(folder, 'out/attempts.jsonl')
  writeFileSync(journal, readFileSync(journal, 'utf8').slice(0, 500))
  expect((await resume()).code).toBe(0)
  expect(asked).toHaveLength(3 + ATTEMPTS)
  expect(report()).toMatchObject({ run: { complete: true, resumed: 0 }, rows: [{ attempts: { judged: ATTEMPTS } }] })
})

test('the month has each dollar once: what was settled, and what was under way at the kill', async () => {
  const { folder, runAndKill, resume, report } = await stand()
  await runAndKill('--max-spend-usd-per-month', '9', '--spend-file', 'book.jsonl')
  expect((await resume()).code).toBe(0)
  const open = new Map<string, number>()
  let usd = 0
  for (const line of readFileSync(path.join(folder, 'book.jsonl'), 'utf8').trimEnd().split('\n')) {
    const entry = JSON.parse(line)
    const name = `${entry.run} ${entry.attempt}`
    if (entry.kind === 'reserved') open.set(name, entry.usd)
    else {
      open.delete(name)
      usd += entry.usd
    }
  }
  expect(open.size).toBe(1)
  const spend = report().spend
  expect(spend).toMatchObject({ isUpperBound: true, spentUsd: expect.closeTo(usd + [...open.values()][0]!, 12) })
})

test('a run that is still alive is not resumed', async () => {
  const { run, resume, endpoint } = await stand()
  const { child, result } = run()
  const isAsked = new Promise<void>((done) => {
    endpoint.onAsked = () => {
      done()
      return 'hang'
    }
  })
  await isAsked
  const { code, stderr } = await resume()
  child.kill('SIGKILL')
  await result
  expect([code, stderr]).toEqual([2, expect.stringContaining('output/in-use')])
})

test.each([
  ['a folder without a run', ['.'], 'resume/no-sweep'],
  ['a folder that is not there', ['nowhere'], 'usage/no-folder'],
  ['an option that is no number', ['out', '--retries', 'many'], 'config/invalid'],
  ['an option out of range', ['out', '--concurrency', '0'], '--concurrency'],
])('%s is refused', async (_, args, problem) => {
  const { runAndKill, resume } = await stand()
  await runAndKill()
  const { code, stderr } = await resume(...(args as [string]))
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
})

test('with a response store, identical requests are not sent twice unless asked for', async () => {
  const { folder, run, report, asked } = await stand()
  const store = ['--response-store', 'kept']
  expect((await run(...store).result).code).toBe(0)
  expect(asked).toHaveLength(ATTEMPTS)
  const first = report().attempts.map(({ verification }) => verification)
  expect((await run(...store).result).code).toBe(0)
  expect(asked).toHaveLength(ATTEMPTS)
  expect(report().attempts.map(({ verification }) => verification)).toEqual(first)
  expect(report().spend.spentUsd).toBe(0)
  expect(readFileSync(path.join(folder, 'out/summary.md'), 'utf8')).toContain('6 of 6 attempts had their answer from')
  expect((await run(...store, '--fresh').result).code).toBe(0)
  expect(asked).toHaveLength(2 * ATTEMPTS)
  expect((await run(...store, '--temperature', '0.9').result).code).toBe(0)
  expect(asked).toHaveLength(3 * ATTEMPTS)
})

test('an endpoint of this machine, which may serve another checkpoint tomorrow, has no store unless asked for', async () => {
  const { folder, run } = await stand()
  expect((await run().result).code).toBe(0)
  expect(existsSync(path.join(folder, 'cache/vox-efficacy/responses'))).toBe(false)
})
