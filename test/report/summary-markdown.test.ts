import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeMarkdown } from '../../src/report/escape.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary, SUMMARY_BYTES } from '../../src/report/summary-markdown.ts'
import { anySweep } from '../score/any-run.ts'
import { judged, sampleSubject } from '../score/sample-run.ts'
import { makeHostile, sampleReport } from './sample-report.ts'

/** Tables of a summary, as lines. */
function tables(summary: string): string[][] {
  return summary
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
    .filter((lines) => lines.length > 0)
}

test('the headline, the power statement and the rows come in this order', async () => {
  const report = await sampleReport({ purpose: 'demo' })
  const summary = renderSummary(report)
  const places = [
    '## Writing Vox: 2 subjects on 40 held-out problems',
    '**demonstration**',
    report.caveat[0]!.text,
    '| Subject and help |',
  ].map((text) => summary.indexOf(text))
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('whatever happened, the power statement stands in the summary', async () => {
  await fc.assert(
    fc.asyncProperty(anySweep, async (options) => {
      const report = await sampleReport(options)
      const summary = renderSummary(report)
      expect(summary).toContain(escapeMarkdown(report.caveat[0]!.text))
      expect(renderSummary(report, 64 * 1024)).toContain(escapeMarkdown(report.caveat[0]!.text))
    }),
    { numRuns: 25 },
  )
})

test('every part of the caveat is told', async () => {
  const report = await sampleReport({ fixtures: 3, purpose: 'smoke', split: 'all' })
  const summary = renderSummary(report)
  for (const { text } of report.caveat) expect(summary).toContain(escapeMarkdown(text))
})

test('every table has as many cells in every line', async () => {
  for (const report of [
    await sampleReport(),
    makeHostile(await sampleReport({ fixtures: 9, samples: 2, k: [1, 2] })),
  ]) {
    const found = tables(renderSummary(report))
    expect(found.length).toBeGreaterThanOrEqual(4)
    for (const lines of found) expect(new Set(lines.map((line) => line.split('|').length)).size).toBe(1)
  }
})

test('hostile text in every field makes no mention, link, markup, heading or command', async () => {
  const summary = renderSummary(makeHostile(await sampleReport({ fixtures: 9, samples: 2, k: [1, 2] })))
  expect(summary).not.toMatch(
    /(^|[^A-Za-z0-9])@[A-Za-z]|#1\b|GH-2|(?<!\\)\]\(|<img|<script|<b>|^::|http:\/\/|www\.|\u001b|\u202e/m,
  )
  for (const own of summary.match(/<[^>]*>/g) ?? []) expect(own).toMatch(/^<(br|\/?details|\/?summary)>$/)
  const headings = summary.split('\n').filter((line) => line.startsWith('#'))
  expect(headings.map((line) => line.split(' ')[0])).toEqual(['##', '###', '###', '###', '###', '###'])
})

test('3 MB of emoji in a report are cut to the limit, with valid text and a pointer', async () => {
  const report = await sampleReport({ fixtures: 40 })
  const emoji = '🦊'.repeat(20_000)
  const huge = {
    ...report,
    plan: { ...report.plan, fixtures: report.plan.fixtures.map((fixture) => ({ ...fixture, title: emoji })) },
    caveat: report.caveat.map((each, index) => (index === 0 ? each : { ...each, text: emoji })),
    rows: report.rows.map((row) => ({
      ...row,
      subject: emoji,
      failures: row.failures.map((failure) => ({ ...failure, class: emoji })),
    })),
  }
  expect(Buffer.byteLength(JSON.stringify(huge))).toBeGreaterThan(3e6)
  const summary = renderSummary(huge)
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(SUMMARY_BYTES)
  expect(summary).not.toMatch(/\p{Surrogate}/u)
  expect(summary).toContain('report.json')
  expect(summary).toContain(report.caveat[0]!.text)
})

test('many rows of the worst text still fit a comment, and what was left out is told', async () => {
  const subjects = Array.from({ length: 60 }, (_, index) =>
    sampleSubject(`${index}${'@'.repeat(5000)}`, {
      recording: { obtained: '@'.repeat(5000), date: null, isBatched: null },
    }),
  )
  const report = await sampleReport({ fixtures: 3, subjects, conditions: ['C0', 'C1'] })
  const whole = renderSummary(report)
  expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(SUMMARY_BYTES)
  expect(whole).toContain('20 rows more in report.json')
  const short = renderSummary(report, 64 * 1024)
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(64 * 1024)
  expect(short).toMatch(/did not fit here/)
  for (const text of [report.caveat[0]!.text, '### Before you quote a number', '| Subject and help |'])
    expect(short).toContain(text)
})

test('a summary a byte too long loses a detail, not the caveat', async () => {
  const report = await sampleReport({ fixtures: 1 })
  const whole = renderSummary(report)
  const shorter = renderSummary(report, Buffer.byteLength(whole) - 1)
  expect(shorter).toContain('1 section did not fit here and is left out')
  expect(shorter).toContain('### Before you quote a number')
})

test('a row without a first sample is withheld and says what it could be', async () => {
  const summary = renderSummary(
    await sampleReport({
      fixtures: 4,
      conditions: ['C0'],
      subjects: [sampleSubject('model')],
      outcome: ({ fixture }) =>
        fixture === 0
          ? { completion: { kind: 'not-attempted', why: 'spend-cap', message: 'no room' }, verification: null }
          : judged({ kind: 'passed' }),
    }),
  )
  expect(summary).toContain('**withheld**')
  expect(summary).toContain('The rate is 75 % if what is missing failed, 100 % if it passed.')
  expect(summary).toContain('incomplete: 1 of 4 attempts has no verdict')
})

test('samples without a verdict are not counted as failed', async () => {
  const report = await sampleReport({
    fixtures: 2,
    samples: 3,
    conditions: ['C0'],
    subjects: [sampleSubject('model')],
    outcome: ({ fixture, sample }) =>
      sample < 2 - 2 * fixture
        ? judged({ kind: 'passed' })
        : { completion: { kind: 'not-attempted', why: 'cancelled', message: 'stopped' }, verification: null },
  })
  const summary = renderSummary(report)
  expect(summary).toContain('2 of 2, 1 missing')
  expect(summary).toContain('0 of 0, 3 missing')
  expect(summary).toContain('1&nbsp;of&nbsp;1&nbsp;judged')
  const page = renderHtml(report)
  expect(page).toContain('2/2, 1 missing')
  expect(page).toContain('<b>1</b> of 1 judged')
})

test('what nobody told is unknown in words, never $0', async () => {
  const silent = sampleSubject('silent', { price: null, cutoff: { date: null, source: 'not declared' } })
  const summary = renderSummary(
    await sampleReport({
      fixtures: 1,
      conditions: ['C0'],
      subjects: [silent],
      outcome: () => judged({ kind: 'passed' }),
    }),
  )
  expect(summary).toContain('### Tokens, cost and latency\n\nUnknown for every row.')
  expect(summary).toContain('Unknown for every row: the rate after the knowledge cutoff.')
  expect(summary).not.toContain('After the cutoff')
})

test('tokens, cost and latency are shown for the rows that told them', async () => {
  const summary = renderSummary(
    await sampleReport({
      fixtures: 1,
      conditions: ['C0'],
      subjects: [sampleSubject('told'), sampleSubject('silent')],
      outcome: ({ subject }) => judged({ kind: 'passed' }, { costUsd: subject === 'told' ? 0.5 : null }),
    }),
  )
  const section = summary.slice(summary.indexOf('### Tokens, cost'), summary.indexOf('### Before'))
  expect(section).toContain('**told**')
  expect(section).toContain('&#36;0.50')
  expect(section).not.toContain('silent')
  expect(section).toContain('Unknown for 1 other row.')
})
