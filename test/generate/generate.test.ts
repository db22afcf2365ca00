import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { worstCaseUsd } from '../../src/generate/cost.ts'
import { type GenerateDeps, generate } from '../../src/generate/generate.ts'
import { type AnsweredLine, fixTurnId, type Journal, openJournal } from '../../src/generate/journal.ts'
import { createLedger, type Ledger } from '../../src/generate/ledger.ts'
import { orderAttempts } from '../../src/generate/order.ts'
import type { Plan, Subject } from '../../src/generate/plan.ts'
import { messagesOf } from '../../src/generate/prompt.ts'
import { type Completion, type CompletionRequest, infraClasses, type Provider } from '../../src/models/provider.ts'
import { answer, samplePlan, samplePrice, sampleSubject } from '../score/sample-run.ts'

type Complete = (request: CompletionRequest, signal: AbortSignal) => Completion | Promise<Completion>

interface Line {
  readonly kind: string
  readonly attempt: string
  readonly usd?: number
  readonly completion?: Completion
}

const paid = (id: string) => sampleSubject(id, { price: samplePrice({ promptUsdPerM: 1, completionUsdPerM: 2 }) })
const free = (id: string) => sampleSubject(id, { price: null })

function planOf(subjects: readonly Subject[], fixtures = 4, samples = 1): Plan {
  return samplePlan({ subjects, fixtures, samples, conditions: ['C1'] })
}

/** The worst case of one request of the plan's first prompt; the prompts of a plan differ by a few bytes. */
function onceUsd(plan: Plan): number {
  const [subject] = plan.subjects
  return Math.max(...plan.prompts.map((prompt) => worstCaseUsd(subject as Subject, messagesOf(prompt), 1) ?? 0))
}

async function run(plan: Plan, complete: Complete, changes: Partial<GenerateDeps> = {}) {
  const lines: Line[] = []
  const provider: Provider = { complete: async (request, signal) => complete(request, signal) }
  const fixtures = plan.fixtures.map(({ id }) => id)
  const attempts = [...orderAttempts(plan.cells, fixtures, plan.samples, plan.seed)]
  const ledger = changes.ledger ?? createLedger(null)
  const work = generate(plan, {
    providers: new Map(plan.subjects.map(({ id }) => [id, provider])),
    journal: { append: (line) => lines.push(line as unknown as Line), close: () => {} },
    signal: new AbortController().signal,
    deadline: null,
    concurrency: 3,
    requestsPerSample: 1,
    stopAsking: () => {},
    onAnswered: async () => null,
    ...changes,
    ledger,
  })
  return { work, lines, attempts, ledger }
}

async function outcomesOf(plan: Plan, complete: Complete, changes: Partial<GenerateDeps> = {}) {
  const { work, lines, ledger } = await run(plan, complete, changes)
  await work
  const whys = lines.flatMap(({ completion }) => (completion?.kind === 'not-attempted' ? [completion.why] : []))
  return { lines, whys, ledger }
}

const pause = (turns: number) =>
  new Promise<void>((done) => {
    const turn = (left: number) => (left === 0 ? done() : setImmediate(turn, left - 1))
    turn(turns)
  })

/** A ledger that checks its law at every step. */
function lawful(capUsd: number | null): Ledger {
  const ledger = createLedger(capUsd)
  const check = () => {
    if (capUsd !== null) expect(ledger.spentUsd + ledger.reservedUsd).toBeLessThanOrEqual(capUsd + 1e-9)
  }
  return {
    reserve(attempt, usd) {
      const isAdmitted = ledger.reserve(attempt, usd)
      check()
      return isAdmitted
    },
    settle(attempt, usd) {
      ledger.settle(attempt, usd)
      check()
    },
    settled: () => ledger.settled(),
    get spentUsd() {
      return ledger.spentUsd
    },
    get reservedUsd() {
      return ledger.reservedUsd
    },
    fullCap: null,
    overruns: ledger.overruns,
  }
}

