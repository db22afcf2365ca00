import type { Range } from '../stats/paired-design.ts'
import type { NeededRange } from '../stats/power-statement.ts'
import { number, percent } from './format.ts'
import type { PowerPlan } from './power-plan.ts'

/** `10 points`. */
export function gapWords(gap: number): string {
  const points = Number((gap * 100).toFixed(2))
  return `${number(points, 2)} ${points === 1 ? 'point' : 'points'}`
}

/** `122 to 207`; in words where more problems are needed than were searched. */
export function neededWords({ min, max }: NeededRange): string {
  if (min === null) return 'more than were searched'
  if (max === null) return `${number(min)} or many more`
  return min === max ? number(min) : `${number(min)} to ${number(max)}`
}

/** `10.3 % to 10.7 %`. */
export function powerRange({ min, max }: Range): string {
  const [low, high] = [percent(min), percent(max)]
  return low === high ? low : `${low} to ${high}`
}

/** What stands behind every number of a plan, in two sentences. */
export function methodWords({ statement, familyAlpha, models, comparisons }: PowerPlan): readonly [string, string] {
  const { min, max } = statement.discordance
  const share = min === max ? percent(min) : `${percent(min)} to ${percent(max)}`
  const family =
    comparisons === 1
      ? `alpha ${percent(familyAlpha)}, for one pair that was named beforehand`
      : `alpha ${percent(familyAlpha)} over the ${comparisons} pairs of ${models} models, so ${alphaWords(statement.alpha)} for each`
  return [
    `Exact two-sided McNemar test, one sample a problem; ${family}.`,
    `Planned for ${share} of problems that only the weaker side solves (minority discordance).`,
  ]
}

/** `0.333 %`: three digits, since a share of alpha is small. */
export function alphaWords(alpha: number): string {
  return `${Number((alpha * 100).toPrecision(3))} %`
}
