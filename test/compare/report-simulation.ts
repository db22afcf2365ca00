import type { CompareOptions } from '../../src/compare/compare-options.ts'
import { compareReports } from '../../src/compare/compare-reports.ts'
import type { Report } from '../../src/report/schema.ts'
import type { Look } from '../../src/stats/gate.ts'
import { createRandom, type Random } from '../../src/stats/random.ts'
import { baseReport, FAIL, headReport, OPTIONS, PASS } from './sample-pair.ts'

/** Pull requests whose BASE and HEAD are small reports, made from real journals and gated whole. */
export interface Simulation {
  readonly fixtures: number
  readonly samples: number
  /** How much less likely HEAD is to pass a problem of which BASE is not sure; 0 where nothing got worse. */
  readonly loss: number
  readonly pullRequests: number
  readonly seed: number
  /** One for each push to a pull request. */
  readonly looks: readonly Look[]
  /** Further draws of HEAD over all problems, with which the outcome must be the same. */
  readonly hasDraws: boolean
}

export interface Simulated {
  /** Pull requests with such an outcome at any of their looks. */
  readonly regressed: number
  readonly improved: number
  /** Looks whose outcome is another with further draws. */
  readonly changedByDraws: number
}

/** Checkpoints that are sure to pass some problems, sure to fail others, and toss a coin for a third of them. */
export async function simulatePullRequests(simulation: Simulation): Promise<Simulated> {
  const { fixtures, samples, loss, pullRequests, seed, looks, hasDraws } = simulation
  const small = { fixtures, samples, outcome: () => PASS }
  const [base, head] = [await baseReport(small), await headReport(small)]
  const again = await headReport(small, { plan: (plan) => ({ ...plan, seed: 70 }) })
  const random = createRandom(seed)
  const count = { regressed: 0, improved: 0, changedByDraws: 0 }
  for (let request = 0; request < pullRequests; request++) {
    const chances = new Map(base.plan.fixtures.map(({ id }) => [id, [0, 1, 0.5][random.drawBelow(3)] as number]))
    const worse = new Map([...chances].map(([id, chance]) => [id, chance === 0.5 ? 0.5 - loss : chance]))
    const heard = new Set<string>()
    for (const look of looks) {
      const [before, after] = [drawReport(base, chances, random), drawReport(head, worse, random)]
      const options: CompareOptions = { ...OPTIONS, look }
      const { outcome } = compareReports(before, after, options)
      heard.add(outcome)
      if (!hasDraws) continue
      const draws = drawReport(again, worse, random)
      if (compareReports(before, after, { ...options, draws }).outcome !== outcome) count.changedByDraws += 1
    }
    if (heard.has('regressed')) count.regressed += 1
    if (heard.has('improved')) count.improved += 1
  }
  return count
}

/** The report as if its model had answered anew. */
function drawReport(report: Report, chances: ReadonlyMap<string, number>, random: Random): Report {
  return {
    ...report,
    attempts: report.attempts.map((attempt) => ({
      ...attempt,
      ...(random.drawUnit() < (chances.get(attempt.fixture) ?? 0) ? PASS : FAIL),
    })),
  }
}
