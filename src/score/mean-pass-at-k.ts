import type { z } from 'zod'
import { wilson } from '../stats/intervals.ts'
import { passAtK } from '../stats/pass-at-k.ts'
import type { passAtKSchema } from './row.ts'

/** How many samples of a fixture were judged, and how many of those passed. */
export interface SampleCount {
  readonly fixture: string
  readonly judged: number
  readonly passed: number
}

/**
 * The mean over fixtures of the unbiased pass@k (each fixture weighs the same), null unless every fixture has at
 * least k judged samples: leaving fixtures out would favour a model whose hard problems went unanswered.
 *
 * The interval is Wilson's on the fixture means with n = fixtures. A fixture's estimate lies in [0, 1], and of all
 * such variables with a given mean the one that is only ever 0 or 1 has the largest variance, m(1 - m): Wilson's
 * interval, made for that one, is not too narrow in the limit for any other.
 *
 * @param dependence why fixtures are not independent of each other; null when they are
 */
export function meanPassAtK(
  k: number,
  counts: readonly SampleCount[],
  dependence: string | null,
): z.infer<typeof passAtKSchema> {
  const undefinedFor = (reason: string) => ({
    k,
    value: null,
    reason,
    interval: null,
    method: 'none: there is no value',
  })
  if (counts.length === 0) return undefinedFor('there are no problems')
  const short = counts.filter(({ judged }) => judged < k)
  if (short.length > 0) {
    const named = short.slice(0, 5).map(({ fixture }) => fixture)
    const more = short.length > named.length ? ', …' : ''
    return undefinedFor(
      `${short.length} of ${counts.length} problems ${short.length === 1 ? 'has' : 'have'} fewer than ${k} judged samples: ${named.join(', ')}${more}`,
    )
  }
  let total = 0
  for (const { judged, passed } of counts) {
    const estimate = passAtK(judged, passed, k)
    if (estimate.kind === 'undefined') return undefinedFor(estimate.reason)
    total += estimate.value
  }
  // Sums of many fractions may pass the count by a rounding.
  const successes = Math.min(counts.length, total)
  return {
    k,
    value: successes / counts.length,
    reason: null,
    interval: dependence === null ? wilson(successes, counts.length) : null,
    method: dependence === null ? 'Wilson on the means of the problems' : `none: ${dependence}`,
  }
}
