import { z } from 'zod'
import { clopperPearson, wilson } from '../stats/intervals.ts'

export const intervalSchema = z.object({ low: z.number(), high: z.number() })

/** A share of independent trials, each passed or not. */
export const rateSchema = z.object({
  passed: z.number().int(),
  of: z.number().int(),
  /** `passed / of`; null when `of` is 0. */
  rate: z.number().nullable(),
  /** 95 % Clopper-Pearson: covers at least 95 % always. */
  exact: intervalSchema.nullable(),
  /** 95 % Wilson score: covers 95 % on average. */
  wilson: intervalSchema.nullable(),
  /** Why there is no interval; null when there is one. */
  reason: z.string().nullable(),
})
export type Rate = z.infer<typeof rateSchema>

/** The rate with both intervals; without them where `dependence` says why the trials are not independent. */
export function estimateRate(passed: number, of: number, dependence: string | null = null): Rate {
  const rate = of === 0 ? null : passed / of
  if (dependence !== null) return { passed, of, rate, exact: null, wilson: null, reason: dependence }
  return {
    passed,
    of,
    rate,
    exact: clopperPearson(passed, of),
    wilson: wilson(passed, of),
    reason: of === 0 ? 'nothing was judged' : null,
  }
}
