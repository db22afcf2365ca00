import { UPSTREAM } from '../../src/compare/upstream-preset.ts'
import { tabulatePopulation } from '../../src/stats/population.ts'
import { createRandom, type Random } from '../../src/stats/random.ts'

export interface FalseAlarms {
  readonly where: string
  readonly rate: number
  readonly standardError: number
}

/** Draws one problem: whether BASE passes it, and whether HEAD does in its first draw and in any of all draws. */
type DrawProblem = (random: Random) => { readonly base: boolean; readonly first: boolean; readonly any: boolean }

const RATE = 0.75

/** Two checkpoints that always answer the same: each passes `only` of the problems that the other fails. */
function steady(only: number): DrawProblem {
  return (random) => {
    const at = random.drawUnit()
    if (at < only) return { base: true, first: false, any: false }
    if (at < 2 * only) return { base: false, first: true, any: true }
    const both = at < RATE + only
    return { base: both, first: both, any: both }
  }
}

/** One model twice, whose answers to a problem vary: most problems nearly always pass or nearly always fail. */
function varying(concentration: number): DrawProblem {
  const { base: chances } = tabulatePopulation({ rate: RATE, gap: 0, concentration, shiftSpread: 0 })
  return (random) => {
    const chance = chances[random.drawBelow(chances.length)] as number
    const draws = Array.from({ length: UPSTREAM.draws }, () => random.drawUnit() < chance)
    return { base: random.drawUnit() < chance, first: draws[0] as boolean, any: draws.includes(true) }
  }
}

const scenarios: readonly (readonly [string, DrawProblem])[] = [
  ['two steady checkpoints, equally good, each passing 2.5 % of the problems that the other fails', steady(0.025)],
  ['two steady checkpoints, equally good, each passing 7.5 % of the problems that the other fails', steady(0.075)],
  ['one model twice, its answers varying (Beta, mean 75 %, concentration 0.5)', varying(0.5)],
]

/**
 * How often the rules are broken by a pull request that makes nothing worse, over 164 problems at a true pass rate of
 * 75 %. The floor of the compile rate is taken as met.
 */
export function simulateUpstream(pullRequests: number, seed: number): FalseAlarms[] {
  return scenarios.map(([where, draw], index) => {
    const random = createRandom(seed + index)
    let alarms = 0
    for (let request = 0; request < pullRequests; request++) {
      let lost = 0
      let passed = 0
      for (let problem = 0; problem < UPSTREAM.problems; problem++) {
        const { base, first, any } = draw(random)
        if (base && !any) lost += 1
        if (first) passed += 1
      }
      if (lost > UPSTREAM.regressions || passed < UPSTREAM.passAt1 * UPSTREAM.problems) alarms += 1
    }
    const rate = alarms / pullRequests
    return { where, rate, standardError: Math.sqrt((rate * (1 - rate)) / pullRequests) }
  })
}
