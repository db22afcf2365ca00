import { number, percent, plural } from '../report/format.ts'
import { points, pointsRange, pValue } from '../report/help-words.ts'
import { wordAlpha, wordConfidence, wordPower } from '../report/power-words.ts'
import type { Change, Comparison } from './comparison-schema.ts'
import { UPSTREAM } from './upstream-preset.ts'

/** Foreign text in these sentences is as it came: whoever shows them escapes them. */

const titles: Readonly<Record<Comparison['outcome'], string>> = {
  regressed: 'Regressed',
  improved: 'Improved',
  'not-detected': 'No loss detected',
  'cannot-tell': 'Cannot tell',
  blocked: 'Blocked',
  'no-baseline': 'No baseline',
}

export function titleOf({ outcome }: Comparison): string {
  return titles[outcome]
}

/** What was compared with what. */
export function describeSides({ base, head }: Comparison): string {
  const name = (side: Comparison['head']) => `${side.subject} under ${side.condition} (run ${side.runId})`
  return base === null ? `HEAD: ${name(head)}` : `BASE: ${name(base)}; HEAD: ${name(head)}`
}

/** What this comparison could see, before anything of its result. */
export function describePower({ power, look, alpha }: Comparison): string {
  const surely =
    power.smallestGap === null
      ? 'No gap of any size is surely noticed.'
      : `Surely noticed, ${percent(power.target)} of the time over that whole range, is a gap from ${number(power.smallestGap * 100, 1)} points on.`
  return `${wordPower(power, 'independent problem')} ${surely} ${describeLook(look, alpha)} Planned for one sample a problem; more samples see somewhat more.`
}

function describeLook(look: Comparison['look'], { overall, look: own }: Comparison['alpha']): string {
  if (look.kind === 'push')
    return `This is push ${number(look.j)} (j = ${look.j}): alpha 6 · ${wordAlpha(overall)} / (π² · ${look.j}²) = ${wordAlpha(own)}.`
  if (look.kind === 'scheduled')
    return `This is one of ${number(look.horizon)} scheduled runs (T = ${look.horizon}): alpha ${wordAlpha(overall)} / ${look.horizon} = ${wordAlpha(own)}.`
  return `This is the only look: alpha ${wordAlpha(own)}.`
}

/** The outcome in one sentence. */
export function describeOutcome(comparison: Comparison): string {
  const { outcome, margin, mismatches, blocks, fixtures } = comparison
  const loss = `${number(margin * 100, 1)} points`
  switch (outcome) {
    case 'regressed':
      return 'HEAD passes fewer of these problems than BASE, by more than chance explains.'
    case 'improved':
      return 'HEAD passes more of these problems than BASE, by more than chance explains.'
    case 'not-detected':
      return `No difference is shown, and a loss of ${loss} or more is excluded. A smaller loss is not.`
    case 'cannot-tell':
      return `No difference is shown, but neither is a loss of ${loss} or more excluded: these problems are too few, or the rows differ on too many.`
    case 'blocked':
      return `Nothing is decided: ${plural(mismatches.length + blocks.length, 'reason')} below.`
    case 'no-baseline':
      return `There is nothing to compare with. HEAD can be the baseline of the next comparison${describePart(fixtures)}.`
  }
}

/** A baseline of a part is one for that part only. */
function describePart({ inHead, inSplit }: Comparison['fixtures']): string {
  return inHead < inSplit ? `, over ${number(inHead)} of ${plural(inSplit, 'problem')} of the split` : ''
}

/** Difference, test, its interval and the cautious one, and counts; null where nothing was tested. */
export function describeDecision({ decision, alpha }: Comparison): string | null {
  if (decision === null) return null
  const { difference, testInterval, interval, method, p, test, discordant, fixtures, n, nonInferiorityBound } = decision
  const units =
    n === fixtures ? plural(n, 'problem') : `${plural(fixtures, 'problem')} in ${number(n)} independent units`
  return [
    `HEAD less BASE: ${points(difference)} points, p ${pValue(p)} (${test}, two-sided, alpha ${wordAlpha(alpha.look)}), which decides whether there is a difference.`,
    ...(testInterval === null
      ? []
      : [`Its own ${wordConfidence(alpha.look)} interval is ${pointsRange(testInterval)}.`]),
    `Of ${units}, ${number(discordant.b)} pass more often in BASE and ${number(discordant.c)} in HEAD.`,
    `${describeExcluded(nonInferiorityBound)} is excluded, by the cautious interval of ${pointsRange(interval)} (${method}), which is for that alone and may hold 0 whatever the test says.`,
  ].join(' ')
}

