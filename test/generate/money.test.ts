import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { worstCaseUsd } from '../../src/generate/cost.ts'
import { generate } from '../../src/generate/generate.ts'
import { createLedger, type Ledger } from '../../src/generate/ledger.ts'
import type { Plan, Prompt, Subject } from '../../src/generate/plan.ts'
import { messagesOf } from '../../src/generate/prompt.ts'
import { openSpendBook, type SpendBook } from '../../src/generate/spend-book.ts'
import { type Completion, type InfraClass, infraClasses, type Usage } from '../../src/models/provider.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { answer, PREFLIGHT, samplePlan, samplePrice, sampleSubject, usageOf } from '../score/sample-run.ts'
import type { BookLine } from './book-file.ts'

vi.setConfig({ testTimeout: 180_000 })

const usdPerM = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 200, noNaN: true }))
const price = fc
  .record({
    promptUsdPerM: usdPerM,
    completionUsdPerM: usdPerM,
    cachedPromptUsdPerM: fc.option(usdPerM),
    cacheWriteUsdPerM: fc.option(usdPerM),
    requestUsd: fc.option(fc.double({ min: 0, max: 0.5, noNaN: true })),
  })
  .map(samplePrice)

const share = fc.double({ min: 0, max: 1, noNaN: true })
const shares = fc.tuple(share, share, share, share)
const told = fc.record({ usage: fc.option(shares), costShare: fc.option(share) })

type ValueOf<Values> = Values extends fc.Arbitrary<infer Value> ? Value : never

/** What becomes of a request, after some turns of the loop, and which requests failed before it. */
const fateOf = (dearWeight: number) =>
  fc.record({
    turns: fc.nat(3),
    failed: fc.array(fc.constantFrom(...infraClasses), { maxLength: 3 }),
    outcome: fc.oneof(
      { weight: 8, arbitrary: fc.record({ kind: fc.constant('answer' as const), told }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('failure' as const), name: fc.constantFrom(...infraClasses) }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'context' as const }) },
      {
        weight: dearWeight,
        arbitrary: fc.record({ kind: fc.constant('dear' as const), times: fc.double({ min: 1, max: 9, noNaN: true }) }),
      },
    ),
  })
type Fate = ValueOf<ReturnType<typeof fateOf>>

const runOf = (dearWeight: number) =>
  fc.record({
    prices: fc.tuple(fc.option(price, { freq: 8 }), fc.option(price, { freq: 8 })),
    isOneEndpoint: fc.boolean(),
    concurrency: fc.integer({ min: 1, max: 9 }),
    requestsPerSample: fc.integer({ min: 1, max: 4 }),
    /** In worst cases of one sample. */
    capShare: fc.option(fc.double({ min: 0, max: 14, noNaN: true })),
    cancelAfter: fc.option(fc.nat(14), { freq: 2 }),
    deadlineAfter: fc.option(fc.nat(14), { freq: 2 }),
    fates: fc.array(fateOf(dearWeight), { minLength: 12, maxLength: 12 }),
  })
type Run = ValueOf<ReturnType<typeof runOf>>

const pause = (turns: number) =>
  new Promise<void>((done) => {
    const turn = (left: number) => (left === 0 ? done() : setImmediate(turn, left - 1))
    turn(turns)
  })

function planOf({ prices, isOneEndpoint, capShare }: Run, monthUsd: number | null): Plan {
  const subjects = prices.map((price, index) =>
    sampleSubject(`m${index}`, { price, endpoint: `https://${isOneEndpoint ? 'one' : index}.example` }),
  )
  const plan = samplePlan({ subjects, fixtures: 3, samples: 2, conditions: ['C1'] })
  const runUsd = capShare === null ? null : capShare * dearestOf(plan)
  return { ...plan, caps: { runUsd, monthUsd } }
}

/** The worst case of one request of the plan. */
function dearestOf({ subjects, prompts }: Plan): number {
  const all = subjects.flatMap((subject) => prompts.map((prompt) => worstCaseUsd(subject, messagesOf(prompt), 1) ?? 0))
  return Math.max(...all)
}

/** Token counts within what a request may have. */
function usageWithin([a, b, c, d]: [number, number, number, number], { sampling }: Subject, prompt: Prompt): Usage {
  const promptTokens = Math.floor((Buffer.byteLength(prompt.system + prompt.user) + 32) * a)
  const cachedPromptTokens = Math.floor(promptTokens * b)
  const completionTokens = Math.floor((sampling.maxTokens ?? 0) * c)
  return usageOf({
    promptTokens,
    cachedPromptTokens,
    cacheWriteTokens: Math.floor((promptTokens - cachedPromptTokens) * d),
    completionTokens,
    reasoningTokens: Math.floor(completionTokens * d),
    totalTokens: promptTokens + completionTokens,
  })
}

