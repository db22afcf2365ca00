import { worstCaseUsd } from '../generate/cost.ts'
import type { Plan, Prompt, Subject } from '../generate/plan.ts'
import { messagesOf } from '../generate/prompt.ts'
import { findCleanFixtures } from '../score/clean-fixtures.ts'
import { estimateTokens, secondTurnTokens } from './context-fit.ts'

/** What asking one subject takes. */
export interface SubjectForecast {
  readonly subject: string
  readonly rows: number
  readonly attempts: number
  /** False for answers from files, which cost nothing. */
  readonly isAsked: boolean
  /** Estimate over the first turns of all attempts. */
  readonly promptTokens: number
  /** Null when there is no price. */
  readonly expectedUsd: number | null
  /** What would be reserved for all attempts together, every retry billed; null when there is no price. */
  readonly worstUsd: number | null
  /** Problems added after the knowledge cutoff that no search found in the training data; null when that is unknown. */
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
    const clean = findCleanFixtures(subject, plan.fixtures)
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
        return prompt === undefined ? null : worstAttemptUsd(subject, prompt, options.requestsPerSample)
      }),
      uncontaminated: clean.kind === 'unknown' ? null : clean.ids.size,
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

/** Of what a second turn is told; diagnostics seldom need more. */
const FEEDBACK_BYTES = 8 * 1024
/** Of one token of an answer that is given back, at most: far above the average. */
const ANSWER_BYTES_PER_TOKEN = 8

/** A second turn is sent the first answer, which has as many tokens as it may have. */
function worstAttemptUsd(subject: Subject, prompt: Prompt, requests: number): number | null {
  const firstUsd = worstCaseUsd(subject, messagesOf(prompt), requests)
  if (!subject.hasFixTurn || firstUsd === null) return firstUsd
  const answer = 'x'.repeat((subject.sampling.maxTokens ?? 0) * ANSWER_BYTES_PER_TOKEN)
  const second = messagesOf(prompt, { answer, feedback: 'x'.repeat(FEEDBACK_BYTES) })
  return firstUsd + (worstCaseUsd(subject, second, requests) ?? 0)
}

/** With a second turn as if every first answer failed. */
function expectedUsd(subject: Subject, promptTokens: number, options: ForecastOptions): number | null {
  const { price, sampling, hasFixTurn } = subject
  if (price === null) return null
  const completionTokens = Math.min(options.expectedTokens, sampling.maxTokens ?? Number.POSITIVE_INFINITY)
  const turnUsd = (tokens: number) =>
    (tokens * price.promptUsdPerM + completionTokens * price.completionUsdPerM) / 1e6 + (price.requestUsd ?? 0)
  return turnUsd(promptTokens) + (hasFixTurn ? turnUsd(secondTurnTokens(promptTokens, completionTokens)) : 0)
}

/** Null when one of them is unknown. */
function sum(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((total, value) => (total === null || value === null ? null : total + value), 0)
}

function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}
