import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadRecording, type Recording } from '../../src/models/recording.ts'
import type { Report } from '../../src/report/schema.ts'
import { type CliResult, repository, runCli } from './cli-process.ts'

const POWER = '10 points better than another, this run would notice it between one time in 39 and one time in 19'

let folder: string
let result: CliResult
let report: Report
let recordings: readonly Recording[]

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vox-demo-'))
  result = await runCli(['demo', '--output', 'out'], { cwd: folder })
  report = JSON.parse(read('report.json'))
  const recorded = path.join(repository, 'corpus/recorded')
  recordings = await Promise.all(
    ['general-purpose-lm', 'smollm2-135m'].map((name) => loadRecording(path.join(recorded, name))),
  )
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(name: string): string {
  return readFileSync(path.join(folder, 'out', name), 'utf8')
}

test('it ends well, and the preflight passed over the whole corpus', () => {
  expect(result.code).toBe(0)
  expect(report).toMatchObject({
    purpose: 'demo',
    run: { complete: true },
    preflight: { references: 40, failures: [] },
  })
  expect(report.preflight?.saboteurs).toBeGreaterThan(500)
})

test('the rows are those of the recordings, none withheld', () => {
  const rows = report.rows.map(({ subject, condition, firstSample }) => [
    subject,
    condition,
    firstSample.passed,
    firstSample.of,
  ])
  expect(rows).toEqual([
    ['general-purpose-lm', 'C0', 5, 40],
    ['general-purpose-lm', 'C1@50', 37, 40],
    ['general-purpose-lm', 'C1', 38, 40],
    ['smollm2-135m-instruct-q4_1', 'C0', 0, 40],
    ['smollm2-135m-instruct-q4_1', 'C1', 0, 40],
  ])
  for (const { headline } of report.rows) expect(headline.kind).toBe('ok')
})

test('every recorded answer is there, untouched, with the usage and latency of its time', () => {
  const attempts = new Map(report.attempts.map(({ attempt, completion }) => [attempt, completion]))
  for (const { description, answers } of recordings) {
    for (const { condition, fixture, sample, text, finishReason, usage, latencyMs } of answers) {
      const attempt = `${description.model} ${condition} / ${fixture} / ${sample}`
      expect(attempts.get(attempt), attempt).toMatchObject({ text, finishReason, usage, latencyMs, requests: 0 })
      attempts.delete(attempt)
    }
  }
  expect([...attempts.keys()]).toEqual([])
})

test('what a recording does not tell is unknown, never zero', () => {
  for (const row of report.rows) {
    const isTold = row.subject.startsWith('smollm2')
    expect(row.cost.usd.total).toBeNull()
    expect(row.tokens.completion.total).toEqual(isTold ? expect.any(Number) : null)
    expect(row.latency.p50Ms).toEqual(isTold ? expect.any(Number) : null)
  }
})

test('what the numbers can show stands in every output', () => {
  expect(report.caveat[0]?.text).toContain(POWER)
  for (const name of ['summary.md', 'report.html', 'leaderboard.json', 'scoreboard.json']) {
    expect(read(name), name).toContain(POWER)
  }
  expect(result.stdout).toContain(POWER)
})

test('the outputs say how and when the answers were obtained, and that they are replayed', () => {
  for (const name of ['summary.md', 'report.html']) {
    for (const part of ['edited, picked or repaired', 'one request for each attempt', '2026-11-29']) {
      expect(read(name), name).toContain(part)
    }
    expect(read(name), name).toMatch(/demonstration/i)
  }
})