function completionOf({ outcome, failed }: Fate, subject: Subject, prompt: Prompt, requests: number): Completion {
  const onceUsd = worstCaseUsd(subject, messagesOf(prompt), 1) ?? 0
  const failedRequests: InfraClass[] = failed.slice(0, requests - 1)
  switch (outcome.kind) {
    case 'answer': {
      const usage = outcome.told.usage === null ? null : usageWithin(outcome.told.usage, subject, prompt)
      const costUsd = outcome.told.costShare === null ? null : outcome.told.costShare * onceUsd
      return { ...answer({ usage, costUsd }), failedRequests }
    }
    case 'failure':
      return {
        kind: 'infra-error',
        class: outcome.name,
        message: '',
        requests: failedRequests.length + 1,
        failedRequests,
      }
    case 'context':
      return { kind: 'not-attempted', why: 'context', message: '', failedRequests }
    case 'dear':
      return { ...answer({ costUsd: onceUsd * requests * outcome.times + 1e-6 }), failedRequests }
  }
}

/** Sums of promises and bills, kept apart from those of the ledger and the book; `excessUsd` is what bills passed their promise by. */
function createTally(capUsd: number | null) {
  const open = new Map<string, number>()
  const tally = { spentUsd: 0, excessUsd: 0 }
  return {
    tally,
    promise(name: string, usd: number) {
      open.set(name, usd)
      this.check()
    },
    bill(name: string, usd: number) {
      tally.spentUsd += usd
      tally.excessUsd += Math.max(0, usd - (open.get(name) ?? 0))
      open.delete(name)
      this.check()
    },
    check() {
      const sum = [...open.values()].reduce((total, usd) => total + usd, tally.spentUsd)
      if (capUsd !== null && sum - tally.excessUsd > capUsd + 1e-9)
        throw new Error(`${sum} is above the cap of ${capUsd}`)
    },
  }
}
type Tally = ReturnType<typeof createTally>

/** The ledger, with its law checked at every step, and that nothing is admitted after a bill that passed its promise. */
function watched(ledger: Ledger, name: string, isCapped: boolean, tallies: readonly Tally[]) {
  const promised = new Map<string, number>()
  const passed: string[] = []
  const watching: Ledger = {
    reserve(attempt, usd) {
      const isAdmitted = ledger.reserve(attempt, usd)
      if (!isAdmitted) return false
      if (isCapped && passed.length > 0)
        throw new Error(`${attempt} was admitted after ${passed[0]} passed its promise`)
      promised.set(attempt, usd)
      for (const tally of tallies) tally.promise(`${name} ${attempt}`, usd)
      return true
    },
    settle(attempt, usd) {
      ledger.settle(attempt, usd)
      if (usd > (promised.get(attempt) ?? 0) + 1e-9) passed.push(attempt)
      for (const tally of tallies) tally.bill(`${name} ${attempt}`, usd)
    },
    settled: () => ledger.settled(),
    get spentUsd() {
      return ledger.spentUsd
    },
    get reservedUsd() {
      return ledger.reservedUsd
    },
    get fullCap() {
      return ledger.fullCap
    },
    overruns: ledger.overruns,
  }
  return { watching, passed }
}

type Line = { readonly kind: string; readonly attempt: string; readonly usd?: number }

