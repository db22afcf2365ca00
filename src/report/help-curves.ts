import type { Plan } from '../generate/plan.ts'
import type { Row } from '../score/row.ts'
import { fitHelpCurve } from '../stats/help-curve.ts'
import { surroundRate } from '../stats/multi-sample-interval.ts'
import { averageFamilies } from '../stats/units.ts'
import type { HelpCurve } from './help-effects-schema.ts'
import { wasPromptSent } from './known-prompts.ts'
import type { PassShares } from './pass-shares.ts'

/** A rung of the help ladder; an ablation or a text of the user's is not one. */
export const RUNG = /^C\d(@\d+)?$/

/** Pass rates whose help is asked for. */
const TARGETS = [0.5, 0.8]

/** For each subject that was sent our prompts, with at least two rungs whose headline may be shown, its rates by tokens of help. */
export function helpCurves(plan: Plan, rows: readonly Row[], shares: PassShares): HelpCurve[] {
  return plan.subjects.filter(wasPromptSent).flatMap(({ id }) => {
    const rungs = rows
      .filter(({ subject, condition, headline }) => subject === id && RUNG.test(condition) && headline.kind === 'ok')
      .map((row) => readRung(row, shares))
      .sort((a, b) => a.tokens - b.tokens)
    return rungs.length < 2 ? [] : [{ subject: id, ...fitRungs(rungs, shares) }]
  })
}

interface MeasuredRung {
  readonly condition: string
  readonly tokens: number
  readonly passed: number
  readonly of: number
  /** Rates of independent units. */
  readonly values: readonly number[]
}

/** Where the headline may be shown, every problem has at least one verdict. */
function readRung({ cell, condition, helpTokens }: Row, { cells, families }: PassShares): MeasuredRung {
  const problems = cells.get(cell) ?? []
  return {
    condition,
    tokens: helpTokens,
    passed: problems.reduce((sum, { passed }) => sum + passed, 0),
    of: problems.reduce((sum, { judged }) => sum + judged, 0),
    values: averageFamilies(
      problems.map(({ share }) => share ?? 0),
      families,
    ),
  }
}

function fitRungs(rungs: readonly MeasuredRung[], { unitsAre, seed }: PassShares): Omit<HelpCurve, 'subject'> {
  const { points, needed } = fitHelpCurve(rungs, { targets: TARGETS, alpha: 0.05, seed })
  const fitAt = new Map(points.map(({ tokens, fit }) => [tokens, fit]))
  return {
    points: rungs.map(({ condition, tokens, passed, of, values }) => {
      const rate = values.reduce((sum, value) => sum + value, 0) / values.length
      return {
        condition,
        tokens,
        passed,
        of,
        rate,
        interval: surroundRate(values, { unitsAre, alpha: 0.05, seed })?.interval ?? null,
        fit: fitAt.get(tokens) ?? rate,
      }
    }),
    needed: [...needed],
  }
}
