import { isAskedOverNetwork, isAtOpenRouter, isSpendWatched } from './subject-source.ts'
import type { SubjectOptions, SweepConfig } from './sweep-config.ts'

/** Room for a reasoning model to think: too small a bound reads as failure. */
export const DEFAULT_MAX_TOKENS = 16_384

const requestKeys = ['provider', 'reasoning-max-tokens', 'max-tokens-field', 'extra-body'] as const

/** Settings of a subject's requests that contradict each other or its endpoint, each with its option. */
export function requestProblems(subject: SubjectOptions, config: SweepConfig): [string, string][] {
  if (!isAskedOverNetwork(subject)) {
    return requestKeys
      .filter((key) => subject[key] !== undefined)
      .map((key) => [key, 'answers come from files, so no request is sent; leave it out'])
  }
  const problems: [string, string][] = []
  const thinking = subject['reasoning-max-tokens']
  const all = subject['max-tokens'] ?? DEFAULT_MAX_TOKENS
  if (subject.provider !== undefined && !isAtOpenRouter(subject)) {
    problems.push(['provider', 'is a setting of OpenRouter, but another endpoint is asked; leave it out'])
  }
  if (thinking !== undefined && subject['reasoning-effort'] !== undefined) {
    problems.push(['reasoning-max-tokens', 'says how much to think, and so does "reasoning-effort"; give one of them'])
  }
  if (thinking !== undefined && thinking >= all) {
    problems.push([
      'reasoning-max-tokens',
      `is ${thinking}, which leaves nothing of the ${all} tokens of an answer for the program; lower it or raise "max-tokens"`,
    ])
  }
  if (isSpendWatched(config) && subject['extra-body']?.service_tier !== undefined && !hasPrice(subject)) {
    problems.push([
      'extra-body',
      'a service_tier has prices of its own, which no catalogue tells, so the cap could not be kept; give "prompt-usd-per-m" and "completion-usd-per-m"',
    ])
  }
  return problems
}

function hasPrice(subject: SubjectOptions): boolean {
  return subject['prompt-usd-per-m'] !== undefined && subject['completion-usd-per-m'] !== undefined
}
