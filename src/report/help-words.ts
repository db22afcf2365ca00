import type { Interval } from '../stats/intervals.ts'
import { number, percent, plural } from './format.ts'
import type {
  Ablation,
  Difference,
  HelpEffects,
  HelpNeededEntry,
  Lift,
  MatchedAmount,
  MatchedCost,
  PooledLift,
} from './help-effects-schema.ts'

/** `+62.5`, `−3.0`, `0.0`: a difference of rates in points. */
export function points(difference: number): string {
  const words = Math.abs(difference * 100).toFixed(1)
  if (words === '0.0') return words
  return `${difference > 0 ? '+' : '−'}${words}`
}

/** `−3.0 to +45.1`. */
export function pointsRange({ low, high }: Interval): string {
  return `${points(low)} to ${points(high)}`
}

/** `18 more, 2 less`: on how many problems the first side passes more often, and less often. */
export function describeMoreLess({ more, less }: Pick<Difference, 'more' | 'less'>): string {
  return `${number(more)} more, ${number(less)} less`
}

/** `C0 → C3`. */
export function describeRungs({ least, most }: Pick<Lift, 'least' | 'most'>): string {
  return `${least.condition} → ${most.condition}`
}

/** `591`, or why it is not known. */
export function describeNeeded(needed: HelpNeededEntry): string {
  return needed.kind === 'reached' ? number(needed.tokens) : needed.reason
}

/** `560 to 640`, open ends in words; null without an interval. */
export function describeNeededRange(needed: HelpNeededEntry): string | null {
  if (needed.kind === 'unknown') return null
  const low = needed.low === null ? 'less than the least' : number(needed.low)
  const high = needed.high === null ? 'more than the most' : number(needed.high)
  return `${low} to ${high}`
}

/** `p 0.031`; four digits where it is small. */
export function pValue(p: number): string {
  if (p < 0.0001) return 'under 0.0001'
  return p.toLocaleString('en-US', p < 0.01 ? { maximumFractionDigits: 4 } : { maximumFractionDigits: 3 })
}

/** `1.42 times`. */
export function describeRatio({ ratio, reason }: MatchedAmount): string {
  return ratio === null ? (reason ?? 'unknown') : `${times(ratio)} times`
}

/** `1.20 to 1.68`; null without an interval. */
export function describeRatioRange({ interval }: MatchedAmount): string | null {
  return interval === null ? null : `${times(interval.low)} to ${times(interval.high)}`
}

function times(ratio: number): string {
  return ratio.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

/** What a reader has to know of the lifts and the curve, and what these numbers cannot show. */
export function explainLifts({ lifts, pooledLifts, sight }: HelpEffects): string[] {
  if (lifts.length === 0) return []
  return [
    'Lift: the pass rate with the most help less that with the least, problem by problem, in points. Help needed: tokens at which a curve that never falls, straight between two rungs, reaches a rate. All intervals are 95 %, each for itself: they do not tell whether two subjects differ.',
    ...explainPooled(pooledLifts),
    ...explainLeftOut([...lifts, ...pooledLifts]),
    describeSight(sight, 'lift', sight.lift, 'at alpha 5 %'),
  ]
}

/** The same of the ablations. */
export function explainAblations({ ablations, sight }: HelpEffects): string[] {
  if (ablations.length === 0) return []
  const tests = [...new Set(ablations.flatMap(({ test }) => (test === null ? [] : [test])))]
  return [
    `The pass rate with a section less that without it, the rest of the help as it was, in points; intervals are 95 %, each for itself. p: ${tests.length === 0 ? 'no test was possible' : tests.join(', ')}, two-sided; by Holm over all ${number(ablations.length)} of this table. A section without an effect here may have one that so few problems do not show.`,
    ...explainLeftOut(ablations),
    describeSight(sight, 'section', sight.ablation, `at alpha 5 % over ${number(ablations.length)}`),
  ]
}

function explainPooled(pooled: readonly PooledLift[]): string[] {
  if (pooled.length === 0) return []
  return [
    'The mean over subjects is taken on each problem first: it is that of these subjects on problems like these, not of subjects in general.',
  ]
}

function explainLeftOut(differences: readonly (Difference | Ablation)[]): string[] {
  const most = Math.max(...differences.map(({ leftOut }) => leftOut))
  if (most === 0) return []
  return [
    `Left out are problems without a verdict on either side: up to ${plural(most, 'problem')} of a line. Which those are may be no accident.`,
  ]
}

function describeSight(
  { units, target, discordance }: HelpEffects['sight'],
  what: 'lift' | 'section',
  gap: number | null,
  alpha: string,
): string {
  const problems = plural(units, 'independent problem')
  const worth = what === 'lift' ? 'a lift' : 'a section'
  const design = `exact McNemar test, one sample each, ${alpha}, planned for ${percent(discordance.min)} to ${percent(discordance.max)} of problems going the other way`
  const seen = `seen at least ${percent(target)} of the time`
  if (gap === null) return `With ${problems} ${worth} of no size is ${seen} (${design}).`
  return `With ${problems} ${worth} is ${seen} only from ${number(gap * 100, 1)} points on; of smaller ones more are missed (${design}).`
}

/** Whether two cells solve a problem in common of which anything is known on both sides. */
export function isAnythingMatched({ tokens, usd, latencyMs }: MatchedCost): boolean {
  return [tokens, usd, latencyMs].some(({ fixtures }) => fixtures > 0)
}
