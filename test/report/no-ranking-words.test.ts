import { expect, test } from 'vitest'
import { comparisonText } from '../../src/cli/comparison-text.ts'
import { terminalSummary } from '../../src/cli/terminal-summary.ts'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { renderComparison } from '../../src/compare/comparison-markdown.ts'
import { renderLeaderboard } from '../../src/report/leaderboard.ts'
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

/** What the page says of its links, not of rows; this one sentence and no other may have the word. */
const OF_LINKS = 'Each mark leads to the program.'

/** The report with nothing in its caveat, which alone may say what is not claimed. */
const withoutCaveat = (report: Report): Report => ({ ...report, caveat: [] })

function outputsOf(report: Report): [string, string][] {
  const bare = withoutCaveat(report)
  return [
    ['report.json', JSON.stringify({ ...bare, plan: null, attempts: null })],
    ['summary.md', renderSummary(bare)],
    ['report.html', readPage(renderHtml(bare)).text.replace(OF_LINKS, '')],
    ['leaderboard.json', JSON.stringify(renderLeaderboard(bare))],
    ['scoreboard.json', JSON.stringify(renderScoreboard(bare))],
    ['terminal', terminalSummary(bare)],
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
