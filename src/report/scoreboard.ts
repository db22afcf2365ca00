import type { Row } from '../score/row.ts'
import type { Report } from './schema.ts'

const TASK_CATEGORY = 'vox-codegen'
const WINDOW_DAYS = 7

/**
 * `scoreboard.json`: rows for upstream's scoreboard, keyed by (model_id, task_category, strength_tag, window_days); a
 * reader that keeps one row a key must choose a `condition`. `success_rate` is over all attempts, and null as long as
 * any lacks a verdict: a rate over the others would favour a model whose hard problems went unanswered.
 */
export function renderScoreboard(report: Report): object {
  return {
    schema_version: 1,
    purpose: report.purpose,
    run_id: report.run.id,
    caveat: report.caveat,
    rows: report.rows.map((row) => {
      const { judged } = row.attempts
      const withheld = explainWithheld(row)
      return {
        model_id: row.subject,
        task_category: TASK_CATEGORY,
        strength_tag: row.harness,
        window_days: WINDOW_DAYS,
        condition: row.condition,
        metric: metricOf(row),
        n_calls: judged,
        success_rate: withheld === null ? (row.verdicts.passed ?? 0) / judged : null,
        p50_latency_ms: row.latency.p50Ms,
        cost_usd: row.cost.usd.total,
        withheld_because: withheld,
      }
    }),
  }
}

/** What a rate of the row is one of. */
export function metricOf({ fix }: Row): 'first-answers' | 'after-one-fix' {
  return fix === null ? 'first-answers' : 'after-one-fix'
}

function explainWithheld({ headline, attempts: { planned, judged } }: Row): string | null {
  if (headline.kind === 'withheld') return headline.reason
  const missing = planned - judged
  return missing === 0 ? null : `${missing} of ${planned} attempts ${missing === 1 ? 'has' : 'have'} no verdict`
}
