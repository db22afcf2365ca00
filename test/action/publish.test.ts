import path from 'node:path'
import { expect, test } from 'vitest'
import { COMMENT_CHARACTERS, markerOf } from '../../src/action/comment.ts'
import { renderJobSummary } from '../../src/action/job-summary.ts'
import type { Judged } from '../../src/action/judge.ts'
import { renderComment } from '../../src/action/pull-comment.ts'
import { BenchError } from '../../src/bench-error.ts'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import type { Report } from '../../src/report/schema.ts'
import { baseReport, failing, headReport, OPTIONS, range } from '../compare/sample-pair.ts'
import { HOSTILE, makeHostile } from '../report/sample-report.ts'

const LIMIT = 900 * 1024

function judged(report: Report | null, more: Partial<Judged> = {}): Judged {
  const folder = path.resolve('nowhere')
  const output = { folder, report: path.join(folder, 'report.json'), journal: path.join(folder, 'attempts.jsonl') }
  const own = { ...output, sweep: '', isOwn: () => false, claim() {}, startJournal: () => output.journal, release() {} }
  return { name: 'corpus', output: own, report, files: [], error: null, comparison: null, judgeError: null, ...more }
}

/** A report of 10,000 attempts with long answers. */
async function hugeReport(): Promise<Report> {
  const report = await headReport({ outcome: failing(...range(0, 31)) })
  const [attempt] = report.attempts
  if (attempt === undefined) throw new Error('the sample has no attempt')
  const attempts = Array.from({ length: 10_000 }, (_, sample) => ({
    ...attempt,
    attempt: `${attempt.cell} / ${sample}`,
    sample,
  }))
  const rows = Array.from({ length: 300 }, (_, row) => ({
    ...report.rows[0],
    cell: `cell ${row} ${'👩‍🚀'.repeat(60)}`,
  }))
  return { ...report, attempts, rows: rows as Report['rows'] }
}

test('the summary begins with the comparison, and then has the report', async () => {
  const [base, head] = [await baseReport(), await headReport({ outcome: failing(...range(0, 9)) })]
  const summary = renderJobSummary(
    [judged(head, { comparison: compareReports(base, head, OPTIONS) })],
    ['the gate says no'],
  )
  expect(summary.split('\n').filter((line) => line.startsWith('## '))).toEqual([
    '## Failed',
    '## Regressed: HEAD against BASE',
    expect.stringContaining('## Writing Vox'),
  ])
})

test('regressions lead to their programs in the page of the report', async () => {
  const [base, head] = [await baseReport(), await headReport({ outcome: failing(...range(0, 9)) })]
  const each = judged(head, { comparison: compareReports(base, head, OPTIONS) })
  const page = 'https://github.com/a/b/actions/runs/1/artifacts/2'
  const texts = [
    renderJobSummary([each], [], new Map([['corpus', page]])),
    renderComment([each], null, new Map([['corpus', page]])),
  ]
  const html = renderHtml(head)
  for (const text of texts) {
    const anchors = [...text.matchAll(/\]\(https:\/\/github\.com\/a\/b\/actions\/runs\/1\/artifacts\/2#(a\d+)\)/g)]
    expect(anchors).toHaveLength(9)
    for (const [, anchor] of anchors) expect(html).toContain(`id="${anchor}"`)
  }
})

test('summary and comment tell which run the baseline is of, and that the base has a newer one, and obey neither', async () => {
  const [base, head] = [await baseReport(), await headReport({ outcome: failing(...range(0, 9)) })]
  const url = 'https://github.com/a/b/actions/runs/12'
  const run = { id: 12, event: 'push', commit: 'c'.repeat(40), url, state: 'success' }
  const newer = { id: 14, event: 'push', commit: HOSTILE, url: `${url})${HOSTILE}`, state: HOSTILE }
  const comparison = compareReports(base, head, OPTIONS)
  const show = (each: Judged) => [renderJobSummary([each], []), renderComment([each], null)]
  const line = `\n\nBaseline: [run 12](${url}) (push) of \`ccccccc\`.\n\n`
  for (const text of show(judged(head, { comparison, origin: { ...run, newer: null } }))) {
    expect(text).toContain(`## Regressed: HEAD against BASE${line}BASE: `)
    expect(text).not.toContain('Not the newest')
  }
  for (const text of show(judged(head, { comparison, origin: { ...run, newer } }))) {
    expect(text).toContain(`${line}> **Not the newest state of the base.** run 14 (push) of `)
    expect(text).not.toMatch(/<script|<img|@team|(?<!\\)\]\(javascript|^::|\u202e/m)
  }
  // Also where it was not believed.
  const judgeError = new BenchError({ code: 'a/b', message: 'not believed', hint: '' })
  for (const text of show(judged(head, { judgeError, origin: { ...run, newer: null } }))) {
    expect(text).toContain(line.trim())
    expect(text).toContain('## Writing Vox')
  }
})

test.each([1, 3, 40])('a summary of %i corpora with 10,000 attempts each stays below the limit', async (count) => {
  const report = await hugeReport()
  expect(JSON.stringify(report).length).toBeGreaterThan(3e6)
  const summary = renderJobSummary(
    Array.from({ length: count }, (_, index) => judged(report, { name: `corpus-${index}` })),
    [],
  )
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(LIMIT)
  expect(summary.slice(0, 500)).toContain('Writing Vox')
  expect(summary).not.toContain('\ufffd')
})

test.each([1, 40])('a comment on %i corpora holds no more than GitHub takes', async (count) => {
  const [base, head] = [await baseReport(), await headReport({ outcome: failing(...range(0, 9)) })]
  const each = judged(head, { comparison: compareReports(base, head, OPTIONS) })
  const comment = renderComment(
    Array.from({ length: count }, () => each),
    'https://github.com/a/b/actions/runs/1',
  )
  expect(comment.length + markerOf('key').length + 1).toBeLessThanOrEqual(COMMENT_CHARACTERS)
  expect(comment).toContain('Regressed: HEAD against BASE')
  expect(comment).toContain('[Reports, programs and verdicts](https://github.com/a/b/actions/runs/1)')
})

test('a comment on a report that is huge holds no more either', async () => {
  const comment = renderComment([judged(await hugeReport())], null)
  expect(comment.length + markerOf('key').length + 1).toBeLessThanOrEqual(COMMENT_CHARACTERS)
  expect(comment).toContain('Writing Vox')
})

test('what ended a run stands in the comment, and obeys nobody', async () => {
  const error = new BenchError({ code: 'a/b', message: HOSTILE, hint: '' })
  const texts = [
    renderComment([judged(null, { error, name: HOSTILE }), judged(makeHostile(await headReport()))], null),
    renderJobSummary([judged(makeHostile(await headReport()), { name: HOSTILE })], [HOSTILE]),
  ]
  for (const text of texts) {
    expect(text).not.toMatch(/<script|<img|@team|(?<!\\)\]\(javascript|^::|\u202e/m)
  }
})
