import { expect, test } from 'vitest'
import { renderLeaderboard } from '../../src/report/leaderboard.ts'
import { rankRows } from '../../src/report/ranking.ts'
import { readReport } from '../../src/report/read-report.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import { mcnemarP } from '../../src/stats/mcnemar.ts'
import { judged, type SampleAttempt, type SampleOptions, sampleSubject } from '../score/sample-run.ts'
import { readPage } from './html-page.ts'
import { makeHostile, sampleReport } from './sample-report.ts'

const PASS = judged({ kind: 'passed' })
const FAIL = judged({ kind: 'truncated' })
const INFRA = {
  completion: { kind: 'infra-error', class: 'rate', message: 'x', requests: 1 },
  verification: null,
} as const

/** A row passes the first so many problems. */
function passing(counts: Readonly<Record<string, number>>) {
  return ({ subject, fixture }: SampleAttempt) => (fixture < (counts[subject] ?? 0) ? PASS : FAIL)
}

function sweepOf(counts: Readonly<Record<string, number>>, options: SampleOptions = {}) {
  return sampleReport({
    fixtures: 40,
    conditions: ['C1'],
    subjects: Object.keys(counts).map((id) => sampleSubject(id)),
    outcome: passing(counts),
    ...options,
  })
}

test('each planned comparison has its difference, p, and p by Holm over all of them', async () => {
  const { comparisons } = await sweepOf({ one: 30, two: 20, three: 21 })
  expect(comparisons.map(({ kind, cells }) => [kind, ...cells])).toEqual([
    ['subjects', 'one C1', 'two C1'],
    ['subjects', 'one C1', 'three C1'],
    ['subjects', 'two C1', 'three C1'],
  ])
  const [p10, p9] = [mcnemarP(10, 0), mcnemarP(9, 0)]
  expect(comparisons.map(({ p, adjustedP }) => [p, adjustedP])).toEqual([
    [p10, 3 * p10],
    [p9, 2 * p9],
    [1, 1],
  ])
  expect(comparisons[0]).toMatchObject({ difference: 0.25, fixtures: 40, more: 10, less: 0, outcome: 'higher' })
  expect(comparisons[2]).toMatchObject({ outcome: 'cannot-tell', test: 'exact McNemar test' })
})

test('the order of rows mirrors the outcome', async () => {
  expect((await sweepOf({ two: 20, one: 30 })).comparisons[0]).toMatchObject({ outcome: 'lower', difference: -0.25 })
})

test('rows that differ on nothing over many problems have no difference of ten points', async () => {
  const { comparisons } = await sweepOf({ one: 60, two: 60 }, { fixtures: 120 })
  expect(comparisons[0]?.outcome).toBe('not-detected')
})

test('the joint interval is the wider, the more is compared', async () => {
  const { comparisons } = await sweepOf({ one: 30, two: 20, three: 21 })
  for (const { interval, jointInterval } of comparisons) {
    expect(jointInterval!.low).toBeLessThan(interval!.low)
    expect(jointInterval!.high).toBeGreaterThan(interval!.high)
  }
  const [only] = (await sweepOf({ one: 30, two: 20 })).comparisons
  expect(only?.jointInterval).toEqual(only?.interval)
})

test('a problem without a verdict is left out, counted, and blocks', async () => {
  const outcome = (attempt: SampleAttempt) =>
    attempt.fixture === 5 && attempt.subject === 'two' ? INFRA : passing({ one: 30, two: 20 })(attempt)
  const [comparison] = (await sweepOf({ one: 30, two: 20 }, { outcome })).comparisons
  expect(comparison).toMatchObject({ outcome: 'blocked', fixtures: 39, leftOut: 1, difference: 10 / 39 })
  expect(comparison?.blockedBecause).toContain('1 problem without a verdict on either side')
})

test('cheating in either row blocks, and so does a run on which nothing may be gated', async () => {
  const cheat = judged({ kind: 'cheated', how: 'x' })
  const outcome = (attempt: SampleAttempt) => (attempt.subject === 'two' && attempt.fixture === 39 ? cheat : PASS)
  const [cheated] = (await sweepOf({ one: 30, two: 20 }, { outcome })).comparisons
  expect(cheated).toMatchObject({ outcome: 'blocked', blockedBecause: ['1 attempt of two C1 cheated'] })
  const smoke = await sweepOf({ one: 30, two: 20, three: 1 }, { purpose: 'smoke' })
  expect(smoke.comparisons[0]).toMatchObject({ outcome: 'blocked', blockedBecause: ['it is a smoke run'] })
  expect(smoke.simultaneous).toEqual([])
})