/** Runs it against its fates and checks its journal. */
async function perform(run: Run, name: string, plan: Plan, book: SpendBook | null, month: Tally | null) {
  const { runUsd, monthUsd } = plan.caps
  const own = createTally(runUsd)
  const isCapped = runUsd !== null || monthUsd !== null
  const { watching, passed } = watched(
    createLedger(runUsd, book),
    name,
    isCapped,
    month === null ? [own] : [own, month],
  )
  const [cancel, deadline] = [new AbortController(), new AbortController()]
  const lines: Line[] = []
  const asked: string[] = []
  const prompts = new Map(plan.prompts.map((prompt) => [prompt.fixture, prompt]))
  const stopAt = (count: number) => {
    if (count === run.cancelAfter) cancel.abort()
    if (count === run.deadlineAfter) deadline.abort()
  }
  stopAt(0)
  const providers = plan.subjects.map((subject) => {
    async function complete({ attempt, fixture }: { attempt: string; fixture: string }): Promise<Completion> {
      const fate = run.fates[asked.length] as Fate
      asked.push(attempt)
      stopAt(asked.length)
      await pause(fate.turns)
      if (cancel.signal.aborted) return { kind: 'not-attempted', why: 'cancelled', message: '' }
      return completionOf(fate, subject, prompts.get(fixture) as Prompt, run.requestsPerSample)
    }
    return [subject.id, { complete }] as const
  })
  await generate(plan, {
    providers: new Map(providers),
    ledger: watching,
    journal: { append: (line) => lines.push(line as unknown as Line), close: () => {} },
    signal: cancel.signal,
    deadline: deadline.signal,
    stopAsking: () => {},
    concurrency: run.concurrency,
    requestsPerSample: run.requestsPerSample,
    onAnswered: async () => null,
  })

  const ofKind = (kind: string) => lines.filter((line) => line.kind === kind).map(({ attempt }) => attempt)
  const planned = plan.cells.flatMap(({ id }) =>
    plan.fixtures.flatMap((fixture) => [0, 1].map((sample) => `${id} / ${fixture.id} / ${sample}`)),
  )
  expect(ofKind('answered').sort()).toEqual(planned.sort())
  expect(new Set(asked).size).toBe(asked.length)
  const isPaid = new Map(plan.subjects.map((subject) => [subject.id, dearestOf({ ...plan, subjects: [subject] }) > 0]))
  const paid = asked.filter((attempt) => isPaid.get(attempt.slice(0, 2)))
  expect(ofKind('reserved').sort()).toEqual(paid.sort())
  for (const attempt of paid)
    expect(lines.findIndex((line) => line.attempt === attempt)).toBe(
      lines.findIndex((line) => line.attempt === attempt && line.kind === 'reserved'),
    )
  expect(watching.reservedUsd).toBe(0)
  expect(watching.spentUsd).toBeCloseTo(own.tally.spentUsd, 9)
  expect(watching.overruns.map(({ attempt }) => attempt)).toEqual(isCapped ? passed : [])
  return { lines, ledger: watching }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-money-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('in thousands of runs, no bill above its worst case: spent and reserved are within the cap at every step', async () => {
  await fc.assert(
    fc.asyncProperty(runOf(0), async (run) => {
      const { ledger } = await perform(run, 'run', planOf(run, null), null, null)
      expect(ledger.overruns).toEqual([])
    }),
    { numRuns: 4000 },
  )
})

test('in thousands of runs with bills above their worst case, the first of them ends admission, and each is named', async () => {
  await fc.assert(
    fc.asyncProperty(runOf(3), async (run) => {
      await perform(run, 'run', planOf(run, null), null, null)
    }),
    { numRuns: 2000 },
  )
})

test('runs that share a book keep the cap of the month together, and the book ends with what they spent', async () => {
  const folder = temporaryFolder()
  let number = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(runOf(1), { minLength: 2, maxLength: 3 }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      async (runs, capShare) => {
        const file = path.join(folder, `${number++}.jsonl`)
        const capUsd = capShare * Math.max(...runs.map((run) => dearestOf(planOf(run, null))))
        const month = createTally(capUsd)
        const books = runs.map(() => openSpendBook({ file, capUsd, now: () => new Date('2026-11-30T00:00:00Z') }))
        // One after the other for the last, as a re-run is.
        const before = await Promise.all(
          runs.slice(0, 2).map((run, index) => perform(run, `${index}`, planOf(run, capUsd), books[index]!, month)),
        )
        const after = await Promise.all(
          runs.slice(2).map((run) => perform(run, '2', planOf(run, capUsd), books[2]!, month)),
        )
        for (const book of books) book.close()

        const lines = readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as BookLine)
        const names = (kind: string) =>
          lines.filter((line) => line.kind === kind).map((line) => `${line.run} ${line.attempt}`)
        expect(new Set(names('reserved')).size).toBe(names('reserved').length)
        expect(new Set(names('settled')).size).toBe(names('settled').length)
        expect(names('settled')).toEqual(expect.arrayContaining(names('reserved')))
        const settledUsd = lines.filter(({ kind }) => kind === 'settled').reduce((sum, { usd }) => sum + usd, 0)
        const spentUsd = [...before, ...after].reduce((sum, { ledger }) => sum + ledger.spentUsd, 0)
        expect(settledUsd).toBeCloseTo(spentUsd, 9)
      },
    ),
    { numRuns: 500 },
  )
})

test('the report of a killed run, made from its journal alone, tells what its ledger had booked', async () => {
  await fc.assert(
    fc.asyncProperty(runOf(1), async (run) => {
      const plan = planOf(run, null)
      const { lines, ledger } = await perform(run, 'run', plan, null, null)
      const planned = { kind: 'planned', at: '2026-11-30T00:00:00.000Z', plan }
      const { spend } = buildReport(await joinRecords([planned, PREFLIGHT, ...lines]))
      expect(spend.spentUsd).toBeCloseTo(ledger.spentUsd, 9)
      expect(spend.overruns.map(({ attempt }) => attempt).sort()).toEqual(
        ledger.overruns.map(({ attempt }) => attempt).sort(),
      )
    }),
    { numRuns: 150 },
  )
})
