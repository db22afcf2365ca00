import { number, percent, plural } from '../report/format.ts'
import { scoreCell } from '../score/score-cell.ts'
import type { Change, Comparison } from './comparison-schema.ts'
import { attemptsOf } from './joined-rows.ts'
import type { ReportRow } from './pair-rows.ts'
import { UPSTREAM_FALSE_ALARMS } from './upstream-false-alarms.ts'

/** The vox repository's rules for a checkpoint, made for its corpus of 164 problems. */
export const UPSTREAM = { compileRate: 0.9, passAt1: 0.6, regressions: 3, problems: 164, draws: 3 } as const

/**
 * Those of its rules that the gate has not itself: floors of the compile rate and of pass@1, and a limit of regressions,
 * of which one is a problem that BASE passed and HEAD failed in each of three greedy draws.
 *
 * @param regressions null where there is nothing to count them against
 */
export function applyUpstreamPreset(
  head: ReportRow,
  regressions: readonly Change[] | null,
): NonNullable<Comparison['preset']> {
  const { plan } = head.report
  const { compile, firstSample } = scoreCell(plan, head.cell, attemptsOf(head))
  return {
    name: 'upstream',
    rules: [
      floor('compile rate', compile.rate, UPSTREAM.compileRate),
      floor('pass@1', firstSample.rate, UPSTREAM.passAt1),
      ...(regressions === null ? [] : [limitRegressions(regressions, plan.fixtures.length)]),
    ],
    // Simulated for all its rules, and for no other number of problems.
    falseAlarms: regressions !== null && plan.fixtures.length === UPSTREAM.problems ? [...UPSTREAM_FALSE_ALARMS] : [],
  }
}

function floor(name: string, rate: number | null, least: number) {
  return {
    rule: `${name} of ${percent(least)} or more`,
    found: percent(rate),
    isBroken: rate === null || rate < least,
  }
}

function limitRegressions(regressions: readonly Change[], problems: number) {
  const lost = regressions.filter(
    ({ base, head, draws }) => base.passed === base.judged && head.passed === 0 && (draws?.passed ?? 0) === 0,
  )
  const drawn = lost.map(({ head, draws }) => head.judged + (draws?.judged ?? 0))
  const fewest = drawn.reduce((least, each) => Math.min(least, each), UPSTREAM.draws as number)
  const notes = [
    ...(fewest < UPSTREAM.draws ? [`some on ${plural(fewest, 'draw')} instead of ${UPSTREAM.draws}`] : []),
    ...(problems === UPSTREAM.problems ? [] : [`of ${plural(problems, 'problem')}, not of ${UPSTREAM.problems}`]),
  ]
  return {
    rule: `at most ${UPSTREAM.regressions} of ${UPSTREAM.problems} problems that fail in all of ${UPSTREAM.draws} draws`,
    found: [number(lost.length), ...notes].join(', '),
    isBroken: lost.length > UPSTREAM.regressions,
  }
}
