import { invertRegularisedBeta } from './beta.ts'
import { invertNormalCdf } from './normal.ts'

/**
 * What is assumed, before a run, of how likely two rows are to pass each fixture.
 *
 * The base row's chance of passing a fixture is Beta distributed over fixtures with mean `rate` and `concentration`
 * (the sum of the two shapes). The smaller it is, the more fixtures differ and the less repeated samples add: the share
 * of the variance of one outcome that lies within fixtures is concentration / (concentration + 1). The head row's chance
 * is the base's, shifted on the logit scale by an amount that is normal over fixtures with standard deviation
 * `shiftSpread`: 0 for a row that is better or worse everywhere, 1 or more for different models. Its mean shift is solved
 * for, so that the mean gap is the stated one.
 */
export type PopulationModel = {
  /** Mean pass rate of the base row, in (0, 1). */
  readonly rate: number
  /** Mean pass rate of the head row less that of the base row. */
  readonly gap: number
  /** At least 0.1; Infinity where the base row finds all fixtures equally hard. */
  readonly concentration: number
  /** In logits, at least 0. */
  readonly shiftSpread: number
}

/** Equally likely kinds of fixtures: the chances of both rows to pass fixture kind i. */
export type Population = { readonly base: Float64Array; readonly head: Float64Array }

const RATES = 128
const SHIFTS = 16
/** A chance of 1e-13 to pass is none. */
const MAX_LOGIT = 30

/** Every problem of a model's numbers, as one sentence each; empty where there is none. */
export function listPopulationProblems({ rate, gap, concentration, shiftSpread }: PopulationModel): string[] {
  const problems: string[] = []
  if (!(rate > 0 && rate < 1)) problems.push(`rate must lie in (0, 1), got ${rate}`)
  if (!(rate + gap > 0 && rate + gap < 1)) problems.push(`rate + gap must lie in (0, 1), got ${rate} + ${gap}`)
  if (!(concentration >= 0.1)) problems.push(`concentration must be at least 0.1, got ${concentration}`)
  if (!(shiftSpread >= 0 && shiftSpread <= 10)) problems.push(`shiftSpread must lie in [0, 10], got ${shiftSpread}`)
  return problems
}

/**
 * The model as 2,048 equally likely kinds of fixtures: 128 quantiles of the base rate, each with 16 quantiles of the
 * shift. Both means are exact to rounding.
 *
 * @throws RangeError that lists every problem of the model.
 */
export function tabulatePopulation(model: PopulationModel): Population {
  const problems = listPopulationProblems(model)
  if (problems.length > 0) throw new RangeError(problems.join('; '))
  const { rate, gap, concentration, shiftSpread } = model
  const difficulties = listMidpoints(concentration === Number.POSITIVE_INFINITY ? 1 : RATES).map((level) =>
    concentration === Number.POSITIVE_INFINITY
      ? toLogit(rate)
      : toLogit(invertRegularisedBeta(level, rate * concentration, (1 - rate) * concentration)),
  )
  const shifts = listMidpoints(SHIFTS).map((level) => shiftSpread * invertNormalCdf(level))
  const centred = shiftToMean(difficulties, rate)
  const baseLogits = centred.flatMap((logit) => shifts.map(() => logit))
  const headLogits = shiftToMean(
    centred.flatMap((logit) => shifts.map((shift) => logit + shift)),
    rate + gap,
  )
  return { base: Float64Array.from(baseLogits, toChance), head: Float64Array.from(headLogits, toChance) }
}

/** Moves all logits by the one amount that gives their chances the wanted mean. */
function shiftToMean(logits: readonly number[], wanted: number): number[] {
  let low = -2 * MAX_LOGIT
  let high = 2 * MAX_LOGIT
  for (;;) {
    const middle = (low + high) / 2
    const mean = logits.reduce((sum, logit) => sum + toChance(logit + middle), 0) / logits.length
    if (!(middle > low && middle < high)) return logits.map((logit) => logit + middle)
    if (mean < wanted) low = middle
    else high = middle
  }
}

function listMidpoints(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + 0.5) / count)
}

function toLogit(chance: number): number {
  return Math.max(-MAX_LOGIT, Math.min(MAX_LOGIT, Math.log(chance) - Math.log1p(-chance)))
}

function toChance(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
