import { expect, test } from 'vitest'
import { describePrice, describeSampling, listFacts } from '../../src/report/facts.ts'
import type { Report } from '../../src/report/schema.ts'
import { judged, samplePrice, sampleSubject } from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

const LEFT_OPEN = { temperature: null, topP: null, maxTokens: null, reasoningEffort: null }

test('what a request leaves open is left to the endpoint', () => {
  expect(describeSampling(sampleSubject('model', { sampling: LEFT_OPEN }))).toBe(
    'temperature left to the endpoint, top_p left to the endpoint, tokens of an answer left to the endpoint',
  )
})

test('every further setting of the requests is told', () => {
  const sampling = {
    ...{ ...LEFT_OPEN, maxTokens: 64, maxTokensField: 'max_completion_tokens' as const, reasoningMaxTokens: 32 },
    ...{ providers: ['first', 'second'], extraBody: { top_k: 20, stop: ['END'] } },
  }
  expect(describeSampling(sampleSubject('model', { sampling }))).toContain(
    'at most 64 tokens (as max_completion_tokens), at most 32 tokens of thinking, provider first, else second, no other, further fields {"top_k":20,"stop":["END"]}',
  )
})

test('what is not known of answers obtained elsewhere is unknown', () => {
  const recording = { obtained: 'read from a folder of answers', date: null, isBatched: null }
  expect(describeSampling(sampleSubject('model', { sampling: LEFT_OPEN, recording }))).toBe(
    'temperature unknown, top_p unknown, tokens of an answer unknown',
  )
  expect(describeSampling(sampleSubject('model', { recording }))).toBe(
    'temperature 0, top_p unknown, at most 4096 tokens',
  )
})

const moneyOf = (report: Report) => new Map(listFacts(report)).get('Money') ?? 'no fact'

test('every cap of the plan is told, also of a run that was killed', async () => {
  const report = await sampleReport({ fixtures: 1, outcome: () => judged({ kind: 'passed' }, { costUsd: 0.004 }) })
  const withCaps = (caps: Report['plan']['caps']) =>
    moneyOf({ ...report, plan: { ...report.plan, caps }, spend: { ...report.spend, isUpperBound: true } })
  expect(withCaps({ runUsd: 2, monthUsd: 30 })).toBe('at most $0.012 booked, cap $2.00, cap of the month $30.00')
  expect(withCaps({ runUsd: null, monthUsd: 30 })).toBe('at most $0.012 booked, cap of the month $30.00')
  expect(withCaps({ runUsd: null, monthUsd: null })).toBe('at most $0.012 booked, no cap')
})

test('costs that contradict the token counts are told with their difference', async () => {
  const report = await sampleReport({ fixtures: 1 })
  const spend = { ...report.spend, contradictions: { answers: 3, differenceUsd: 0.5 } }
  expect(moneyOf({ ...report, spend })).toContain(
    'costs told for 3 answers differ from their token counts by $0.50 in all (the larger was booked)',
  )
})

test('a bill above its worst case is told with who billed it, at most three of them', async () => {
  const report = await sampleReport({
    fixtures: 5,
    conditions: ['C0'],
    subjects: [sampleSubject('model')],
    outcome: ({ fixture }) => judged({ kind: 'passed' }, { providerReturned: fixture === 0 ? 'Some Host' : null }),
  })
  const overruns = report.attempts.map(({ attempt }) => ({ attempt, reservedUsd: 1, billedUsd: 1.5 }))
  const told = moneyOf({ ...report, spend: { ...report.spend, overruns } })
  expect(told).toContain('Some Host billed $1.50 for model C0 / 001 / 0, for which $1.00 was the worst case')
  expect(told).toContain('https://models.example billed $1.50 for model C0 / 002 / 0')
  expect(told).toContain('2 more bills passed the worst case')
  expect(told).not.toContain('004')
})

test('a price has its further parts where they were told', () => {
  expect(describePrice(sampleSubject('m', { price: null }))).toBe('unknown')
  expect(describePrice(sampleSubject('m'))).toBe('$0.15, $0.60')
  const price = samplePrice({ cachedPromptUsdPerM: 0.075, cacheWriteUsdPerM: 0.2, requestUsd: 0.01 })
  expect(describePrice(sampleSubject('m', { price }))).toBe(
    '$0.15, $0.60 (cached $0.075, cache write $0.20, request $0.01)',
  )
})

test('the sandbox says what it was found to close, what stays open, and why no stronger one was used', async () => {
  const report = await sampleReport({ fixtures: 1 })
  const sandboxOf = (sandbox: typeof report.sandbox) =>
    new Map(listFacts({ ...report, sandbox })).get('Sandbox') ?? 'no fact'
  const closed = { tcp: true, udp: true, reads: true, writes: true, processes: false, survivors: true }
  const passedOver = [{ level: 'bubblewrap' as const, reason: 'bwrap is not installed' }]
  expect(sandboxOf({ level: 'landlock', closed, passedOver })).toBe(
    'landlock; found closed: tcp, udp, reads, writes, survivors; open: processes; not bubblewrap: bwrap is not installed',
  )
  expect(sandboxOf({ level: 'none', closed, passedOver: [] })).toMatch(/^none, as asked/)
  expect(sandboxOf({ level: 'none', closed, passedOver })).toMatch(/^none, since no other holds here/)
})
