import { expect, test } from 'vitest'
import { renderHtml } from '../../src/report/report-html.ts'
import type { Report } from '../../src/report/schema.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import {
  judged,
  type Outcome,
  type SampleAttempt,
  type SampleOptions,
  sampleSubject,
  usageOf,
} from '../score/sample-run.ts'
import { readPage } from './html-page.ts'
import { makeHostile, sampleReport } from './sample-report.ts'

const FAIL = judged({ kind: 'truncated' })
const PASSED: Readonly<Record<string, number>> = { C0: 0, 'C1@50': 16, C1: 30, C3: 38, 'C1-strings': 14, 'C1-maps': 30 }

function outcome({ condition, fixture }: SampleAttempt): Outcome {
  if (fixture >= (PASSED[condition] ?? 0)) return FAIL
  const promptTokens = condition === 'C1' ? 1090 + (fixture % 3) : 300 + (fixture % 5)
  return judged(
    { kind: 'passed' },
    { usage: usageOf({ promptTokens, completionTokens: 200 }), latencyMs: 1000 + fixture },
  )
}

const OPTIONS: SampleOptions = {
  fixtures: 40,
  subjects: [sampleSubject('one'), sampleSubject('two')],
  conditions: Object.keys(PASSED),
  outcome,
}

/** The text of the page between two of its headings. */
function pageText(report: Report, from: string, to: string): string {
  const { text } = readPage(renderHtml(report))
  const start = text.lastIndexOf(`${from}\n`)
  return text.slice(start, text.indexOf(to, start))
}

/** One section of the summary, without the marks that keep a line together. */
function summarySection(report: Report, heading: string): string {
  const summary = renderSummary(report).replaceAll('&nbsp;', ' ')
  const start = summary.indexOf(`### ${heading}`)
  return start === -1 ? '' : summary.slice(start, summary.indexOf('\n### ', start + 1))
}

test('the summary has lift, help needed and ablations, each with its interval or p', async () => {
  const section = summarySection(await sampleReport(OPTIONS), 'What help buys')
  expect(section).toMatch(
    /\*\*one\*\* \| C0 → C3 \| \+95\.0<br>\(\+[\d.]+ to \+[\d.]+\) \| 38 more, 0 less<br>of 40 \| 501<br>\([\d,]+ to [\d,]+\)/,
  )
  expect(section).toContain('mean of 2 subjects')
  expect(section).toMatch(
    /C1 without strings \| 281 \| \+40\.0<br>\(\+[\d.]+ to \+[\d.]+\) \| 16 more, 0 less<br>of 40 \| under 0\.0001 \| 0\.0001/,
  )
  expect(section).toMatch(
    /C1 without maps \| 281 \| 0\.0<br>\(−[\d.]+ to \+[\d.]+\) \| 0 more, 0 less<br>of 40 \| 1 \| 1/,
  )
})

test('the page has the same numbers as the summary', async () => {
  const report = await sampleReport(OPTIONS)
  const text = pageText(report, 'What help buys', 'Where attempts end')
  for (const number of ['+95.0', '38 more, 0 less', 'mean of 2 subjects', 'without strings', '+40.0', 'under 0.0001']) {
    expect(text).toContain(number)
  }
})

test('both say what so few problems cannot show, and neither puts a subject above another', async () => {
  const report = await sampleReport(OPTIONS)
  for (const section of [
    summarySection(report, 'What help buys'),
    pageText(report, 'What help buys', 'Where attempts end'),
  ]) {
    expect(section).toContain(
      'With 40 independent problems a lift is seen at least 80 % of the time only from 41 points on',
    )
    expect(section).toContain('by Holm over all 4 of this table')
    expect(section).toContain('they do not tell whether two subjects differ')
    expect(section).not.toMatch(/\b(beats?|wins?|best|leads?|better|outperforms?|superior)\b/i)
  }
})

test('problems left out of a comparison are told', async () => {
  const report = await sampleReport({
    ...OPTIONS,
    outcome: (attempt) =>
      attempt.fixture === 0 && attempt.condition === 'C3'
        ? { completion: { kind: 'infra-error', class: 'rate', message: 'x', requests: 1 }, verification: null }
        : outcome(attempt),
  })
  expect(summarySection(report, 'What help buys')).toContain('up to 1 problem of a line')
})

test('cost stands on the problems that both solve, with the ratio and its interval', async () => {
  const report = await sampleReport(OPTIONS)
  const section = summarySection(report, 'Cost on problems that both solve')
  expect(section).toMatch(/one C1<br>→ two C1 \| 30 \| 1,291 → 1,291<br>1 times/)
  const page = pageText(report, 'Cost on problems that both solve', 'Before you quote a number')
  expect(page).toContain('1,291 → 1,291')
})

test('every cell of the cost table names itself where it stacks', async () => {
  const page = renderHtml(await sampleReport(OPTIONS))
  const cells =
    page
      .slice(page.indexOf('id="matched"'))
      .split('</table>')[0]
      ?.match(/<td[^>]*>/g) ?? []
  expect(cells.length).toBeGreaterThan(6)
  for (const cell of cells) expect(cell).toMatch(/ data-label="[^"]+"/)
})

test('a run under one condition has no such section', async () => {
  const report = await sampleReport({ fixtures: 3, subjects: [sampleSubject('one')], conditions: ['C1'] })
  expect(renderSummary(report)).not.toContain('What help buys')
  const page = renderHtml(report)
  expect(page).not.toContain('What help buys')
  expect(page).not.toContain('href="#help"')
  expect(page).not.toContain('href="#matched"')
})

test('a report from before renders without effects', async () => {
  const older = { ...(await sampleReport(OPTIONS)), helpEffects: null }
  expect(renderSummary(older)).not.toContain('What help buys')
  expect(renderHtml(older)).not.toContain('href="#help"')
})

test('hostile names and reasons are text on the page and in the summary', async () => {
  const hostile = makeHostile(await sampleReport({ ...OPTIONS, fixtures: 3 }))
  expect(hostile.helpEffects?.lifts[0]?.subject).toContain('<script>')
  readPage(renderHtml(hostile))
  const section = summarySection(hostile, 'What help buys')
  expect(section).toContain('C0')
  for (const own of section.match(/<[^>]*>/g) ?? []) expect(own).toBe('<br>')
})

test('the fitted line of the plot does not fall where the rates do', async () => {
  const report = await sampleReport({
    ...OPTIONS,
    subjects: [sampleSubject('one')],
    conditions: ['C0', 'C1@50', 'C1', 'C3'],
    outcome: ({ condition, fixture }) =>
      fixture < ({ C0: 4, 'C1@50': 24, C1: 12, C3: 36 }[condition] ?? 0) ? judged({ kind: 'passed' }) : FAIL,
  })
  const line = readPage(renderHtml(report)).tags.find(
    ({ name, attributes }) =>
      name === 'path' && attributes.get('class') === 'line' && attributes.get('d') !== 'M0 7H28',
  )
  const heights = [...(line?.attributes.get('d') ?? '').matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
  expect(heights.length).toBe(4)
  expect(heights[1]).toBe(heights[2])
  expect(heights).toEqual(heights.toSorted((a, b) => b - a))
})
