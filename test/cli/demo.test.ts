import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Report } from '../../src/report/schema.ts'
import { type CliResult, repository, runCli } from './cli-process.ts'

const recorded = path.join(repository, 'corpus/recorded')
const POWER = 'With 40 fixtures, a true gap of 10 points between two rows is noticed between'

let folder: string
let result: CliResult
let report: Report

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vox-demo-'))
  const demo = parse(readFileSync(path.join(recorded, 'demo.yml'), 'utf8'))
  // The demo's own sweep, over those of its recordings that are there.
  const subjects = demo.subjects
    .map(({ recording }: { recording: string }) => ({ recording: path.join(recorded, recording) }))
    .filter(({ recording }: { recording: string }) => existsSync(recording))
  const config = path.join(folder, 'demo.yml')
  writeFileSync(config, JSON.stringify({ ...demo, corpus: path.dirname(recorded), subjects }))
  result = await runCli(['run', '--config', config, '--output', 'out'], { cwd: folder })
  report = JSON.parse(read('report.json'))
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

test('the rows are those of the recording, none withheld', () => {
  const rows = report.rows.filter(({ subject }) => subject === 'general-purpose-lm')
  expect(rows.map(({ condition, firstSample }) => [condition, firstSample.passed, firstSample.of])).toEqual([
    ['C0', 5, 40],
    ['C1@50', 37, 40],
    ['C1', 38, 40],
  ])
  for (const { headline } of report.rows) expect(headline.kind).toBe('ok')
})

test('every answer is the one that was recorded, untouched', () => {
  for (const { subject, condition, fixture, completion } of report.attempts) {
    const file = path.join(recorded, subject, condition, `${fixture}.md`)
    if (subject === 'general-purpose-lm') {
      expect(completion).toMatchObject({ text: readFileSync(file, 'utf8'), usage: null, latencyMs: null, requests: 0 })
    }
  }
})

test('tokens, cost and latency of answers recorded in batches are unknown, never zero', () => {
  const [row] = report.rows
  expect(row).toMatchObject({
    tokens: { prompt: { total: null }, completion: { total: null } },
    cost: { usd: { total: null } },
    latency: { p50Ms: null, known: 0 },
  })
})

test('what the numbers can show stands in every output', () => {
  expect(report.caveat[0]?.text).toContain(POWER)
  for (const name of ['summary.md', 'report.html', 'leaderboard.json', 'scoreboard.json']) {
    expect(read(name), name).toContain(POWER)
  }
  expect(result.stdout).toContain(POWER)
})

test('the outputs say how the answers were obtained and that they are replayed', () => {
  for (const name of ['summary.md', 'report.html']) {
    for (const part of ['edited, picked or repaired', '2026-11-29']) expect(read(name), name).toContain(part)
    expect(read(name), name).toMatch(/demonstration/i)
  }
})
