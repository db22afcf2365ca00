import type { Report } from './schema.ts'

const TASK_CATEGORY = 'vox-codegen'
const WINDOW_DAYS = 7

/**
 * `scoreboard.json`: rows for upstream's scoreboard, keyed by (model_id, task_category, strength_tag, window_days); a
 * reader that keeps one row a key must choose a `condition`. `success_rate` is over all judged attempts, and null
 * where the row's headline is withheld.
 */
export function renderScoreboard(report: Report): object {
  return {
    schema_version: 1,
    purpose: report.purpose,
    run_id: report.run.id,
    caveat: report.caveat,
    rows: report.rows.map((row) => {
      const { judged } = row.attempts
      const isShown = row.headline.kind === 'ok' && judged > 0
      return {
        model_id: row.subject,
        task_category: TASK_CATEGORY,
        strength_tag: row.harness,
        window_days: WINDOW_DAYS,
        condition: row.condition,
        n_calls: judged,
        success_rate: isShown ? (row.verdicts.passed ?? 0) / judged : null,
        p50_latency_ms: row.latency.p50Ms,
        cost_usd: row.cost.usd.total,
        withheld_because: row.headline.kind === 'withheld' ? row.headline.reason : null,
      }
    }),
  }
}
