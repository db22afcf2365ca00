import type { Interval } from '../stats/intervals.ts'
import { wasPromptSent } from './known-prompts.ts'
import type { Report } from './schema.ts'

export interface HelpCurve {
  readonly subject: string
  /** By tokens of help, least first; rates of first samples. */
  readonly points: readonly {
    readonly condition: string
    readonly tokens: number
    readonly passed: number
    readonly fixtures: number
    readonly rate: number
    readonly interval: Interval | null
  }[]
}

/** A rung of the help ladder; an ablation or a text of the user's is not one. */
const RUNG = /^C\d(@\d+)?$/

/** For each subject that was sent our prompts, with at least two rungs whose headline may be shown, its rates by tokens of help. */
export function helpCurves({ plan, rows }: Report): HelpCurve[] {
  return plan.subjects.filter(wasPromptSent).flatMap(({ id }) => {
    const points = rows
      .filter(({ subject, condition, headline }) => subject === id && RUNG.test(condition) && headline.kind === 'ok')
      .flatMap(({ condition, helpTokens, fixtures, firstSample: { passed, rate, exact } }) =>
        rate === null ? [] : [{ condition, tokens: helpTokens, passed, fixtures, rate, interval: exact }],
      )
      .sort((a, b) => a.tokens - b.tokens)
    return points.length < 2 ? [] : [{ subject: id, points }]
  })
}
