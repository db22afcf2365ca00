import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Fixture } from '../../src/corpus/fixture.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import { orderAttempts } from '../../src/generate/order.ts'
import { buildReport } from '../../src/report/build-report.ts'
import type { Report } from '../../src/report/schema.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { describeFixture } from '../../src/sweep/build-plan.ts'
import { reverify } from '../../src/sweep/reverify.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { answer, PREFLIGHT, sampleEnd, samplePlan, sampleSubject } from '../score/sample-run.ts'

const corpus = await loadCorpus(path.resolve(import.meta.dirname, '../../corpus'))
const fixtures = corpus.fixtures.slice(0, 2)
const engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
afterAll(() => engine.close())

const report = await honestReport(fixtures)
const first = report.attempts[0] as Report['attempts'][number]

/** Of two problems: the first is answered with its reference, the second not at all by a program. */
async function honestReport(fixtures: readonly Fixture[]): Promise<Report> {
  const base = samplePlan({ fixtures: 0, conditions: ['C0'], subjects: [sampleSubject('m')] })
  const prompts = fixtures.map(({ id }) => ({ fixture: id, condition: 'C0', system: '', user: id, hash: id }))
  const plan = { ...base, fixtures: fixtures.map(describeFixture), prompts }
  const end = sampleEnd()
  const verifier = createVerifier({ engine, key: end.runKey })
  const at = end.at
  const lines = await Promise.all(
    [...orderAttempts(plan.cells, ['001', '002'], 1, plan.seed)].map(async ({ id: attempt, cell, ...rest }) => {
      const fixture = fixtures.find(({ id }) => id === rest.fixture) as Fixture
      const completion = answer({ text: rest.fixture === '001' ? `\`\`\`vox\n${fixture.reference}\n\`\`\`` : 'No.' })
      const verification = await verifier.verify(fixture, completion)
      return [
        { kind: 'answered', at, attempt, cell: cell.id, ...rest, promptHash: rest.fixture, completion },
        { kind: 'verified', attempt, verification },
      ]
    }),
  )
  const planned = { kind: 'planned', at, plan }
  const run = await joinRecords([planned, PREFLIGHT, ...lines.flat(), end])
  return JSON.parse(JSON.stringify(buildReport(run)))
}

function withFirst(changes: Partial<Report['attempts'][number]>): Report {
  return { ...report, attempts: report.attempts.map((each) => (each === first ? { ...each, ...changes } : each)) }
}

function withVerification(changes: object): Report {
  if (first.verification === null) throw new Error('the first attempt has no verdict')
  return withFirst({ verification: { ...first.verification, ...changes } })
}

function killed(of: Report): Report {
  return { ...of, run: { ...of.run, runKey: null, complete: false, endedBecause: 'killed' } }
}

async function findingsOf(changed: Report): Promise<string[]> {
  const { findings } = await reverify(engine, fixtures, changed)
  return findings.map(({ of, problem }) => `${of}: ${problem}`)
}

test('an honest report comes out again whole, a killed one too', async () => {
  expect(first.verification?.verdict.kind).toBe('passed')
  expect(await reverify(engine, fixtures, report)).toEqual({ verdicts: 2, same: 2, findings: [] })
  expect(await reverify(engine, fixtures, killed(report))).toEqual({ verdicts: 2, same: 2, findings: [] })
})

test.each([
  ['candidate', 'fn other() {}'],
  ['rule', 'another rule'],
  ['notes', ['unheard of']],
])('another %s is found, with a run key and without', async (part, value) => {
  const changed = withVerification({ [part]: value })
  for (const each of [changed, killed(changed)]) {
    expect(await findingsOf(each)).toEqual([`${first.attempt}: another ${part} comes out`])
    expect((await reverify(engine, fixtures, each)).same).toBe(1)
  }
})

test('a second record of one attempt is found and not counted', async () => {
  const changed = { ...report, attempts: [...report.attempts, first, first] }
  const { verdicts, findings } = await reverify(engine, fixtures, changed)
  expect(verdicts).toBe(2)
  expect(findings).toEqual([{ of: first.attempt, problem: 'is in the report 3 times' }])
})

test.each([
  ['attempt', 'm C0 / 777 / 0'],
  ['cell', 'm C1'],
  ['subject', 'n'],
  ['condition', 'C1'],
  ['fixture', '002'],
  ['sample', 1],
  ['promptHash', 'f'],
])('an attempt whose %s is not of the plan is found and not counted', async (part, value) => {
  const changed = withFirst({ [part]: value })
  expect(await findingsOf(changed)).toContainEqual(expect.stringMatching(/ is not of the plan$/))
  expect((await reverify(engine, fixtures, changed)).verdicts).toBe(1)
})

test('an attempt of the plan that is left out is found', async () => {
  const changed = { ...report, attempts: report.attempts.slice(1) }
  expect(await findingsOf(changed)).toContain(`${first.attempt}: is of the plan, but not in the report`)
})

test.each([
  ['hash', 'f'.repeat(64)],
  ['addedAt', '2030-01-01'],
])('a planned problem whose %s is not that of the corpus is found', async (part, value) => {
  const [one, ...rest] = report.plan.fixtures
  const changed = { ...report, plan: { ...report.plan, fixtures: [{ ...one, [part]: value }, ...rest] } } as Report
  expect(await findingsOf(changed)).toContain(`problem 001: its ${part} is not that of the corpus`)
})

test('a verdict on a problem that the corpus lacks is found', async () => {
  const { findings, verdicts } = await reverify(engine, fixtures.slice(1), report)
  expect(verdicts).toBe(2)
  expect(findings.map(({ of }) => of)).toEqual(['problem 001', first.attempt])
})

test.each<[string, Partial<Report['run']>, Partial<Report>]>([
  ['was killed', { runKey: null }, {}],
  ['had no preflight', {}, { preflight: null }],
  ['says why it ended early', { endedBecause: 'the run was cancelled' }, {}],
])('a complete run that %s is found', async (_, run, changes) => {
  const changed = { ...report, ...changes, run: { ...report.run, ...run } }
  expect(await findingsOf(changed)).toEqual([expect.stringMatching(/^run\.complete: /)])
})

test('a report without a verdict is an error', async () => {
  const none = { ...report, attempts: report.attempts.map((each) => ({ ...each, verification: null })) }
  await expect(reverify(engine, fixtures, none)).rejects.toMatchObject({ code: 'reproduce/empty' })
})
