import type { Row } from '../score/row.ts'
import { digestConfig } from './config-digest.ts'
import { type Ranking, rankRows } from './ranking.ts'
import type { Report } from './schema.ts'
import { metricOf } from './scoreboard.ts'

/** `leaderboard.json`: a data file with the keys of the upstream report, one row a cell, in the plan's order. */
export function renderLeaderboard(report: Report): object {
  const { plan } = report
  const rankings = rankRows(report)
  return {
    schema_version: 1,
    tool: report.tool,
    purpose: report.purpose,
    run_id: report.run.id,
    ranked: rankings.some(({ outcome }) => outcome.kind === 'ranked'),
    not_ranked_because: explainRefusals(rankings, report),
    ranks: rankings.flatMap(({ condition, outcome }) =>
      outcome.kind === 'ranked' ? [{ condition, rows: outcome.table.rows }] : [],
    ),
    corpus: {
      name: plan.corpus.name,
      hash: plan.corpus.hash,
      split: plan.corpus.split,
      fixtures: plan.fixtures.length,
    },
    engine: report.engine,
    caveat: report.caveat,
    rows: report.rows.map((row) => leaderboardRow(report, row)),
  }
}

/** Null where every condition with two rows has a ranked table. */
function explainRefusals(rankings: readonly Ranking[], { caveat }: Report): string | null {
  const refused = rankings.flatMap(({ condition, outcome }) =>
    outcome.kind === 'refused' ? [`${condition}: ${outcome.reason}`] : [],
  )
  if (rankings.length > 0 && refused.length === 0) return null
  const reason = refused.length === 0 ? 'there are not two rows under one condition' : refused.join('; ')
  return `Rows stand in the order of the plan: ${reason}. ${caveat[0]?.text ?? ''}`.trim()
}

function leaderboardRow(report: Report, row: Row): object {
  const subject = report.plan.subjects.find(({ id }) => id === row.subject)
  const condition = report.plan.conditions.find(({ name }) => name === row.condition)
  const isShown = row.headline.kind === 'ok'
  return {
    model_id: row.subject,
    harness_id: row.harness,
    config_digest: digestConfig(report, row.subject, row.condition),
    condition: row.condition,
    metric: metricOf(row),
    context_hash: condition?.hash ?? null,
    cutoff: subject?.cutoff.date ?? null,
    held_out_only: report.plan.corpus.split === 'held-out',
    run_complete: report.run.complete,
    n_infra_errors: Object.values(row.attempts.infraErrors).reduce((sum, count) => sum + count, 0),
    n_not_attempted: Object.values(row.attempts.notAttempted).reduce((sum, count) => sum + count, 0),
    withheld_because: row.headline.kind === 'withheld' ? row.headline.reason : null,
    score: {
      first_sample_rate: isShown ? row.firstSample.rate : null,
      first_sample_interval_95: isShown ? row.firstSample.exact : null,
      pass_at_k: Object.fromEntries(row.passAtK.map(({ k, value }) => [k, value])),
      compile_rate: row.compile.rate,
      n_cheated: row.cheated,
      tokens_per_pass: row.tokens.perPass,
      cost_per_success_usd: row.cost.perSuccessUsd,
      p50_latency_ms: row.latency.p50Ms,
    },
    fixtures: row.firstSamples.map(({ fixture, outcome }) => ({
      id: fixture,
      first_sample_pass: outcome === 'missing' ? null : outcome === 'passed',
    })),
  }
}
