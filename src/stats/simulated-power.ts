import { sumSignFlips } from './permutation.ts'
import { type PopulationModel, tabulatePopulation } from './population.ts'
import { createRandom, type Random } from './random.ts'

export type SimulatedPlan = PopulationModel & {
  /** Fixtures, each drawn from the model by itself. */
  readonly n: number
  /** Of each fixture by each row. */
  readonly samples: number
  readonly alpha: number
  readonly seed: number
  readonly repetitions?: number
}

export type SimulatedPower = {
  readonly power: number
  /** Of the simulation: √(power (1 - power) / repetitions). */
  readonly standardError: number
  readonly repetitions: number
}

const REPETITIONS = 2000

/**
 * The power of the sign-flip test for two rows with several samples of each fixture, by simulation: fixtures are
 * drawn from the declared model, then outcomes, and the exact test is made. A rejection in either direction counts.
 * With one sample a fixture `computePower` gives the same exactly.
 *
 * @throws RangeError that lists every problem of the numbers.
 */
export function simulatePower(plan: SimulatedPlan): SimulatedPower {
  const { n, samples, alpha, seed, repetitions = REPETITIONS } = plan
  const problems = listRunProblems(n, samples, alpha, repetitions)
  if (problems.length > 0) throw new RangeError(problems.join('; '))
  const { base, head } = tabulatePopulation(plan)
  const random = createRandom(seed)
  const differences = new Array<number>(n).fill(0)
  let rejections = 0
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (let fixture = 0; fixture < n; fixture++) {
      const kind = random.drawBelow(base.length)
      const basePasses = countPasses(base[kind] as number, samples, random)
      differences[fixture] = countPasses(head[kind] as number, samples, random) - basePasses
    }
    if (sumSignFlips(differences) <= alpha) rejections += 1
  }
  const power = rejections / repetitions
  return { power, standardError: Math.sqrt((power * (1 - power)) / repetitions), repetitions }
}

function countPasses(chance: number, samples: number, random: Random): number {
  let passes = 0
  for (let sample = 0; sample < samples; sample++) if (random.drawUnit() < chance) passes += 1
  return passes
}

function listRunProblems(n: number, samples: number, alpha: number, repetitions: number): string[] {
  const problems: string[] = []
  const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most
  if (!isCount(n, 10_000)) problems.push(`n must be a count of 1 to 10000 fixtures, got ${n}`)
  if (!isCount(samples, 1000)) problems.push(`samples must be a count of 1 to 1000, got ${samples}`)
  if (!isCount(repetitions, 1e6)) problems.push(`repetitions must be a count of 1 to 1000000, got ${repetitions}`)
  if (!(alpha > 0 && alpha < 1)) problems.push(`alpha must lie in (0, 1), got ${alpha}`)
  return problems
}
