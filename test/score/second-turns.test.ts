import { expect, test } from 'vitest'
import type { AnsweredLine } from '../../src/generate/journal.ts'
import { fixTurnId } from '../../src/generate/journal.ts'
import { hashTurn } from '../../src/generate/prompt.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import type { Verdict } from '../../src/verify/verdict.ts'
import { HOSTILE } from '../report/sample-report.ts'
import { answer, judged, PREFLIGHT, sampleEnd, sampleLines, samplePlan, sampleSubject, verified } from './sample-run.ts'

const PASSED: Verdict = { kind: 'passed' }
const REFUSED: Verdict = { kind: 'check-failed', class: 'parse', diagnostics: [] }
const plan = samplePlan({
  fixtures: 4,
  conditions: ['C0'],
  samples: 1,
  k: [1],
  subjects: [sampleSubject('m+fix1', { hasFixTurn: true })],
})

/** Four attempts: one passes at once, two are mended or not, one is cut off. */
const firsts: readonly Verdict[] = [PASSED, REFUSED, REFUSED, { kind: 'truncated' }]
const lines = sampleLines({ outcome: ({ fixture }) => judged(firsts[fixture] ?? PASSED) }, plan)
const head = lines.filter((line) => (line as { kind: string }).kind !== 'ended')
const answered = (fixture: string) =>
  lines.find((line) => {
    const { kind, fixture: of } = line as { kind: string; fixture?: string }
    return kind === 'answered' && of === fixture
  }) as AnsweredLine

function secondTurn(fixture: string, verdict: Verdict, feedback = 'It fails.'): object[] {
  const first = answered(fixture)
  if (first.completion.kind !== 'answered') throw new Error('there is no first answer')
  const prompt = plan.prompts.find((each) => each.fixture === fixture)
  if (prompt === undefined) throw new Error('there is no such prompt')
  const promptHash = hashTurn(prompt, { answer: first.completion.text ?? '', feedback })
  const attempt = fixTurnId(first.attempt)
  return [
    { ...first, attempt, promptHash, feedback, completion: answer() },
    { kind: 'verified', attempt, verification: verified(verdict) },
  ]
}

const whole = [...head, ...secondTurn('002', PASSED), ...secondTurn('003', { kind: 'timeout' }), sampleEnd()]

test('the last turn of an attempt counts, and the first stays beside it', async () => {
  const { records } = await joinRecords(whole)
  expect(
    records.map(({ first, verification }) => [first?.verification.verdict.kind, verification?.verdict.kind]),
  ).toEqual([
    [undefined, 'passed'],
    ['check-failed', 'passed'],
    ['check-failed', 'timeout'],
    [undefined, 'truncated'],
  ])
})

test('what second turns mended is counted apart from what passed at once', async () => {
  const [row] = buildReport(await joinRecords(whole)).rows
  expect(row?.firstSample).toMatchObject({ passed: 2, of: 4 })
  expect(row?.fix).toMatchObject({
    judged: 4,
    passedAtOnce: 1,
    mended: { passed: 1, of: 2 },
    byFailure: [{ kind: 'check-failed', class: 'parse', given: 2, mended: 1 }],
  })
})

test('an attempt of a killed run that has no second turn yet is missing', async () => {
  const { records } = await joinRecords([...head, ...secondTurn('002', PASSED)])
  expect(records[2]).toMatchObject({ completion: { kind: 'not-attempted', why: 'cancelled' }, verification: null })
})

test.each([
  ['of a subject that has none', { ...plan.subjects[0], hasFixTurn: false }, (line: object) => line, 'not of the plan'],
  [
    'that answers another text than it was told',
    plan.subjects[0],
    (line: object) => ({ ...line, feedback: 'Else.' }),
    'was not told',
  ],
] as const)('a second turn %s is refused', async (_what, subject, change, problem) => {
  const [second] = secondTurn('002', PASSED)
  const planned = { ...(head[0] as object), plan: { ...plan, subjects: [subject] } }
  await expect(joinRecords([planned, PREFLIGHT, answered('002'), change(second as object)])).rejects.toThrow(problem)
})

test('two second turns of one attempt are refused in a run that was not resumed', async () => {
  const twice = [...head, ...secondTurn('002', PASSED), ...secondTurn('002', PASSED, 'Something else.')]
  await expect(joinRecords(twice)).rejects.toThrow('a second answer to')
})

test('summary and page tell what was mended, and that the rate is not one of first answers', async () => {
  const report = buildReport(await joinRecords(whole))
  for (const text of [renderSummary(report), renderHtml(report)]) {
    expect(text).toContain('What diagnostics mend')
    expect(text).toContain('is not one of first answers')
  }
  expect(renderSummary(report)).toMatch(/1&nbsp;of&nbsp;4 \| 2 \|/)
})

test('what a model was told is escaped on the page', async () => {
  const hostile = [...head, ...secondTurn('002', PASSED, HOSTILE), ...secondTurn('003', PASSED, HOSTILE), sampleEnd()]
  const page = renderHtml(buildReport(await joinRecords(hostile)))
  expect(page).not.toMatch(/<script|<img/)
  expect(page).toContain('&lt;script&gt;')
})