/** What becomes of a request: its cost as a share of the worst case, or how it fails; after some turns of the loop. */
const fate = fc.record({
  turns: fc.nat(3),
  outcome: fc.oneof(
    { weight: 5, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
    { weight: 2, arbitrary: fc.constantFrom(...infraClasses) },
    { weight: 1, arbitrary: fc.constantFrom('unknown cost', 'context') },
  ),
})

test('whatever happens, each attempt is journaled exactly once and the cap is kept at every step', async () => {
  const plan = planOf([paid('a'), { ...paid('b'), hasFixTurn: true }, free('c')], 3, 2)
  const once = onceUsd(plan)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { minLength: 24, maxLength: 24 }),
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.double({ min: 0, max: 20, noNaN: true })),
      fc.option(fc.nat(24)),
      async (fates, failures, concurrency, requestsPerSample, capShare, cancelAfter) => {
        const cancel = new AbortController()
        if (cancelAfter === 0) cancel.abort()
        const asked: string[] = []
        const complete: Complete = async ({ attempt }) => {
          const { turns, outcome } = fates[asked.length] ?? { turns: 0, outcome: 0 }
          asked.push(attempt)
          await pause(turns)
          if (asked.length === cancelAfter) cancel.abort()
          const costUsd = attempt.startsWith('c ') ? 0 : once
          if (typeof outcome === 'number') return answer({ costUsd: costUsd * outcome * 0.99 })
          if (outcome === 'unknown cost') return answer({ costUsd: null, usage: null })
          if (outcome === 'context') return { kind: 'not-attempted', why: 'context', message: '' }
          return { kind: 'infra-error', class: outcome, message: '', requests: 1 }
        }
        const told: AnsweredLine[] = []
        const seconds: string[] = []
        const { work, lines, attempts, ledger } = await run(plan, complete, {
          concurrency,
          requestsPerSample,
          signal: cancel.signal,
          ledger: lawful(capShare === null ? null : capShare * once),
          onAnswered: async (line) => {
            told.push(line)
            const isGivenBack = line.attempt.startsWith('b ') && line.feedback === undefined && failures.pop()
            if (!isGivenBack || line.completion.kind !== 'answered') return null
            seconds.push(fixTurnId(line.attempt))
            return 'It fails.'
          },
        })
        await work
        const answered = lines.filter((line) => line.kind === 'answered')
        expect(answered.map((line) => line.attempt).sort()).toEqual(
          [...attempts.map(({ id }) => id), ...seconds].sort(),
        )
        expect(told).toEqual(answered)
        expect(ledger.reservedUsd).toBe(0)
        expect(new Set(asked).size).toBe(asked.length)
        for (const { attempt, completion } of answered) {
          const isAsked = !(completion?.kind === 'not-attempted' && completion.why !== 'context')
          expect(asked.includes(attempt)).toBe(isAsked)
        }
        const reserved = lines.filter((line) => line.kind === 'reserved').map((line) => line.attempt)
        expect(reserved.sort()).toEqual(asked.filter((attempt) => !attempt.startsWith('c ')).sort())
      },
    ),
    { numRuns: 150 },
  )
})

test('a second turn that the cap has no room for leaves the room to other first turns', async () => {
  const plan = planOf([{ ...paid('a'), hasFixTurn: true }], 4)
  const long = 'x'.repeat(50_000)
  const { work, lines } = await run(plan, () => answer({ text: long, costUsd: 0 }), {
    concurrency: 1,
    ledger: createLedger(onceUsd(plan) * 1.5),
    onAnswered: async ({ feedback }) => (feedback === undefined ? 'It fails.' : null),
  })
  await work
  const ends = lines.flatMap(({ kind, attempt, completion }) =>
    kind === 'answered' ? [[attempt, completion?.kind]] : [],
  )
  expect(ends.filter(([attempt]) => !attempt?.endsWith('/ fix')).map(([, kind]) => kind)).toEqual(
    Array(4).fill('answered'),
  )
  expect(ends.filter(([attempt]) => attempt?.endsWith('/ fix')).map(([, kind]) => kind)).toEqual(
    Array(4).fill('not-attempted'),
  )
})

test('a reservation is on disk before its request is sent', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'attempts.jsonl')
  const journal = openJournal(file)
  const plan = planOf([paid('a')])
  const read = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
  const { work, attempts } = await run(
    plan,
    ({ attempt }) => {
      expect(read().filter((line) => line.attempt === attempt)).toEqual([
        { kind: 'reserved', attempt, usd: expect.any(Number), onceUsd: expect.any(Number) },
      ])
      return answer()
    },
    { journal, requestsPerSample: 4 },
  )
  await work
  journal.close()
  expect(
    read()
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual([...attempts.map(() => 'answered'), ...attempts.map(() => 'reserved')])
})

test('only a reservation waits for the disk', async () => {
  const waited = new Map<string, unknown>()
  const journal: Journal = { append: ({ kind }, durability) => waited.set(kind, durability), close: () => {} }
  const { work } = await run(planOf([paid('a')], 1), () => answer(), { journal })
  await work
  expect([...waited]).toEqual([
    ['reserved', 'sync'],
    ['answered', undefined],
  ])
})

test('a reservation covers every request that may be made for a sample', async () => {
  const plan = planOf([paid('a')], 1)
  const { lines } = await outcomesOf(plan, () => answer(), { requestsPerSample: 4 })
  expect(lines[0]?.usd).toBeCloseTo(4 * onceUsd(plan), 12)
})

