import { fitIsotonic } from './isotonic.ts'
import { createRandom } from './random.ts'
import { resampleSums, tabulateUnits } from './resampling.ts'

/** The rates of the same independent units under one amount of help. */
export interface HelpRung {
  readonly tokens: number
  /** In [0, 1], one for each unit; the units stand in the same order in every rung. */
  readonly values: readonly number[]
}

/** The help with which a pass rate is reached, in tokens. */
export type HelpNeeded =
  | {
      readonly kind: 'reached'
      readonly target: number
      readonly tokens: number
      /** Null `low`: less than the least help there is; null `high`: more than the most. */
      readonly low: number | null
      readonly high: number | null
    }
  | { readonly kind: 'unknown'; readonly target: number; readonly reason: string }

export interface FittedHelpCurve {
  /** By tokens, least first; one for each amount of help. `fit` never falls. */
  readonly points: readonly { readonly tokens: number; readonly rate: number; readonly fit: number }[]
  /** One for each target, in the order given. */
  readonly needed: readonly HelpNeeded[]
}

export interface HelpCurveOptions {
  /** Pass rates in (0, 1). */
  readonly targets: readonly number[]
  /** 1 - confidence */
  readonly alpha: number
  readonly seed: number
  readonly resamples?: number
}

const FEWEST_RUNGS = 3
/** A share of 2.5 % of so many is known to a third of a point. */
const RESAMPLES = 2000
/**
 * Units added to what is resampled: one that passes under no help and one that passes under any. Without them rungs
 * near 0 or 1 do not vary enough: of intervals for 80 % on a curve from 2 to 97 % over 20, 40 and 120 units only 71, 79
 * and 89 % covered, with them at least 95 %; on other curves they covered 93 to 100 %.
 */
const ADDED_UNITS = [0, 1]

/**
 * The pass rate as a function of help that never falls (`fitIsotonic`, each rung weighing its units), and the help
 * that reaches each target. Between two rungs the fit is taken to be a straight line in tokens; not in their
 * logarithm, which has no place for the rung of 0 tokens, where most ladders begin.
 *
 * The interval is the percentile bootstrap's over units (two are added, see `ADDED_UNITS`): all rungs of a drawn unit
 * go together, and the curve is fitted anew to each resample. A resample that does not reach the target counts as
 * needing more than any that does, so an interval may be open. Neither the order of the rungs nor that of the units
 * matters.
 *
 * @returns `unknown` for a target that the fit does not reach, for one that it is past with the least help unless that
 *   is none (0 tokens are needed then), and for fewer than three amounts of help.
 * @throws RangeError for no rung, no unit, rungs with different numbers of units, a rate outside [0, 1], a negative
 *   number of tokens, or options out of range.
 */
export function fitHelpCurve(rungs: readonly HelpRung[], options: HelpCurveOptions): FittedHelpCurve {
  checkCurve(rungs, options)
  const ladder = orderUnits(mergeEqual(rungs))
  const units = ladder[0]?.values.length ?? 0
  const tokens = ladder.map((rung) => rung.tokens)
  const rates = ladder.map(({ values }) => values.reduce((sum, value) => sum + value, 0) / units)
  const fit = fitRates(rates, units)
  const points = rates.map((rate, index) => ({ tokens: tokens[index] as number, rate, fit: fit[index] as number }))
  return { points, needed: findAllNeeded(ladder, tokens, fit, options) }
}

function fitRates(rates: readonly number[], units: number): number[] {
  return fitIsotonic(rates.map((value) => ({ value, weight: units })))
}

function findAllNeeded(
  ladder: readonly HelpRung[],
  tokens: readonly number[],
  fit: readonly number[],
  { targets, alpha, seed, resamples = RESAMPLES }: HelpCurveOptions,
): HelpNeeded[] {
  if (tokens.length < FEWEST_RUNGS) {
    const reason = `needs at least ${FEWEST_RUNGS} amounts of help, there ${tokens.length === 1 ? 'is' : 'are'} ${tokens.length}`
    return targets.map((target) => ({ kind: 'unknown', target, reason }))
  }
  const drawn = targets.map(() => new Float64Array(resamples))
  const table = tabulateUnits(ladder.map(({ values }) => [...values, ...ADDED_UNITS]))
  resampleSums(table, { resamples, random: createRandom(seed) }, (sums, resample) => {
    const again = fitRates(
      Array.from(sums, (sum) => sum / table.units),
      table.units,
    )
    for (const [index, target] of targets.entries()) {
      const place = drawn[index]
      if (place !== undefined) place[resample] = crossingOf(tokens, again, target)
    }
  })
  return targets.map((target, index) =>
    describeNeeded(target, crossingOf(tokens, fit, target), (drawn[index] as Float64Array).sort(), alpha),
  )
}