test('three rows under one condition get simultaneous intervals and the ranks these leave open', async () => {
  const { simultaneous } = await sweepOf({ low: 5, high: 35, near: 34 })
  expect(simultaneous).toHaveLength(1)
  expect(simultaneous[0]?.ranks).toEqual([
    { cell: 'low C1', from: 3, to: 3 },
    { cell: 'high C1', from: 1, to: 2 },
    { cell: 'near C1', from: 1, to: 2 },
  ])
  expect((await sweepOf({ one: 5, two: 35 })).simultaneous).toEqual([])
})

test('a report of a version without comparisons is read and rendered', async () => {
  const { comparisons, simultaneous, ...older } = await sweepOf({ one: 30, two: 20 })
  const read = readReport('report.json', JSON.stringify(older))
  expect([read.comparisons, read.simultaneous]).toEqual([[], []])
  expect(renderSummary(read)).not.toContain('### Comparisons')
  expect(renderHtml(read)).not.toContain('href="#comparisons"')
})

test('summary and page have the table: difference, interval, p, outcome, and what it could see', async () => {
  const report = await sweepOf({ one: 30, two: 20 })
  const summary = renderSummary(report).replaceAll('&nbsp;', ' ')
  expect(summary).toMatch(
    /one C1<br>\/ two C1 \| \+25\.0<br>\(\+\d+\.\d to \+\d+\.\d\) \| 10 more, 0 less<br>of 40 \| 0\.002 \| first passes more \| 9\.9 % to 19\.6 %/,
  )
  const { text } = readPage(renderHtml(report))
  for (const words of [
    'one C1 / two C1',
    '+25.0',
    '10 more, 0 less',
    'first passes more',
    '9.9 % to 19.6 %',
    '122 to 408 problems',
  ])
    expect(text).toContain(words)
})

test('the test decides, and its own interval stands where the cautious one holds 0', async () => {
  const outcome = ({ subject, fixture, sample }: SampleAttempt) =>
    subject === 'one' || fixture >= 6 || sample % 2 === 0 ? PASS : FAIL
  const report = await sweepOf({ one: 40, two: 40 }, { samples: 4, outcome })
  const [comparison] = report.comparisons
  expect(comparison).toMatchObject({ outcome: 'higher', method: 'adjusted-wald', p: 2 ** -5 })
  expect(comparison!.interval!.low).toBeLessThan(0)
  expect(comparison!.testInterval!.low).toBeGreaterThan(0)
  expect(renderSummary(report).replaceAll('&nbsp;', ' ')).toMatch(/\(test: \+\d+\.\d to \+\d+\.\d\)/)
  expect(readPage(renderHtml(report)).text).toMatch(/\(test: \+\d+\.\d to \+\d+\.\d\)/)
})

test('hostile names and reasons are text in both', async () => {
  const hostile = makeHostile(await sweepOf({ one: 5, two: 35, three: 3 }))
  readPage(renderHtml(hostile))
  const summary = renderSummary(hostile)
  const section = summary.slice(
    summary.indexOf('### Comparisons'),
    summary.indexOf('\n### ', summary.indexOf('### Comparisons') + 5),
  )
  expect(section).toContain('First less second')
  for (const own of section.match(/<[^>]*>/g) ?? []) expect(own).toBe('<br>')
})

test('31 problems are never ranked, and the data file says what a rank would take', async () => {
  const report = await sweepOf({ one: 31, two: 0, three: 15 }, { fixtures: 31 })
  expect(renderLeaderboard(report)).toMatchObject({
    ranked: false,
    ranks: [],
    not_ranked_because: expect.stringMatching(
      /C1: to order 3 rows .* takes \d+ independent problems .*, and there are 31\. /,
    ),
  })
  expect(renderSummary(report)).not.toContain('### Ranks')
  expect(renderHtml(report)).not.toContain('Ranks under')
})

test('enough problems are ranked, with the ranks that the data leaves open', async () => {
  const report = await sweepOf({ low: 100, high: 400 }, { fixtures: 410 })
  expect(rankRows(report)[0]?.outcome.kind).toBe('ranked')
  expect(renderLeaderboard(report)).toMatchObject({
    ranked: true,
    not_ranked_because: null,
    ranks: [{ condition: 'C1', rows: [{ id: 'high C1', ranks: { from: 1, to: 1 } }, { id: 'low C1' }] }],
  })
  expect(renderSummary(report)).toContain('### Ranks')
  expect(readPage(renderHtml(report)).text).toContain('rank 1 of 2')
})

test('enough problems of a run on which nothing may be gated are not ranked', async () => {
  const [ranking] = rankRows(await sweepOf({ low: 100, high: 400 }, { fixtures: 410, purpose: 'smoke' }))
  expect(ranking?.outcome).toMatchObject({ kind: 'refused', reason: 'it is a smoke run' })
})
