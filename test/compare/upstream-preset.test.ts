import { expect, test } from 'vitest'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { listPresetLines } from '../../src/compare/comparison-words.ts'
import { UPSTREAM_FALSE_ALARMS } from '../../src/compare/upstream-false-alarms.ts'
import { binomialCdf } from '../../src/stats/binomial.ts'
import { FAILURES, judged } from '../score/sample-run.ts'
import { baseReport, failing, headReport, OPTIONS, PASS, range } from './sample-pair.ts'
import { simulateUpstream } from './upstream-simulation.ts'

const PRESET = { ...OPTIONS, preset: 'upstream' as const }
const broken = ({ preset }: ReturnType<typeof compareReports>) =>
  preset?.rules.filter(({ isBroken }) => isBroken).map(({ rule }) => rule)

test('without the preset its rules are nowhere', async () => {
  const head = await headReport({ outcome: failing(...range(0, 4)) })
  expect(compareReports(await baseReport(), head, OPTIONS)).toMatchObject({ preset: null, passes: true })
})

test('more than three regressions break it, whatever the gate says', async () => {
  const compareLost = async (lost: number) =>
    compareReports(await baseReport(), await headReport({ outcome: failing(...range(0, lost)) }), PRESET)
  const three = await compareLost(3)
  expect([three.outcome, three.passes, broken(three)]).toEqual(['cannot-tell', true, []])
  const four = await compareLost(4)
  expect([four.outcome, four.passes]).toEqual(['cannot-tell', false])
  expect(broken(four)).toEqual(['at most 3 of 164 problems that fail in all of 3 draws'])
  expect(four.preset?.rules[2]?.found).toBe('4, some on 1 draw instead of 3, of 31 problems, not of 164')
})

test('a problem that passes in a further draw is no regression of the preset', async () => {
  const draws = await headReport({ samples: 2, outcome: failing(1, 2, 3) }, { plan: (plan) => ({ ...plan, seed: 70 }) })
  const head = await headReport({ outcome: failing(...range(0, 4)) })
  expect(broken(compareReports(await baseReport(), head, { ...PRESET, draws }))).toEqual([])
})

test('a pass rate under 60 % breaks a floor, also without a baseline', async () => {
  const head = await headReport({ fixtures: 10, outcome: failing(...range(0, 5)) })
  const comparison = compareReports(null, head, PRESET)
  expect([comparison.outcome, comparison.passes]).toEqual(['no-baseline', false])
  expect(broken(comparison)).toEqual(['pass@1 of 60 % or more'])
})

test('a compile rate under 90 % breaks the other', async () => {
  const refused = judged(FAILURES[0]!)
  const head = await headReport({ fixtures: 10, outcome: ({ fixture }) => (fixture < 2 ? refused : PASS) })
  expect(broken(compareReports(await baseReport({ fixtures: 10 }), head, PRESET))).toEqual([
    'compile rate of 90 % or more',
  ])
})

test('its false alarms stand beside it', async () => {
  const all = { fixtures: 164 }
  const lines = listPresetLines(compareReports(await baseReport(all), await headReport(all), PRESET))
  for (const { where } of UPSTREAM_FALSE_ALARMS) {
    const line = lines.find((each) => each.includes(where))
    expect(line).toContain('simulated with 164 problems and 3 draws')
  }
})

test('over another number of problems its false alarms are left out, with the reason', async () => {
  const { preset, ...rest } = compareReports(await baseReport(), await headReport(), PRESET)
  expect(preset?.falseAlarms).toEqual([])
  expect(listPresetLines({ preset, ...rest }).at(-1)).toMatch(/none are given.*164 problems and 3 draws/)
})

test('the false alarms on record are those of the simulation, and of a binomial tail where that is all there is', () => {
  const simulated = simulateUpstream(1000, 9)
  expect(simulated.map(({ where }) => where)).toEqual(UPSTREAM_FALSE_ALARMS.map(({ where }) => where))
  for (const [index, { rate, standardError }] of UPSTREAM_FALSE_ALARMS.entries()) {
    const again = simulated[index]!
    expect(Math.abs(rate - again.rate)).toBeLessThan(4 * Math.hypot(standardError, again.standardError, 0.001))
  }
  for (const [index, share] of [0.025, 0.075].entries()) {
    const exact = 1 - binomialCdf(3, 164, share)
    expect(Math.abs((UPSTREAM_FALSE_ALARMS[index]?.rate ?? 0) - exact)).toBeLessThan(0.02)
  }
})
