import { expect, test } from 'vitest'
import { comparisonText } from '../../src/cli/comparison-text.ts'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { renderComparison } from '../../src/compare/comparison-markdown.ts'
import { comparisonSchema } from '../../src/compare/comparison-schema.ts'
import type { PlannedFixture } from '../../src/generate/plan.ts'
import { readReport } from '../../src/report/read-report.ts'
import type { Report } from '../../src/report/schema.ts'
import { baseReport, failing, headReport, OPTIONS, range } from './sample-pair.ts'

const nineLost = () => headReport({ outcome: failing(...range(0, 9)) })

/** A comparison that is a comparison: what is written of it can be read back and shown. */
function compareWhole(base: Report, head: Report) {
  const comparison = compareReports(base, head, { ...OPTIONS, preset: 'upstream' })
  expect(comparisonSchema.safeParse(JSON.parse(JSON.stringify(comparison))).error).toBeUndefined()
  renderComparison(comparison)
  comparisonText(comparison)
  return comparison
}

function withFixtures(report: Report, change: (fixtures: PlannedFixture[]) => PlannedFixture[]): Report {
  return { ...report, plan: { ...report.plan, fixtures: change(report.plan.fixtures) } }
}

test('rows and headlines that claim more than the attempts change nothing', async () => {
  const head = await nineLost()
  const forged = { ...head, rows: (await headReport()).rows }
  expect(compareWhole(await baseReport(), forged)).toMatchObject({ outcome: 'regressed', head: { passed: 22 } })
})

test('a problem that HEAD plans twice blocks: it would count twice', async () => {
  const head = withFixtures(await nineLost(), (all) => [...all, ...all.slice(20), ...all.slice(20)])
  const { outcome, blocks } = compareWhole(await baseReport(), head)
  expect(outcome).toBe('blocked')
  expect(blocks).toContainEqual({ side: 'head', reason: 'plans 22 problems more than once' })
})

test('problems that HEAD says are of one family, and BASE says are not, block: they would count once', async () => {
  const head = withFixtures(await nineLost(), (all) =>
    all.map((each, at) => (at < 9 ? { ...each, family: 'x' } : each)),
  )
  const { outcome, mismatches } = compareWhole(await baseReport(), head)
  expect(outcome).toBe('blocked')
  expect(mismatches).toContainEqual({ field: 'family of 001', base: 'none', head: 'x' })
})

test('a date that HEAD alone gives a problem blocks: it would make it uncontaminated', async () => {
  const head = withFixtures(await headReport(), (all) => all.map((each) => ({ ...each, addedAt: '9999-01-01' })))
  expect(compareWhole(await baseReport(), head).mismatches[0]?.field).toBe('date of 001')
})

test('two cells of one name block: their attempts cannot be told apart', async () => {
  const head = await nineLost()
  const cells = head.plan.cells.map((cell) => ({ ...cell, subject: 'other', condition: 'C0' }))
  const twice = { ...head, plan: { ...head.plan, cells: [...head.plan.cells, ...cells] } }
  expect(compareWhole(await baseReport(), twice).blocks).toContainEqual({
    side: 'head',
    reason: 'plans 1 row more than once',
  })
})

test.each(['__proto__', 'constructor', 'toString'])('a problem may be called %s', async (id) => {
  const rename = (report: Report): Report => {
    const first = report.plan.fixtures[0]!.id
    return JSON.parse(JSON.stringify(report).replaceAll(`"${first}"`, JSON.stringify(id)))
  }
  const [base, head] = [rename(await baseReport()), rename(await nineLost())]
  const { outcome, regressions } = compareWhole(base, head)
  expect(outcome).toBe('regressed')
  expect(regressions.map(({ fixture }) => fixture)).toContain(id)
})

test.each([
  ['negative', -5],
  ['nought', 0],
  ['huge', 1e300],
])('amounts that are %s give numbers or none', async (_, amount) => {
  const report = await headReport()
  const attempts = report.attempts.map((attempt) => ({
    ...attempt,
    completion:
      attempt.completion.kind === 'answered'
        ? {
            ...attempt.completion,
            latencyMs: amount,
            costUsd: amount,
            usage: { ...attempt.completion.usage!, promptTokens: amount, completionTokens: amount },
          }
        : attempt.completion,
  }))
  expect(compareWhole(await baseReport(), { ...report, attempts }).cost).not.toBeUndefined()
})

test.each([
  ['an infinite number', (text: string) => text.replace('"samples":1,', '"samples":1e999,')],
  ['a negative number of samples', (text: string) => text.replace('"samples":1,', '"samples":-1,')],
  ['half a sample', (text: string) => text.replace('"samples":1,', '"samples":0.5,')],
])('%s is no report', async (_, damage) => {
  const text = JSON.stringify(await headReport())
  expect(damage(text)).not.toBe(text)
  expect(() => readReport('x.json', damage(text))).toThrow(/not a report/)
})

test('very many subjects, cells and problems are refused or compared within seconds', async () => {
  const many = 20_000
  const report = await headReport()
  const subject = report.plan.subjects[0]!
  const cell = report.plan.cells[0]!
  const ids = Array.from({ length: many }, (_, index) => `subject ${index}`)
  const crowded = (prefix: string): Report => ({
    ...report,
    plan: {
      ...report.plan,
      subjects: ids.map((id) => ({ ...subject, id: `${prefix} ${id}`, model: id, checkpoint: prefix })),
      cells: ids.map((id) => ({ ...cell, id: `${prefix} ${id}`, subject: `${prefix} ${id}` })),
    },
  })
  expect(() => compareReports(crowded('a'), crowded('b'), OPTIONS)).toThrow(/and \d+ more\.$/)
  const one = report.plan.fixtures[0]!
  const long = (id: string): Report => ({
    ...withFixtures(report, () => ids.map((name) => ({ ...one, id: name }))),
    run: { ...report.run, id },
  })
  expect(() => compareWhole(long('one'), long('two'))).toThrow(/20000 problems/)
  ids.length = 9000
  expect(compareWhole(long('one'), long('two')).outcome).toBe('blocked')
}, 30_000)
