import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { runCli } from './cli-process.ts'

vi.setConfig({ testTimeout: 120_000 })

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vox-month-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const book = () => path.join(folder, 'cache', 'vox-efficacy', 'spend.jsonl')

/** A run over two problems, each of which costs $0.9 and $1 at worst; the user's cache is the test's own. */
async function run(output: string, ...more: string[]) {
  const { baseUrl, seen } = await startServer(({ url }, response) =>
    url === '/v1/models'
      ? sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
      : sendJson(response, 200, chatCompletion('no', { usage: { prompt_tokens: 9, completion_tokens: 900 } })),
  )
  const result = await runCli(
    [
      ...['run', '--model', 'a/b', '--base-url', baseUrl, '--fixtures', '001,002', '--concurrency', '1'],
      ...['--retries', '0', '--max-tokens', '1000', '--prompt-usd-per-m', '0', '--completion-usd-per-m', '1000'],
      ...['--max-spend-usd-per-month', '2.5', '--output', output, ...more],
    ],
    { cwd: folder, env: { XDG_CACHE_HOME: path.join(folder, 'cache') } },
  )
  const report = path.join(folder, output, 'report.json')
  return {
    ...result,
    requests: seen.filter(({ url }) => url !== '/v1/models').length,
    report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null,
  }
}

test('what one run spends, the next has less of; the book is in the cache folder of the user', async () => {
  const first = await run('first')
  expect([first.code, first.requests]).toEqual([0, 2])
  expect(first.report.spend.spentUsd).toBeCloseTo(1.8, 9)
  expect(readFileSync(book(), 'utf8').trimEnd().split('\n').length).toBe(4)

  const second = await run('second')
  expect([second.code, second.requests]).toEqual([4, 0])
  expect(second.report.run.endedBecause).toBe('the spend cap of the month was reached')

  const elsewhere = await run('elsewhere', '--spend-file', 'another.jsonl')
  expect([elsewhere.code, elsewhere.requests]).toEqual([0, 2])
})

test('a run that is resumed keeps to its spend book, wherever the cache folder is by then', async () => {
  await run('pinned')
  const sweep = JSON.parse(readFileSync(path.join(folder, 'pinned/sweep.json'), 'utf8'))
  expect(sweep['spend-file']).toBe(book())
})

test('a damaged book ends the run with the line, before anything was asked or written', async () => {
  writeFileSync(path.join(folder, 'damaged.jsonl'), '{"at":"2026-11-30T12:00:00.000Z"}\n')
  const { code, stderr, requests, report } = await run('never', '--spend-file', 'damaged.jsonl')
  expect([code, requests, report]).toEqual([2, 0, null])
  expect(stderr).toContain('damaged.jsonl:1 is no entry of a spend book')
})
