import { expect, test } from 'vitest'
import { renderLeaderboard } from '../../src/report/leaderboard.ts'
import { renderScoreboard } from '../../src/report/scoreboard.ts'
import { judged, type Outcome, sampleSubject } from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

interface DataFile {
  readonly caveat: readonly { readonly id: string; readonly text: string }[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

const FAIL = judged({ kind: 'timeout' }, { costUsd: 0.5, latencyMs: 800 })
const PASS = judged({ kind: 'passed' }, { costUsd: 0.25, latencyMs: 200 })
const INFRA: Outcome = {
  completion: { kind: 'infra-error', class: 'rate', message: 'slow down', requests: 3 },
  verification: null,
}

function reportOf(outcomes: readonly Outcome[], changes = {}) {
  return sampleReport({
    fixtures: outcomes.length,
    conditions: ['C1'],
    subjects: [sampleSubject('model@1200', changes)],
    outcome: ({ fixture }) => outcomes[fixture]!,
  })
}

test('a scoreboard row has the keys of the scoreboard', async () => {
  const { rows } = renderScoreboard(await reportOf([PASS, FAIL, FAIL, PASS])) as DataFile
  expect(rows).toEqual([
    {
      model_id: 'model@1200',
      task_category: 'vox-codegen',
      strength_tag: 'vox-harness',
      window_days: 7,
      condition: 'C1',
      metric: 'first-answers',
      n_calls: 4,
      success_rate: 0.5,
      p50_latency_ms: 200,
      cost_usd: 1.5,
      withheld_because: null,
    },
  ])
})

test('with an infra error there is no success rate to put on a board', async () => {
  const report = await reportOf([PASS, INFRA])
  expect((renderScoreboard(report) as DataFile).rows[0]).toMatchObject({
    n_calls: 1,
    success_rate: null,
    withheld_because: expect.stringContaining('1 of 2'),
  })
  expect((renderLeaderboard(report) as DataFile).rows[0]).toMatchObject({
    n_infra_errors: 1,
    run_complete: false,
    score: { first_sample_rate: null },
  })
})

test('a success rate over all samples is withheld while any of them lacks a verdict', async () => {
  const report = await sampleReport({
    fixtures: 2,
    samples: 2,
    conditions: ['C1'],
    subjects: [sampleSubject('model')],
    outcome: ({ fixture, sample }) => (sample === 0 ? PASS : fixture === 0 ? PASS : INFRA),
  })
  expect((renderScoreboard(report) as DataFile).rows[0]).toMatchObject({
    n_calls: 3,
    success_rate: null,
    withheld_because: '1 of 4 attempts has no verdict',
  })
})

test('a leaderboard row has the keys of the upstream report', async () => {
  const { rows } = renderLeaderboard(await reportOf([PASS, FAIL])) as DataFile
  expect(rows[0]).toMatchObject({
    model_id: 'model@1200',
    harness_id: 'vox-harness',
    condition: 'C1',
    cutoff: '2026-06-30',
    held_out_only: true,
    run_complete: true,
    n_infra_errors: 0,
    score: {
      first_sample_rate: 0.5,
      pass_at_k: { 1: 0.5 },
      compile_rate: 1,
      n_cheated: 0,
      cost_per_success_usd: 0.75,
      p50_latency_ms: 200,
    },
    fixtures: [
      { id: '001', first_sample_pass: true },
      { id: '002', first_sample_pass: false },
    ],
  })
})

test('the leaderboard is in the order of the plan, unranked, and says why', async () => {
  const report = await sampleReport({ fixtures: 3 })
  const board = renderLeaderboard(report) as DataFile & { ranked: boolean; not_ranked_because: string }
  expect(board.ranked).toBe(false)
  expect(board.not_ranked_because).toContain(report.caveat[0]!.text)
  expect(board.rows.map((row) => `${row.model_id} ${row.condition}`)).toEqual(report.plan.cells.map(({ id }) => id))
})

test('both data files carry the whole caveat', async () => {
  const report = await sampleReport({ fixtures: 1 })
  for (const file of [renderLeaderboard(report), renderScoreboard(report)])
    expect((file as DataFile).caveat).toEqual(report.caveat)
})

test('the digest tells rows apart that differ in what decides a result, and only those', async () => {
  const digest = async (changes: object) =>
    (renderLeaderboard(await reportOf([PASS], changes)) as DataFile).rows[0]?.config_digest
  const base = await digest({})
  expect(await digest({})).toBe(base)
  expect(await digest({ sampling: { temperature: 0, topP: null, maxTokens: 1024, reasoningEffort: null } })).not.toBe(
    base,
  )
  expect(await digest({ endpoint: 'https://elsewhere.example' })).not.toBe(base)
  expect(await digest({ id: 'another' })).toBe(base)
})