test('with room for seven of sixteen requests at once, seven are under way at most, and in the end no more than fit', async () => {
  const plan = planOf([paid('a')], 16)
  const once = onceUsd(plan)
  let underWay = 0
  let most = 0
  const { whys } = await outcomesOf(
    plan,
    async () => {
      most = Math.max(most, ++underWay)
      await pause(2)
      underWay--
      return answer({ costUsd: once * 0.99 })
    },
    { concurrency: 16, ledger: lawful(once * 7.5) },
  )
  expect(most).toBe(7)
  expect(whys).toEqual(Array.from({ length: 9 }, () => 'spend-cap'))
})

test('room that cheap answers leave is used', async () => {
  const plan = planOf([paid('a')], 16)
  const once = onceUsd(plan)
  const { whys } = await outcomesOf(plan, () => answer({ costUsd: once / 100 }), { ledger: lawful(once * 2) })
  expect(whys).toEqual([])
})

test.each(['auth', 'quota'] as const)('after %s a subject is asked no more, and others go on', async (failure) => {
  const plan = planOf([free('a'), free('b')], 5)
  const asked: string[] = []
  const { lines } = await outcomesOf(
    plan,
    ({ attempt }) => {
      asked.push(attempt)
      if (attempt.startsWith('b ')) return answer()
      return { kind: 'infra-error', class: failure, message: 'no', requests: 1 }
    },
    { concurrency: 1 },
  )
  expect(asked.filter((attempt) => attempt.startsWith('a ')).length).toBe(1)
  expect(asked.filter((attempt) => attempt.startsWith('b ')).length).toBe(5)
  const stopped = lines.filter(({ completion }) => completion?.kind === 'not-attempted')
  expect(stopped.length).toBe(4)
  expect(stopped[0]?.completion).toMatchObject({ why: 'subject-stopped', message: expect.stringContaining(failure) })
})

test('a request that waits for room is not sent after its subject was stopped or the run cancelled', async () => {
  for (const stop of ['auth', 'cancel'] as const) {
    const plan = planOf([paid('a')], 4)
    const cancel = new AbortController()
    let asked = 0
    const { whys } = await outcomesOf(
      plan,
      async () => {
        asked++
        await pause(3)
        if (stop === 'auth') return { kind: 'infra-error', class: 'auth', message: 'no', requests: 1 }
        cancel.abort()
        return { kind: 'not-attempted', why: 'cancelled', message: '' }
      },
      { concurrency: 4, ledger: lawful(onceUsd(plan) * 1.5), signal: cancel.signal },
    )
    expect(asked).toBe(1)
    expect(new Set(whys)).toEqual(new Set([stop === 'auth' ? 'subject-stopped' : 'cancelled']))
  }
})

test('a bill above its reservation ends admission and says why', async () => {
  const plan = planOf([paid('a')], 4)
  const once = onceUsd(plan)
  const { lines, whys, ledger } = await outcomesOf(plan, () => answer({ costUsd: once * 3 }), {
    concurrency: 1,
    ledger: createLedger(once * 100),
  })
  expect(whys).toEqual(['spend-cap', 'spend-cap', 'spend-cap'])
  expect(lines.at(-1)?.completion).toMatchObject({ message: expect.stringContaining('above its worst case') })
  expect(ledger.overruns.length).toBe(1)
})

test('n samples of a problem are n requests of their own, each with its own seed', async () => {
  const plan = planOf([free('a')], 2, 5)
  const requests: CompletionRequest[] = []
  await outcomesOf(plan, (request) => {
    requests.push(request)
    return answer()
  })
  const ofFirst = requests.filter(({ fixture }) => fixture === '001')
  expect(ofFirst.map(({ sample }) => sample).sort()).toEqual([0, 1, 2, 3, 4])
  expect(new Set(requests.map(({ seed }) => seed)).size).toBe(10)
  expect(new Set(requests.map(({ attempt }) => attempt)).size).toBe(10)
})

test('a request has the prompt of its fixture and condition and the sampling of its subject', async () => {
  const plan = planOf([sampleSubject('a', { price: null })], 2)
  const requests: CompletionRequest[] = []
  await outcomesOf(plan, (request) => {
    requests.push(request)
    return answer()
  })
  for (const { fixture, messages, sampling } of requests) {
    const prompt = plan.prompts.find((candidate) => candidate.fixture === fixture)
    expect(messages.map(({ content }) => content)).toEqual([prompt?.system, prompt?.user])
    expect(sampling).toEqual(plan.subjects[0]?.sampling)
  }
})

