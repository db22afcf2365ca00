import { type PowerStatement, powerStatement } from '../stats/power-statement.ts'
import { number, percent, plural } from './format.ts'

/** A checkpoint against its predecessor: problems only the worse one passes are a few in a hundred. */
const DESIGN = { gap: 0.1, alpha: 0.05, discordance: { min: 0.025, max: 0.075 }, target: 0.8 }

/** What a comparison of two rows over `n` independent problems can see of a gap of 10 points. */
export function statePower(n: number): PowerStatement {
  return powerStatement({ ...DESIGN, n })
}

/** A level of significance with two digits that are not 0: `0.34 %`. */
export function wordAlpha(alpha: number): string {
  return `${number(alphaPercent(alpha), 12)} %`
}

/** The level of confidence beside it, with as many digits after the point: `99.66 %`. */
export function wordConfidence(alpha: number): string {
  return `${number(100 - alphaPercent(alpha), 12)} %`
}

function alphaPercent(alpha: number): number {
  return Number((alpha * 100).toPrecision(2))
}

/**
 * The power statement: what this run would notice, how many problems it takes, and by what method. Every figure comes
 * from the statement. `unit` is what counts once: a problem, or a family of problems.
 */
export function wordPower(statement: PowerStatement, unit: 'problem' | 'independent problem' = 'problem'): string {
  const { n, gap, alpha, discordance, target, power, neededN } = statement
  const better = `if one row were truly ${(gap * 100).toFixed(0)} points better than another, this run would notice it ${wordChance(power)}.`
  const { min, max } = neededN
  const needed =
    min === null || max === null
      ? 'No practical number of problems would show it.'
      : `Noticing it ${wordShare(target)} takes ${number(min)} to ${number(max)} problems.`
  const test = `exact two-sided McNemar test, alpha ${wordAlpha(alpha)}, planned for ${percent(discordance.min)} to ${percent(discordance.max)} of problems that only the worse row passes`
  return `${wordAmount(plural(n, unit), statement)} ${better} ${needed} Method: ${test}.`
}

/** Problems are called few only where their power is below the target. */
function wordAmount(problems: string, { n, power, target }: PowerStatement): string {
  const are = n === 1 ? 'is' : 'are'
  if (power.max < target) return `${problems} ${are} few:`
  return power.min < target ? `${problems} may be too few:` : `With ${problems},`
}

function wordShare(share: number): string {
  return `${(share * 10).toFixed(0)} times in ten`
}

/** `about one time in ten`, `between one time in seven and one time in five`, `79 to 96 times in a hundred`. */
export function wordChance({ min, max }: PowerStatement['power']): string {
  if (max < 0.005) return 'practically never'
  if (max > 0.4) {
    const [low, high] = [inHundred(min), inHundred(max)]
    const often = `${high} times in a hundred`
    if (min < 0.005) return `at most ${often}`
    return low === high ? often : `${low} to ${often}`
  }
  const often = oneIn(max)
  if (min < 0.005) return `at most ${often}`
  const seldom = oneIn(min)
  return seldom === often ? `about ${often}` : `between ${seldom} and ${often}`
}

const WORDS = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** No chance short of 1 is told as a certainty. */
function inHundred(chance: number): string {
  const times = Math.round(chance * 100)
  return times === 100 && chance < 1 ? 'more than 99' : String(times)
}

function oneIn(chance: number): string {
  const every = Math.round(1 / chance)
  return `one time in ${WORDS[every] ?? every}`
}
