import { expect, test } from 'vitest'
import { worstCaseUsd } from '../../src/generate/cost.ts'
import { messagesOf } from '../../src/generate/prompt.ts'
import type { Completion } from '../../src/models/provider.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import {
  answer,
  judged,
  type Outcome,
  PREFLIGHT,
  sampleEnd,
  sampleLines,
  samplePlan,
  sampleSubject,
  verified,
} from './sample-run.ts'

const RESUMED = { kind: 'resumed', at: '2026-11-29T11:00:00.000Z' }
const FAILED: Completion = { kind: 'infra-error', class: 'server', message: 'down', requests: 1 }

const plan = samplePlan({ fixtures: 2, conditions: ['C0'], subjects: [sampleSubject('model')], k: [1], samples: 1 })
const onceUsd = worstCaseUsd(plan.subjects[0]!, messagesOf(plan.prompts[0]!), 1)!
const [one, two] = ['model C0 / 001 / 0', 'model C0 / 002 / 0'] as const

function linesOf(outcome: (fixture: number) => Outcome) {
  const [planned, , ...lines] = sampleLines({ outcome: ({ fixture }) => outcome(fixture) }, plan)
  const of = (kind: string, attempt: string) => {
    const line = lines.find((each) => {
      const { kind: itsKind, attempt: itsAttempt } = each as { kind: string; attempt?: string }
      return itsKind === kind && itsAttempt === attempt
    })
    if (line === undefined) throw new Error(`no ${kind} of ${attempt}`)
    return line
  }
  return { planned, of }
}

const passed = linesOf(() => judged({ kind: 'passed' }, { costUsd: 0.001 }))
const failed = linesOf(() => ({ completion: FAILED, verification: null }))
const reserved = (attempt: string) => ({ kind: 'reserved', attempt, usd: onceUsd })
const whole = (attempt: string) => [reserved(attempt), passed.of('answered', attempt), passed.of('verified', attempt)]

test('an attempt that failed or was under way is made again, an answer is kept and verified again', async () => {
  const lines = [
    ...[passed.planned, PREFLIGHT, ...whole(one), reserved(two)],
    ...[RESUMED, PREFLIGHT, { kind: 'verified', attempt: one, verification: verified({ kind: 'timeout' }) }],
    ...[...whole(two), sampleEnd()],
  ]
  const run = await joinRecords(lines)
  expect(run.resumed).toBe(1)
  expect(run.records.map(({ verification }) => verification?.verdict.kind)).toEqual(['timeout', 'passed'])
  expect(run.abandoned).toMatchObject([{ attempt: two, completion: null, reserved: { usd: onceUsd } }])
  expect(buildReport(run).run).toMatchObject({ complete: true, resumed: 1 })
})

test('an end before the run was resumed counts no more', async () => {
  const stopped = sampleEnd({ stoppedBecause: 'the run was cancelled' })
  const lines = [passed.planned, PREFLIGHT, ...whole(one), stopped, RESUMED]
  const { ended, preflight, records } = await joinRecords(lines)
  expect([ended, preflight]).toEqual([null, null])
  expect(records[0]).toMatchObject({ completion: { kind: 'answered' }, verification: null })
})

test('an answer that came from no endpoint is made again when the run is resumed', async () => {
  const subjects = [sampleSubject('model', { endpoint: null })]
  const ofFolder = samplePlan({ fixtures: 2, conditions: ['C0'], subjects, k: [1], samples: 1 })
  const planned = { kind: 'planned', at: '2026-11-29T10:00:00.000Z', plan: ofFolder }
  const killed = [planned, PREFLIGHT, ...whole(one), RESUMED, PREFLIGHT]
  const { records, abandoned } = await joinRecords(killed)
  expect(records[0]?.completion.kind).toBe('not-attempted')
  expect(abandoned).toMatchObject([{ attempt: one, completion: { kind: 'answered' }, reserved: { usd: onceUsd } }])
  expect((await joinRecords([...killed, ...whole(one)])).records[0]?.completion.kind).toBe('answered')
})

test('a second answer to an attempt that has one is an error even after the run was resumed', async () => {
  const lines = [passed.planned, PREFLIGHT, ...whole(one), RESUMED, PREFLIGHT, passed.of('answered', one)]
  await expect(joinRecords(lines)).rejects.toThrow(`a second answer to ${one}`)
})

test('within what follows, a second preflight, verdict, answer or end is an error as ever', async () => {
  const part = [PREFLIGHT, ...whole(two), sampleEnd()]
  const lines = [passed.planned, RESUMED, ...part, ...part]
  const message = await joinRecords(lines).catch((error: Error) => error.message)
  for (const what of ['preflight', 'answer to', 'verdict on', 'end']) expect(message).toContain(`a second ${what}`)
})

test('a journal that begins with a resumption is refused', async () => {
  await expect(joinRecords([RESUMED, passed.planned])).rejects.toThrow('line 1: a run resumed before it was planned')
})

test('what was under way at a kill stays spent, and what failed before stays booked', async () => {
  const killed = [passed.planned, PREFLIGHT, reserved(one), failed.of('answered', one), reserved(two)]
  const resumed = [RESUMED, PREFLIGHT, ...whole(one), ...whole(two)]
  const { spend } = buildReport(await joinRecords([...killed, ...resumed]))
  expect(spend.spentUsd).toBeCloseTo(2 * onceUsd + 2 * 0.001, 12)
  const ended = buildReport(await joinRecords([...killed, ...resumed, sampleEnd()]))
  expect(ended.spend).toMatchObject({ spentUsd: 0.0123, isUpperBound: true })
})

test('a run that was never killed spent what it says, however often it was resumed', async () => {
  const lines = [
    ...[passed.planned, PREFLIGHT, reserved(one), failed.of('answered', one), ...whole(two), sampleEnd()],
    ...[RESUMED, PREFLIGHT, ...whole(one), passed.of('verified', two), sampleEnd()],
  ]
  expect(buildReport(await joinRecords(lines)).spend.isUpperBound).toBe(false)
})

test('an answer from the response store costs this run nothing, and its row does not know what it cost', async () => {
  const usage = { promptTokens: 10, completionTokens: 5, ...{ cachedPromptTokens: null, cacheWriteTokens: null } }
  const stored = linesOf(() => ({
    completion: answer({ stored: true, usage: { ...usage, reasoningTokens: null, totalTokens: null } }),
    verification: verified({ kind: 'passed' }),
  }))
  const lines = [one, two].flatMap((id) => [reserved(id), stored.of('answered', id), stored.of('verified', id)])
  const { spend, rows } = buildReport(await joinRecords([stored.planned, PREFLIGHT, ...lines]))
  expect(spend).toMatchObject({ spentUsd: 0, answersOfUnknownCost: 0 })
  expect(rows[0]?.cost.usd).toEqual({ total: null, known: 0, of: 2 })
})
