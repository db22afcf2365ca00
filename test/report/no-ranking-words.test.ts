import { expect, test } from 'vitest'
import { comparisonText } from '../../src/cli/comparison-text.ts'
import { createEventStream } from '../../src/cli/events.ts'
import { powerText } from '../../src/cli/power-plot.ts'
import { terminalSummary } from '../../src/cli/terminal-summary.ts'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { renderComparison } from '../../src/compare/comparison-markdown.ts'
import { renderLeaderboard } from '../../src/report/leaderboard.ts'
import { planPower } from '../../src/report/power-plan.ts'
import { renderPowerSvg } from '../../src/report/power-svg.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import type { Report } from '../../src/report/schema.ts'
import { renderScoreboard } from '../../src/report/scoreboard.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import {
  BASE,
  baseReport,
  FAIL,
  failing,
  HEAD,
  headReport,
  OPTIONS,
  PASS,
  range,
  reportOf,
} from '../compare/sample-pair.ts'
import { sampleSubject } from '../score/sample-run.ts'
import { readPage } from './html-page.ts'

const CLAIMS = /\b(beat|beats|outperforms?|best|winner|leads?)\b/i

/** The stream of the run that the report is of. */
function eventsOf({ plan, attempts, run }: Report): string {
  const lines: string[] = []
  const stream = createEventStream({ write: (line) => lines.push(line), close() {} })
  stream.show({
    kind: 'planned',
    plan,
    shard: null,
    attempts: attempts.length,
    kept: 0,
    spentByCell: new Map(),
    spentUsd: 0,
  })
  for (const { cell, fixture, sample, completion, verification } of attempts) {
    const verdict = verification?.verdict ?? null
    const money = { isAsked: true, cellSpentUsd: 0, spentUsd: 0 }
    stream.show({ kind: 'attempt', cell, fixture, sample, verdict, completions: [completion], ...money })
  }
  stream.end({ run: run.id, complete: run.complete, endedBecause: run.endedBecause, error: null })
  return lines.join('\n')
}

/** The report with nothing in its caveat, which alone may say what is not claimed. */
const withoutCaveat = (report: Report): Report => ({ ...report, caveat: [] })

function outputsOf(report: Report): [string, string][] {
  const bare = withoutCaveat(report)
  return [
    ['report.json', JSON.stringify({ ...bare, plan: null, attempts: null })],
    ['summary.md', renderSummary(bare)],
    ['report.html', readPage(renderHtml(bare)).text],
    ['leaderboard.json', JSON.stringify(renderLeaderboard(bare))],
    ['scoreboard.json', JSON.stringify(renderScoreboard(bare))],
    ['terminal', terminalSummary(bare)],
    ['events', eventsOf(bare)],
  ]
}

const subjects = [BASE, HEAD, sampleSubject('other'), sampleSubject('last')]
const sweeps: readonly (readonly [string, Parameters<typeof reportOf>[0]])[] = [
  ['that differ widely', { outcome: ({ subject, fixture }) => (subject === BASE.id || fixture < 3 ? PASS : FAIL) }],
  ['that do not differ', { outcome: failing(1, 2, 3) }],
  ['of several samples and conditions', { samples: 2, conditions: ['C0', 'C1@50', 'C1', 'C3', 'C1-strings'] }],
  ['of a demonstration', { purpose: 'demo' }],
]

test.each(sweeps)(
  'no output of rows %s over 31 problems says that one is above another, or ranks them',
  async (_, options) => {
    const report = await reportOf({ fixtures: 31, subjects, ...options })
    for (const [name, text] of outputsOf(report)) {
      expect(CLAIMS.exec(text)?.[0], name).toBeUndefined()
      expect(text, name).not.toMatch(/### Ranks|Ranks under|"ranked":true/)
    }
  },
)

test.each([
  ['regressed', failing(), failing(...range(0, 9))],
  ['improved', failing(...range(0, 9)), failing()],
  ['undecided', failing(0), failing(1)],
])('no output of a comparison that is %s does either', async (_, before, after) => {
  const comparison = compareReports(await baseReport({ outcome: before }), await headReport({ outcome: after }), {
    ...OPTIONS,
    preset: 'upstream',
  })
  for (const text of [renderComparison(comparison), comparisonText(comparison), JSON.stringify(comparison)])
    expect(CLAIMS.exec(text)?.[0]).toBeUndefined()
})

test.each([
  ['two models', 2],
  ['six models', 6],
])('no output of a plan for %s does either', (_, models) => {
  const discordance = { min: 0.025, max: 0.2 }
  const plan = planPower({ n: 31, gap: 0.1, familyAlpha: 0.05, discordance, target: 0.8, models })
  for (const text of [powerText(plan).join('\n'), renderPowerSvg(plan), JSON.stringify(plan)])
    expect(CLAIMS.exec(text)?.[0]).toBeUndefined()
})

test('each of these words would be found', () => {
  for (const word of ['beats', 'outperforms', 'best', 'winner', 'leads'])
    expect(CLAIMS.test(`one ${word} another`)).toBe(true)
})
