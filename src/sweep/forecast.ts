import { worstCaseUsd } from '../generate/cost.ts'
import type { Plan, Subject } from '../generate/plan.ts'
import { estimateTokens } from './context-fit.ts'

/** What asking one subject takes. */
export interface SubjectForecast {
  readonly subject: string
  readonly rows: number
  readonly attempts: number
  /** False for answers from files, which cost nothing. */
  readonly isAsked: boolean
  /** Estimate over all attempts. */
  readonly promptTokens: number
  /** Null when there is no price. */
  readonly expectedUsd: number | null
  /** What would be reserved for all attempts together, every retry billed; null when there is no price. */
  readonly worstUsd: number | null
  /** Problems added after the knowledge cutoff; null when that is unknown. */
  readonly uncontaminated: number | null
}

export interface Forecast {
  readonly rows: number
  readonly attempts: number
  readonly subjects: readonly SubjectForecast[]
  /** Null when a subject that is asked has no price. */
  readonly expectedUsd: number | null
  readonly worstUsd: number | null
}

export interface ForecastOptions {
  /** Completion tokens of a typical answer. */
  readonly expectedTokens: number
  /** Requests that may be made for one attempt. */
  readonly requestsPerSample: number
}

/** What a plan takes, before anything is asked. */
export async function forecast(plan: Plan, options: ForecastOptions): Promise<Forecast> {
  const tokensOf = new Map(
    await Promise.all(plan.prompts.map(async (prompt) => [prompt, await estimateTokens(prompt)] as const)),
  )
  const subjects = plan.subjects.map((subject): SubjectForecast => {
    const conditions = plan.cells.filter((cell) => cell.subject === subject.id).map(({ condition }) => condition)
    const prompts = plan.prompts.filter(({ condition }) => conditions.includes(condition))
    const isAsked = subject.endpoint !== null
    const tokens = prompts.map((prompt) => tokensOf.get(prompt) ?? 0)
    const { date } = subject.cutoff
    const sumUsd = (usdOf: (index: number) => number | null): number | null =>
      isAsked ? times(sum(prompts.map((_, index) => usdOf(index))), plan.samples) : 0
    return {
      subject: subject.id,
      rows: conditions.length,
      attempts: prompts.length * plan.samples,
      isAsked,
      promptTokens: tokens.reduce((total, count) => total + count, 0) * plan.samples,
      expectedUsd: sumUsd((index) => expectedUsd(subject, tokens[index] ?? 0, options)),
      worstUsd: sumUsd((index) => {
        const prompt = prompts[index]
        return prompt === undefined ? null : worstCaseUsd(subject, prompt, options.requestsPerSample)
      }),
      uncontaminated: date === null ? null : plan.fixtures.filter(({ addedAt }) => addedAt > date).length,
    }
  })
  return {
    rows: plan.cells.length,
    attempts: subjects.reduce((total, { attempts }) => total + attempts, 0),
    subjects,
    expectedUsd: sum(subjects.map((subject) => subject.expectedUsd)),
    worstUsd: sum(subjects.map((subject) => subject.worstUsd)),
  }
}

function expectedUsd({ price, sampling }: Subject, promptTokens: number, options: ForecastOptions): number | null {
  if (price === null) return null
  const completionTokens = Math.min(options.expectedTokens, sampling.maxTokens ?? Number.POSITIVE_INFINITY)
  const tokensUsd = (promptTokens * price.promptUsdPerM + completionTokens * price.completionUsdPerM) / 1e6
  return tokensUsd + (price.requestUsd ?? 0)
}

/** Null when one of them is unknown. */
function sum(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((total, value) => (total === null || value === null ? null : total + value), 0)
}

function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}
