import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Report } from '../../src/report/schema.ts'
import { reportOf, runIn } from '../../src/sweep/report-files.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { referenceOf, smallCorpus, temporaryFolder } from '../sweep/small-corpus.ts'
import { buildCli } from './built-cli.ts'
import { startNode } from './cli-process.ts'

vi.setConfig({ testTimeout: 1_800_000 })

/** SIGKILLs in all; the whole measure is 200. */
const KILLS = Number(process.env.VOX_KILLS ?? 25)
const CONCURRENCY = 3
const SAMPLES = 6

const references = ['001-luggage-tag', '002-shuttle-wait'].map(referenceOf)

/** What a model says to a request, always the same to the same: right, wrong, or no program. */
function answerTo(body: string): string {
  const choice = createHash('sha256').update(body).digest()[0] ?? 0
  const [first = '', second = ''] = body.includes('luggage_tag') ? references : references.toReversed()
  const program = [first, second, first.replaceAll(/\d+/g, '7')][choice % 4]
  return program === undefined ? 'I cannot say.' : `\`\`\`vox\n${program}\n\`\`\``
}

/** A report without what differs between any two runs: its times, and what was lost with a kill. */
function comparable({ run: _run, spend: _spend, timing: _timing, ...report }: Report): object {
  const rows = report.rows.map(({ latency, ...row }) => ({ ...row, latency: { known: latency.known, of: latency.of } }))
  return JSON.parse(JSON.stringify({ ...report, rows }), (key, value) => (key === 'latencyMs' ? null : value))
}

test(`killed at ${KILLS} random moments and resumed: the report of an uninterrupted run, and nothing asked twice but what was under way`, async () => {
  let onAsked = () => {}
  const { baseUrl, seen } = await startServer(({ url, text }, response) => {
    if (url === '/v1/models') return sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
    onAsked()
    const usage = { prompt_tokens: 900, completion_tokens: 100 }
    setTimeout(() => sendJson(response, 200, chatCompletion(answerTo(text), { usage })), 5 + Math.random() * 60)
  })
  const built = await buildCli()
  const script = path.join(built, 'fixed-key.js')
  const corpus = smallCorpus(2)
  const configOf = (output: string) =>
    JSON.stringify({
      ...{ corpus, output, n: SAMPLES, concurrency: CONCURRENCY, 'max-spend-usd': 100, condition: ['C0', 'C1'] },
      subjects: [{ model: 'a/b', 'base-url': baseUrl, 'prompt-usd-per-m': 1, 'completion-usd-per-m': 2 }],
    })
  const seedsFrom = (from: number): number[] =>
    seen.slice(from).flatMap(({ url, text }) => (url === '/v1/chat/completions' ? [JSON.parse(text).seed] : []))

  const whole = temporaryFolder()
  const startedMs = performance.now()
  const first = await startNode([script, 'run', configOf(whole)]).result
  const wholeMs = performance.now() - startedMs
  expect(first.stderr + first.code).toMatch(/0$/)
  const expected = comparable(JSON.parse(readFileSync(path.join(whole, 'report.json'), 'utf8')))
  const wholeRun = await runIn(path.join(whole, 'attempts.jsonl'))
  const usd = wholeRun?.ended?.spend.spentUsd ?? 0
  const worstUsd = Math.max(...[...(wholeRun?.reserved.values() ?? [])].map(({ usd }) => usd))
  expect(seedsFrom(0)).toHaveLength(4 * SAMPLES)

  let kills = 0
  let killsOfAnswers = 0
  while (kills < KILLS) {
    const output = temporaryFolder()
    const journal = path.join(output, 'attempts.jsonl')
    const begun = seen.length
    let killsHere = 0
    for (;;) {
      const earlier = await runIn(journal)
      const kept = new Set(
        (earlier?.records ?? []).flatMap(({ completion, seed }) => (completion.kind === 'answered' ? [seed] : [])),
      )
      const from = seen.length
      const isStarted = existsSync(path.join(output, 'sweep.json'))
      const { child, result } = startNode([script, ...(isStarted ? ['resume', output] : ['run', configOf(output)])])
      const killer = new AbortController()
      const killAfter = (ms: number) =>
        sleep(ms * Math.random(), null, { signal: killer.signal }).then(
          () => child.kill('SIGKILL'),
          () => {},
        )
      // Half of them at any moment, half while requests are under way, which is a small part of a process's life.
      if (kills < KILLS && Math.random() < 0.5) killAfter(wholeMs * 1.1)
      else if (kills < KILLS) {
        onAsked = () => {
          onAsked = () => {}
          killAfter(400)
        }
      }
      const { code, stderr } = await result
      onAsked = () => {}
      killer.abort()
      // What the process sent before its end is still to be read here.
      await sleep(20)
      const asked = seedsFrom(from)
      expect(new Set(asked).size).toBe(asked.length)
      expect(asked.filter((seed) => kept.has(seed))).toEqual([])
      if (code !== null) {
        expect(`${stderr}\nexit code ${code}`).toContain('exit code 0')
        break
      }
      kills++
      killsHere++
      if (asked.length > 0) killsOfAnswers++
      const underWay = await runIn(journal)
      if (underWay === null) continue
      const answered = underWay.records.filter(({ completion }) => completion.kind === 'answered')
      expect(answered.length).toBeGreaterThanOrEqual(kept.size)
      expect(asked.length).toBeLessThanOrEqual(answered.length - kept.size + CONCURRENCY)
      // The last line may be there before the process is gone.
      expect((await reportOf(journal)).run.complete).toBe(underWay.ended !== null)
    }
    const report: Report = JSON.parse(readFileSync(path.join(output, 'report.json'), 'utf8'))
    expect(comparable(report)).toEqual(expected)
    expect(report.run).toMatchObject({ complete: true, endedBecause: null })
    expect(report.run.resumed).toBeLessThanOrEqual(killsHere)
    expect(report.spend.spentUsd).toBeGreaterThanOrEqual(usd - 1e-9)
    expect(report.spend.spentUsd).toBeLessThanOrEqual(usd + killsHere * CONCURRENCY * worstUsd + 1e-9)
    expect(await reportOf(journal)).toEqual(report)
    expect(seedsFrom(begun).length).toBeLessThanOrEqual(4 * SAMPLES + killsHere * CONCURRENCY)
  }
  console.log(
    `${kills} kills, ${killsOfAnswers} of them after a first request; an uninterrupted run takes ${Math.round(wholeMs)} ms`,
  )
})