/** A mean that equals the target but for rounding reaches it. */
const SAME = 1e-12

/** Tokens at which the fit first reaches the target: -Infinity where it does with the least help, if that is any; Infinity where it never does. */
function crossingOf(tokens: readonly number[], fit: readonly number[], target: number): number {
  const at = fit.findIndex((rate) => rate >= target - SAME)
  if (at === -1) return Number.POSITIVE_INFINITY
  const upper = tokens[at] as number
  if (at === 0) return upper === 0 ? 0 : Number.NEGATIVE_INFINITY
  const lower = tokens[at - 1] as number
  const before = fit[at - 1] as number
  const share = (target - before) / ((fit[at] as number) - before)
  return lower + (upper - lower) * Math.min(1, share)
}

function describeNeeded(target: number, crossing: number, sorted: Float64Array, alpha: number): HelpNeeded {
  const unknown = (reason: string): HelpNeeded => ({ kind: 'unknown', target, reason })
  if (crossing === Number.POSITIVE_INFINITY) return unknown('not reached with the most help')
  if (crossing === Number.NEGATIVE_INFINITY) return unknown('reached already with the least help')
  // Ranks, not interpolation: a bound may be infinite.
  const low = sorted[Math.floor((sorted.length * alpha) / 2)] as number
  const high = sorted[Math.ceil(sorted.length * (1 - alpha / 2)) - 1] as number
  const bounded = (bound: number) => (Number.isFinite(bound) ? bound : null)
  return {
    kind: 'reached',
    target,
    tokens: crossing,
    low: bounded(Math.min(low, crossing)),
    high: bounded(Math.max(high, crossing)),
  }
}

/** Rungs by tokens, least first; those with as many tokens become one, each unit with its mean. */
function mergeEqual(rungs: readonly HelpRung[]): HelpRung[] {
  const tokens = [...new Set(rungs.map((rung) => rung.tokens))].sort((a, b) => a - b)
  return tokens.map((each) => {
    const equal = rungs.filter((rung) => rung.tokens === each)
    const values = equal[0]?.values.map((_, unit) => {
      // In order of size: the sum is then the same whichever rung comes first.
      const all = equal.map(({ values }) => values[unit] as number).sort((a, b) => a - b)
      return all.reduce((sum, value) => sum + value, 0) / all.length
    })
    return { tokens: each, values: values ?? [] }
  })
}

/** The units in order of their rates, so that a seed draws the same whatever order they came in. */
function orderUnits(ladder: readonly HelpRung[]): HelpRung[] {
  const order = [...(ladder[0]?.values.keys() ?? [])].sort((a, b) => {
    for (const { values } of ladder) {
      const difference = (values[a] as number) - (values[b] as number)
      if (difference !== 0) return difference
    }
    return 0
  })
  return ladder.map(({ tokens, values }) => ({ tokens, values: order.map((unit) => values[unit] as number) }))
}

function checkCurve(rungs: readonly HelpRung[], { targets, alpha, resamples = RESAMPLES }: HelpCurveOptions): void {
  const units = rungs[0]?.values.length ?? 0
  if (units === 0) throw new RangeError('a help curve needs at least one rung with at least one unit')
  for (const { tokens, values } of rungs) {
    if (!(Number.isFinite(tokens) && tokens >= 0)) throw new RangeError(`tokens must be 0 or more, got ${tokens}`)
    if (values.length !== units)
      throw new RangeError(`rungs of ${units} and of ${values.length} units are not one ladder`)
    for (const value of values)
      if (!(value >= 0 && value <= 1)) throw new RangeError(`a rate lies in [0, 1], got ${value}`)
  }
  for (const target of targets)
    if (!(target > 0 && target < 1)) throw new RangeError(`a target lies in (0, 1), got ${target}`)
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  if (!(Number.isInteger(resamples) && resamples >= 100)) {
    throw new RangeError(`resamples must be a whole number of at least 100, got ${resamples}`)
  }
}
