import { countPairs, shareAlpha } from '../stats/holm.ts'
import { listDesignProblems, type Range } from '../stats/paired-design.ts'
import { computePowerCurve, type PowerPoint } from '../stats/power-curve.ts'
import { findNeededNRange, type NeededRange, type PowerStatement, powerStatement } from '../stats/power-statement.ts'

/** What is asked of a plan for a corpus or a sweep. Shares in [0, 1]. */
export interface PowerQuestion {
  readonly n: number
  readonly gap: number
  /** Two-sided, over all pairs of models together. */
  readonly familyAlpha: number
  readonly discordance: Range
  readonly target: number
  /** At least 2; each pair of them is compared. */
  readonly models: number
}

/** What a gap takes; `points` are spaced evenly in the logarithm of n. */
export interface GapPower {
  readonly gap: number
  /** With the n that was asked about. */
  readonly power: Range
  readonly neededN: NeededRange
  readonly points: readonly PowerPoint[]
}

/** What the gap that was asked about takes where so many models are compared in pairs. */
export interface ModelsPower {
  readonly models: number
  readonly comparisons: number
  readonly alpha: number
  readonly neededN: NeededRange
  /** At the least, the middle and the greatest planned discordance. */
  readonly at: readonly { readonly discordance: number; readonly neededN: number | null }[]
}

export interface PowerPlan {
  readonly familyAlpha: number
  readonly models: number
  readonly comparisons: number
  /** Of the n and the gap that were asked about; its alpha is that of one comparison. */
  readonly statement: PowerStatement
  /** By gap, the smallest first. */
  readonly gaps: readonly GapPower[]
  readonly byModels: readonly ModelsPower[]
}

const GAPS = [0.05, 0.1, 0.15, 0.2]
const MODELS = [2, 3, 4, 6, 10]
const POINTS = 161
/** Between these a plot is drawn at least; it grows to hold what was asked and every needed n. */
const SPAN = { from: 10, to: 500 } as const
const MOST_DRAWN = 20_000

/**
 * The numbers of a power plan, exact but for the drawn points (`computePowerCurve`). All pairs of the models are tested
 * at `familyAlpha` together, each at its share of it (Bonferroni): the first step of Holm's procedure, so what is needed
 * here is enough for it.
 *
 * @throws RangeError that lists every problem of the question.
 */
export function planPower(question: PowerQuestion): PowerPlan {
  const problems = listQuestionProblems(question)
  if (problems.length > 0) throw new RangeError(problems.join('; '))
  const { n, gap, familyAlpha, discordance, target, models } = question
  const comparisons = countPairs(models)
  const alpha = shareAlpha(familyAlpha, comparisons)
  const design = { alpha, discordance, target }
  const statements = [...new Set([...GAPS, gap])]
    .sort((a, b) => a - b)
    .filter((each) => listDesignProblems({ ...design, gap: each }).length === 0)
    .map((each) => powerStatement({ ...design, n, gap: each }))
  const ns = spreadNumbers(statements)
  return {
    familyAlpha,
    models,
    comparisons,
    statement: statements.find((each) => each.gap === gap) ?? powerStatement({ ...design, n, gap }),
    gaps: statements.map(({ gap, power, neededN }) => ({
      gap,
      power,
      neededN,
      points: computePowerCurve({ alpha, discordance, gap }, ns),
    })),
    byModels: [...new Set([...MODELS, models])].sort((a, b) => a - b).map((each) => neededFor(each, question)),
  }
}

/** Every problem of a question, as one sentence each; empty where `planPower` accepts it. */
export function listQuestionProblems({ models, familyAlpha, ...rest }: PowerQuestion): string[] {
  const isCount = Number.isInteger(models) && models >= 2 && models <= 1000
  return [
    ...listDesignProblems({ ...rest, alpha: familyAlpha }),
    ...(isCount ? [] : [`models must be a number from 2 to 1000, got ${models}`]),
  ]
}

function neededFor(models: number, { gap, familyAlpha, discordance, target }: PowerQuestion): ModelsPower {
  const comparisons = countPairs(models)
  const alpha = shareAlpha(familyAlpha, comparisons)
  const { min, max } = discordance
  const places = min === max ? [min] : [min, (min + max) / 2, max]
  const neededAt = (range: Range) => findNeededNRange({ gap, alpha, target, discordance: range })
  return {
    models,
    comparisons,
    alpha,
    neededN: neededAt(discordance),
    at: places.map((place) => ({ discordance: place, neededN: neededAt({ min: place, max: place }).max })),
  }
}

/** Whole numbers whose logarithms are evenly spaced, from 10 or less to a quarter past the largest that is marked. */
function spreadNumbers(statements: readonly PowerStatement[]): number[] {
  const marked = statements.flatMap(({ n, neededN }) => [n, neededN.min ?? 0, neededN.max ?? 0])
  const to = Math.min(MOST_DRAWN, Math.max(SPAN.to, ...marked.map((each) => Math.ceil(each * 1.25))))
  const from = Math.max(2, Math.min(SPAN.from, ...statements.map(({ n }) => n)))
  const ratio = Math.log(to / from) / (POINTS - 1)
  return [...new Set(Array.from({ length: POINTS }, (_, step) => Math.round(from * Math.exp(ratio * step))))]
}
