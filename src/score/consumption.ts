import { billedUsd } from '../generate/cost.ts'
import type { Subject } from '../generate/plan.ts'
import type { Answer } from '../models/provider.ts'
import type { Measured, Row } from './row.ts'

/**
 * Tokens, cost and latency over the attempts of a cell that were answered, of which `passes` passed. An attempt of two
 * turns has two answers, whose latencies add up.
 */
export function measureConsumption(
  subject: Subject,
  attempts: readonly (readonly Answer[])[],
  passes: number,
): Pick<Row, 'tokens' | 'cost' | 'latency'> {
  const answers = attempts.flat()
  const prompt = sum(answers.map(({ usage }) => usage?.promptTokens ?? null))
  const completion = sum(answers.map(({ usage }) => usage?.completionTokens ?? null))
  const usd = sum(answers.map((answer) => billedUsd(subject, answer)))
  const latencies = attempts
    .map((turns) => sum(turns.map(({ latencyMs }) => latencyMs)).total)
    .filter((latency) => latency !== null)
  const tokens = prompt.total === null || completion.total === null ? null : prompt.total + completion.total
  return {
    tokens: {
      prompt,
      completion,
      reasoning: sum(answers.map(({ usage }) => usage?.reasoningTokens ?? null)),
      perPass: perPass(tokens, passes),
    },
    cost: { usd, perSuccessUsd: perPass(usd.total, passes) },
    latency: {
      p50Ms: percentile(latencies, 0.5),
      p90Ms: percentile(latencies, 0.9),
      known: latencies.length,
      of: attempts.length,
    },
  }
}

function sum(values: readonly (number | null)[]): Measured {
  const known = values.filter((value) => value !== null)
  const isWhole = known.length === values.length && known.length > 0
  return {
    total: isWhole ? known.reduce((total, value) => total + value, 0) : null,
    known: known.length,
    of: values.length,
  }
}

function perPass(total: number | null, passes: number): number | null {
  return total === null || passes === 0 ? null : total / passes
}

/** Nearest rank: the smallest observed value with at least `share` of all values at or below it. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
