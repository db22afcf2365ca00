import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AnsweredLine, attemptId, fixTurnId } from '../../src/generate/journal.ts'
import type { Completion } from '../../src/models/provider.ts'
import { listBookings, spentByCell } from '../../src/score/book-spend.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { createAttemptTally } from '../../src/sweep/attempt-tally.ts'
import { answer, sampleLines, sampleSubject, usageOf, verified } from '../score/sample-run.ts'

function lineOf(cell: string, fixture: string, completion: Completion, isSecond = false): AnsweredLine {
  const attempt = attemptId(cell, fixture, 0)
  const id = isSecond ? fixTurnId(attempt) : attempt
  const common = { kind: 'answered', at: '2026-11-29T10:00:00.000Z', promptHash: '', seed: 0 } as const
  return { ...common, attempt: id, cell, fixture, sample: 0, completion }
}

test('what an attempt cost in both turns counts for its cell', () => {
  const tally = createAttemptTally(new Map([['a C0', 1]]))
  const turns = [lineOf('a C0', '001', answer()), lineOf('a C0', '001', answer(), true)]
  for (const turn of turns) tally.addTurn(turn, 0.25)
  expect(tally.finish(turns[0] as AnsweredLine)).toEqual({
    completions: [answer(), answer()],
    isAsked: true,
    cellSpentUsd: 1.5,
  })
})

const rate: Completion = { kind: 'infra-error', class: 'rate', message: 'x', requests: 1 }
const late: Completion = { kind: 'not-attempted', why: 'deadline', message: 'x' }

test.each([
  ['an answer', answer(), true, true],
  ['an infra error', rate, true, true],
  ['an answer from the store', answer({ stored: true }), true, false],
  ['what a provider did not begin', late, true, false],
  ['an answer of an earlier part', answer(), false, false],
])('%s: asked in this part or not', (_what, completion, isBooked, isAsked) => {
  const tally = createAttemptTally(new Map())
  const line = lineOf('a C0', '001', completion)
  tally.addTurn(line, isBooked ? 0 : null)
  expect(tally.finish(line).isAsked).toBe(isAsked)
})

test('the cells together have spent what was booked', () => {
  const settled = fc.record({
    cell: fc.constantFrom('a C0', 'a C1', 'b / C0'),
    usd: fc.double({ min: 0, max: 3, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(settled), (all) => {
      const tally = createAttemptTally(new Map())
      const spent = new Map<string, number>()
      for (const [index, { cell, usd }] of all.entries()) {
        const line = lineOf(cell, String(index), answer())
        tally.addTurn(line, usd)
        spent.set(cell, tally.finish(line).cellSpentUsd)
      }
      const sum = [...spent.values()].reduce((total, usd) => total + usd, 0)
      const booked = all.reduce((total, { usd }) => total + usd, 0)
      expect(sum).toBeCloseTo(booked, 9)
    }),
  )
})

test('a run that is resumed begins with what each cell had spent', async () => {
  const usage = usageOf({ promptTokens: 1_000_000, completionTokens: 0 })
  const lines = sampleLines({
    fixtures: 3,
    conditions: ['C0', 'C1'],
    subjects: [sampleSubject('a')],
    outcome: ({ condition }) => ({
      completion: answer(condition === 'C0' ? { usage } : { costUsd: 0.5 }),
      verification: verified({ kind: 'passed' }),
    }),
  })
  const earlier = await joinRecords(lines)
  expect([...spentByCell(earlier.planned.plan, listBookings(earlier))]).toEqual([
    ['a C0', expect.closeTo(3 * 0.15, 9)],
    ['a C1', expect.closeTo(3 * 0.5, 9)],
  ])
})
