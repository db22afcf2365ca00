import { expect, test } from 'vitest'
import type { AnsweredLine } from '../../src/generate/journal.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { answer, PREFLIGHT, sampleEnd, sampleLines, samplePlan, verified } from './sample-run.ts'

const small = { fixtures: 2, conditions: ['C0'] }

/** The answered line of the first attempt. */
function firstAnswered(lines: readonly unknown[]): AnsweredLine {
  return lines.find((line) => (line as { kind: string }).kind === 'answered') as AnsweredLine
}

function without(lines: readonly unknown[], kind: string): unknown[] {
  return lines.filter((line) => (line as { kind: string }).kind !== kind)
}

test('every planned attempt has one record, cell by cell in the order of the plan', async () => {
  const { records, planned } = await joinRecords(sampleLines({ fixtures: 3, samples: 2, k: [1] }))
  const { cells, fixtures } = planned.plan
  const expected = cells.flatMap((cell) =>
    fixtures.flatMap(({ id }) => [0, 1].map((sample) => `${cell.id} / ${id} / ${sample}`)),
  )
  expect(records.map(({ attempt }) => attempt)).toEqual(expected)
})

test('the order in which attempts were made does not show in the records', async () => {
  const [plan, preflight, ...rest] = sampleLines({ fixtures: 4 })
  const verdictsLast = rest.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  expect(verdictsLast).not.toEqual(rest)
  const shuffled = await joinRecords([plan, preflight, ...verdictsLast])
  const straight = await joinRecords([plan, preflight, ...rest])
  expect(shuffled.records).toEqual(straight.records)
})

test('lines may come from a stream', async () => {
  async function* stream() {
    yield* sampleLines(small)
  }
  expect((await joinRecords(stream())).records).toEqual((await joinRecords(sampleLines(small))).records)
})

test('an attempt without any line is one not attempted', async () => {
  const lines = [{ kind: 'planned', at: '2026-11-29T10:00:00.000Z', plan: samplePlan(small) }, PREFLIGHT]
  const { records, ended } = await joinRecords(lines)
  expect(ended).toBeNull()
  expect(records).toHaveLength(4)
  for (const record of records) {
    expect(record.completion).toMatchObject({ kind: 'not-attempted', why: 'cancelled' })
    expect(record.verification).toBeNull()
    expect(record.promptHash).not.toBe('')
  }
})

test('an answer without a verdict is kept, unverified', async () => {
  const { records } = await joinRecords(without(sampleLines(small), 'verified'))
  expect(records[0]).toMatchObject({ completion: { kind: 'answered' }, verification: null })
})

test('a run killed before its preflight can be read', async () => {
  const run = await joinRecords([{ kind: 'planned', at: '2026-11-29T10:00:00.000Z', plan: samplePlan(small) }])
  expect(run).toMatchObject({ preflight: null, ended: null, answers: null })
})

test('duplicates are refused, all of them at once and by line', async () => {
  const lines = sampleLines(small)
  const twice = [
    ...lines,
    lines[0],
    firstAnswered(lines),
    lines.find((line) => (line as { kind: string }).kind === 'verified'),
    PREFLIGHT,
    sampleEnd(),
  ]
  const from = lines.length + 1
  const problem = await joinRecords(twice).catch((error: Error) => error.message)
  expect(problem).toContain(`line ${from}: a second plan`)
  expect(problem).toContain(`line ${from + 1}: a second answer to ${firstAnswered(lines).attempt}`)
  expect(problem).toContain(`line ${from + 2}: a second verdict on`)
  expect(problem).toContain(`line ${from + 3}: a second preflight`)
  expect(problem).toContain(`line ${from + 4}: a second end`)
})

test.each([
  ['a kind nobody knows', { kind: 'rumour' }, 'unknown kind "rumour"'],
  ['something that is no line', 7, 'not a line of a journal'],
  ['null', null, 'not a line of a journal'],
  ['a malformed line', { kind: 'verified', attempt: 'x' }, 'verified: verification'],
  [
    'a verdict on nothing',
    { kind: 'verified', attempt: 'x', verification: verified({ kind: 'passed' }) },
    'a verdict on x, which has no answer',
  ],
])('%s is named', async (_, line, expected) => {
  const lines = sampleLines(small)
  await expect(joinRecords([...lines, line])).rejects.toMatchObject({
    code: 'journal/invalid',
    message: expect.stringContaining(`line ${lines.length + 1}: ${expected}`),
  })
})

test('an answer that is not of the plan is refused', async () => {
  const lines = sampleLines(small)
  const stray = { ...firstAnswered(lines), attempt: 'someone else / 001 / 0' }
  await expect(joinRecords([...lines, stray])).rejects.toThrow(
    'an answer to someone else / 001 / 0, which is not of the plan',
  )
})

test('an answer to another prompt is refused', async () => {
  const lines = sampleLines(small)
  const first = firstAnswered(lines)
  const other = lines.map((line) => (line === first ? { ...first, promptHash: 'f'.repeat(64) } : line))
  await expect(joinRecords(other)).rejects.toThrow(`${first.attempt} answers a prompt that is not the plan's`)
})

test('a verdict on an attempt that got no answer is refused', async () => {
  const infra = { kind: 'infra-error', class: 'rate', message: 'slow down', requests: 3 } as const
  const lines = sampleLines({
    ...small,
    outcome: () => ({ completion: infra, verification: verified({ kind: 'passed' }) }),
  })
  await expect(joinRecords(lines)).rejects.toThrow('which has no answer')
})

test('a journal without a plan says so', async () => {
  await expect(joinRecords([])).rejects.toThrow('there is no plan')
})

test('the times of the first and last answer are kept', async () => {
  const { answers } = await joinRecords(
    sampleLines({ fixtures: 5, outcome: () => ({ completion: answer(), verification: null }) }),
  )
  expect(answers).toEqual({ firstAt: '2026-11-29T10:00:03.000Z', lastAt: '2026-11-29T10:00:07.000Z' })
})

test('a journal whose plan contradicts itself is refused', async () => {
  const plan = samplePlan(small)
  const twice = { ...plan, fixtures: [...plan.fixtures, ...plan.fixtures] }
  await expect(joinRecords(sampleLines(small, twice))).rejects.toMatchObject({
    code: 'journal/invalid',
    message: expect.stringContaining('plan.fixtures.2: a second one with the id "001"'),
  })
})