/** What is shown is no smaller than the bound. */
function describeExcluded(bound: number): string {
  return bound >= 0 ? 'Any loss' : `A loss of more than ${number(Math.max(0.1, -bound * 100), 1)} points`
}

/** Why nothing was decided, one line each. */
export function listReasons({ mismatches, blocks }: Comparison): string[] {
  return [
    ...mismatches.map(({ field, base, head }) => `${field}: BASE has ${base}, HEAD has ${head}`),
    ...blocks.map(({ side, reason }) => `${side === 'base' ? 'BASE' : 'HEAD'}: ${reason}`),
  ]
}

const NAMED = 20

/** What else a reader has to know. */
export function listNotes({ base, head, fixtures, clean, touched, regressions }: Comparison): string[] {
  const named = (ids: readonly string[]) =>
    `${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ` and ${number(ids.length - NAMED)} more` : ''}`
  return [
    ...(fixtures.onlyInHead.length === 0
      ? []
      : [
          `Not compared, since BASE lacks ${fixtures.onlyInHead.length === 1 ? 'it' : 'them'}: ${named(fixtures.onlyInHead)}.`,
        ]),
    ...(base === null || base.seed === head.seed
      ? []
      : [`Seeds differ (${base.seed} and ${head.seed}), as they may: a seed chooses draws, not what is drawn from.`]),
    ...(base === null || base.endpoint === head.endpoint
      ? []
      : [
          `Endpoints differ (${base.endpoint ?? 'none'} and ${head.endpoint ?? 'none'}): what serves a model may change its answers.`,
        ]),
    ...(touched.length === 0
      ? []
      : [
          `Training data touched ${plural(touched.length, 'problem')}: ${named(touched)}. They are compared, and count as contaminated.`,
        ]),
    ...(base === null
      ? []
      : clean.kind === 'unknown'
        ? [`Nothing counts as uncontaminated: ${clean.reason}.`]
        : [
            `Uncontaminated (added after ${clean.cutoff}, not touched): ${plural(clean.fixtures, 'problem')}, of which ${number(clean.less)} pass more often in BASE and ${number(clean.more)} in HEAD; not tested.`,
          ]),
    ...(regressions.some(({ draws }) => draws !== null)
      ? ['Further draws label this list only; they are in no test, rate or interval.']
      : []),
  ]
}

/** `failed 3 of 3 further draws`, `passed 2 of 3 further draws: noise is likely`; null without any. */
export function describeDraws({ draws }: Change): string | null {
  if (draws === null || draws.judged === 0) return null
  const { passed, judged } = draws
  if (passed === 0) return `failed ${number(judged)} of ${number(judged)} further draws`
  const likely = passed * 2 > judged ? ': noise is likely' : ''
  return `passed ${number(passed)} of ${number(judged)} further draws${likely}`
}

/** `passed`, or how many of several samples passed and how one that shows the change ended. */
export function describeChangeSide({ passed, judged, verdict }: Change['base']): string {
  return judged === 1 ? verdict : `${number(passed)} of ${number(judged)} passed; ${verdict}`
}

/** The preset's rules and how often they cry wolf, one line each; none without a preset. */
export function listPresetLines({ preset }: Comparison): string[] {
  if (preset === null) return []
  const simulated = `${UPSTREAM.problems} problems and ${UPSTREAM.draws} draws`
  return [
    ...preset.rules.map(({ rule, found, isBroken }) => `${isBroken ? 'broken' : 'kept'}: ${rule}; found ${found}`),
    ...(preset.falseAlarms.length === 0
      ? [
          `false alarms: none are given, since they were simulated for ${simulated} against a baseline, and this is another case`,
        ]
      : []),
    ...preset.falseAlarms.map(
      ({ where, rate, standardError }) =>
        `false alarms, simulated with ${simulated}: ${percent(rate)} (± ${percent(standardError)}) of pull requests that make nothing worse; ${where}`,
    ),
  ]
}
