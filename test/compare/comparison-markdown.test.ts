import { expect, test } from 'vitest'
import { comparisonText } from '../../src/cli/comparison-text.ts'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { COMPARISON_BYTES, renderComparison } from '../../src/compare/comparison-markdown.ts'
import type { Comparison } from '../../src/compare/comparison-schema.ts'
import { HOSTILE, makeHostile } from '../report/sample-report.ts'
import { judged } from '../score/sample-run.ts'
import { baseReport, FAIL, failing, headReport, OPTIONS, PASS, range } from './sample-pair.ts'

async function regressed(): Promise<Comparison> {
  return compareReports(await baseReport(), await headReport({ outcome: failing(...range(0, 6)) }), OPTIONS)
}

const plain = (markdown: string) => markdown.replaceAll(/&#8203;|\\/g, '')

test('what the comparison can show stands above its outcome, in Markdown and on a terminal', async () => {
  const comparison = await regressed()
  for (const text of [renderComparison(comparison), comparisonText(comparison)]) {
    const [power, outcome, number] = ['31 independent problems are few', 'HEAD passes fewer', '−19.4 points'].map(
      (words) => plain(text).indexOf(words),
    )
    expect(power).toBeGreaterThan(-1)
    expect(outcome).toBeGreaterThan(power ?? 0)
    expect(number).toBeGreaterThan(outcome ?? 0)
  }
})

test('it tells difference, test, the interval of the test and the cautious one, counts and alpha', async () => {
  const text = plain(renderComparison(await regressed()))
  expect(text).toMatch(/−19\.4 points, p 0\.031 \(exact McNemar test, two-sided, alpha 5 %\), which decides/)
  expect(text).toMatch(/Its own 95 % interval is −\d+\.\d to −\d+\.\d\./)
  expect(text).toMatch(/by the cautious interval of −3\d\.\d to −\d\.\d \(tango\)/)
  expect(text).toContain('6 pass more often in BASE and 0 in HEAD')
})

test.each([
  [{ kind: 'push', j: 3 } as const, 'This is push 3 (j = 3): alpha 6 · 5 % / (π² · 3²) = 0.34 %.'],
  [{ kind: 'scheduled', horizon: 52 } as const, 'This is one of 52 scheduled runs (T = 52): alpha 5 % / 52 = 0.096 %.'],
  [{ kind: 'single' } as const, 'This is the only look: alpha 5 %.'],
])('the look is printed: %o', async (look, words) => {
  const comparison = compareReports(await baseReport(), await headReport(), { ...OPTIONS, look })
  expect(plain(renderComparison(comparison))).toContain(words)
  expect(comparisonText(comparison)).toContain(words)
})

test('both programs of a lost problem stand in it, as code that cannot end itself', async () => {
  const program = 'fn solve(count: int) to str {\n````\n</details>\n::set-output name=a::b\n@team\n}\n'
  const outcome = judged({ kind: 'truncated' })
  const head = await headReport({
    outcome: ({ fixture }) =>
      fixture === 0 ? { ...outcome, verification: { ...outcome.verification!, candidate: program } } : PASS,
  })
  const markdown = renderComparison(compareReports(await baseReport(), head, OPTIONS))
  expect(markdown).toContain('`````vox\nfn solve(count: int) to str {\n````\n</details>')
  expect(markdown).not.toMatch(/^\s*::/m)
  expect(markdown).toContain('return str(count)')
})

test('hostile names, titles and values are text', async () => {
  const [base, head] = [await baseReport(), await headReport({ outcome: failing(0) })].map(makeHostile)
  const comparison = compareReports(base!, head!, { ...OPTIONS, preset: 'upstream' })
  const other = compareReports(base!, makeHostile(await headReport({ fixtures: 3, samples: 2 })), OPTIONS)
  for (const each of [comparison, other]) {
    const markdown = renderComparison(each)
    const outside = markdown.replaceAll(/^(`{3,})vox\n[\s\S]*?\n\1$/gm, '')
    expect(markdown).not.toMatch(/^\s*::|##\[/m)
    for (const own of outside.match(/<\/?[a-z][^>]*>/gi) ?? []) expect(own).toMatch(/^<\/?(details|summary)>$/)
    expect(outside).not.toMatch(/@team|\u001b|\u202e/)
    expect(comparisonText(each)).not.toMatch(/\u001b|\u202e|^\s*::/m)
  }
  expect(JSON.stringify(other)).toContain(JSON.stringify(HOSTILE).slice(1, 40))
})

test('however much changed, it keeps below its limit and says what is left out', async () => {
  const long = judged({ kind: 'wrong-answer', where: 'assertion', detail: 'x' })
  const program = `fn solve(count: int) to str {\n${'    let x = "ü"\n'.repeat(2000)}}\n`
  const lost = { ...long, verification: { ...long.verification!, candidate: program } }
  const options = { fixtures: 400 }
  const head = await headReport({ ...options, outcome: () => lost })
  const comparison = compareReports(await baseReport(options), head, OPTIONS)
  const markdown = renderComparison(comparison)
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(COMPARISON_BYTES)
  expect(markdown).toMatch(/problems more in comparison\.json/)
  expect(markdown).toContain('What this comparison can show')
  expect(comparison.regressions).toHaveLength(400)
})

test('a blocked comparison lists every reason with both values', async () => {
  const comparison = compareReports(await baseReport(), await headReport({ samples: 2, purpose: 'smoke' }), OPTIONS)
  for (const text of [plain(renderComparison(comparison)), comparisonText(comparison)]) {
    expect(text).toContain('Blocked')
    expect(text).toContain('samples: BASE has 1, HEAD has 2')
    expect(text).toContain('HEAD: it is a smoke run')
  }
})

test('no baseline says so', async () => {
  const comparison = compareReports(null, await headReport(), OPTIONS)
  for (const text of [renderComparison(comparison), comparisonText(comparison)]) expect(text).toContain('No baseline')
})

test('further draws stand beside the problem, and that they are in no test', async () => {
  const draws = await headReport({ samples: 3, outcome: () => FAIL }, { plan: (plan) => ({ ...plan, seed: 70 }) })
  const comparison = compareReports(await baseReport(), await headReport({ outcome: failing(0) }), {
    ...OPTIONS,
    draws,
  })
  for (const text of [renderComparison(comparison), comparisonText(comparison)]) {
    expect(text).toContain('failed 3 of 3 further draws')
    expect(text).toContain('they are in no test')
  }
})