test('a failing request in the middle leaves the others their own answers', async () => {
  const plan = planOf([free('a')], 5)
  const { lines } = await outcomesOf(plan, async ({ attempt, fixture }) => {
    await pause(5 - Number(fixture))
    if (fixture === '002') return { kind: 'infra-error', class: 'server', message: attempt, requests: 1 }
    return answer({ text: attempt })
  })
  for (const { attempt, completion } of lines) {
    const told = completion?.kind === 'answered' ? completion.text : (completion as { message: string }).message
    expect(told).toBe(attempt)
  }
})

test.each([
  ['a provider', { onAnswered: async (): Promise<null> => null }, true],
  [
    'verification',
    {
      onAnswered: async (): Promise<null> => {
        throw new Error('fault')
      },
    },
    false,
  ],
] as const)(
  'a fault of %s stops the asking, keeps what is under way, and is thrown',
  async (_name, changes, throws) => {
    const plan = planOf([paid('a')], 12)
    let asked = 0
    const { work, lines, ledger } = await run(
      plan,
      async () => {
        const number = ++asked
        await pause(number)
        if (throws && number === 1) throw new Error('fault')
        return answer()
      },
      { ...changes, ledger: lawful(onceUsd(plan) * 100) },
    )
    await expect(work).rejects.toThrow('fault')
    expect(asked).toBeLessThan(7)
    expect(lines.filter(({ kind }) => kind === 'answered').length).toBe(throws ? asked - 1 : asked)
    expect(ledger.reservedUsd).toBe(0)
  },
)

test('a journal that cannot be written stops the run instead of hanging it', async () => {
  const plan = planOf([paid('a')], 6)
  const journal = {
    append() {
      throw new Error('no space left on device')
    },
    close() {},
  }
  const { work } = await run(plan, () => answer(), { journal, ledger: lawful(onceUsd(plan) * 1.5) })
  await expect(work).rejects.toThrow('no space left')
})

test('at the first fault what waits for a retry or at the gate is told to stop, and is no victim of a deadline', async () => {
  const plan = planOf([free('a'), free('b')], 1)
  const stop = new AbortController()
  const { work, lines } = await run(
    plan,
    async ({ attempt }) => {
      if (attempt.startsWith('a ')) throw new Error('fault')
      // As a provider that waits for a retry does.
      await new Promise<void>((done) => stop.signal.addEventListener('abort', () => done()))
      return {
        kind: 'not-attempted',
        why: 'deadline',
        message: 'the deadline of the run came',
        failedRequests: ['rate'],
      }
    },
    { stopAsking: () => stop.abort() },
  )
  await expect(work).rejects.toThrow('fault')
  expect(lines.map(({ completion }) => completion)).toEqual([
    { kind: 'not-attempted', why: 'cancelled', message: expect.stringContaining('fault'), failedRequests: ['rate'] },
  ])
})

test('an answer is journaled before its reservation is settled', async () => {
  const plan = planOf([paid('a')], 1)
  const ledger = createLedger(null)
  const reservedUsd: number[] = []
  const journal: Journal = {
    append({ kind }) {
      if (kind === 'answered') reservedUsd.push(ledger.reservedUsd)
    },
    close: () => {},
  }
  const { work } = await run(plan, () => answer(), { journal, ledger })
  await work
  expect(reservedUsd).toEqual([expect.closeTo(onceUsd(plan), 12)])
  expect(ledger.reservedUsd).toBe(0)
})

test('a subject that the cap has no room for keeps neither cheaper nor free ones from being asked', async () => {
  const dear = sampleSubject('a', { price: samplePrice({ promptUsdPerM: 1000, completionUsdPerM: 2000 }) })
  const plan = planOf([dear, paid('b'), free('c')], 4)
  const [subject] = [paid('b')]
  const cheapUsd = Math.max(...plan.prompts.map((prompt) => worstCaseUsd(subject, messagesOf(prompt), 1) ?? 0))
  const asked: string[] = []
  const { lines, whys } = await outcomesOf(
    plan,
    ({ attempt }) => {
      asked.push(attempt[0] as string)
      return answer({ costUsd: 0 })
    },
    { concurrency: 1, ledger: lawful(cheapUsd * 1.5) },
  )
  expect(asked.sort().join('')).toBe('bbbbcccc')
  expect(whys).toEqual(['spend-cap', 'spend-cap', 'spend-cap', 'spend-cap'])
  expect(lines.filter(({ completion }) => completion?.kind === 'answered').length).toBe(8)
})

test('what costs nothing is asked even when a run had spent more than its cap before it was resumed', async () => {
  const ledger = createLedger(1, null, { spentUsd: 1.5, overruns: [] })
  const { whys } = await outcomesOf(planOf([free('a')], 2), () => answer(), { ledger })
  expect(whys).toEqual([])
})
