import { expect, test } from 'vitest'
import { compareReports } from '../../src/compare/compare-reports.ts'
import type { Report } from '../../src/report/schema.ts'
import { clopperPearson } from '../../src/stats/intervals.ts'
import { createRandom } from '../../src/stats/random.ts'
import { baseReport, FAIL, headReport, OPTIONS, PASS } from './sample-pair.ts'

const PULL_REQUESTS = 600
const FIXTURES = 40

/** The report as if its model had passed just these problems. */
function withPasses(report: Report, passes: readonly boolean[]): Report {
  return {
    ...report,
    attempts: report.attempts.map((attempt, index) => ({ ...attempt, ...(passes[index] ? PASS : FAIL) })),
  }
}

test('A/A over whole reports, with further draws of what was lost: false alarms stay at alpha, draws change no outcome', async () => {
  const small = { fixtures: FIXTURES, outcome: () => PASS }
  const [base, head] = [await baseReport(small), await headReport(small)]
  const again = await headReport(small, { plan: (plan) => ({ ...plan, seed: 70 }) })
  const random = createRandom(11)
  const draw = (chances: readonly number[]) => chances.map((chance) => random.drawUnit() < chance)
  let alarms = 0
  for (let request = 0; request < PULL_REQUESTS; request++) {
    // Two checkpoints of one true rate that are sure of most problems and toss a coin for a third of them.
    const chances = Array.from({ length: FIXTURES }, () => [0, 1, 0.5][random.drawBelow(3)] as number)
    const [before, after] = [withPasses(base, draw(chances)), withPasses(head, draw(chances))]
    const { outcome } = compareReports(before, after, OPTIONS)
    if (outcome === 'regressed' || outcome === 'improved') alarms += 1
    const draws = withPasses(again, draw(chances))
    expect(compareReports(before, after, { ...OPTIONS, draws }).outcome).toBe(outcome)
  }
  expect(clopperPearson(alarms, PULL_REQUESTS, 0.002)?.high).toBeLessThanOrEqual(0.05)
})
