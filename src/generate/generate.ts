import { setMaxListeners } from 'node:events'
import type { Completion, Provider } from '../models/provider.ts'
import { refusalOf } from '../models/retrying-provider.ts'
import { settlementUsd, worstCaseUsd } from './cost.ts'
import type { AnsweredLine, Journal } from './journal.ts'
import type { Ledger } from './ledger.ts'
import { orderAttempts, type PlannedAttempt } from './order.ts'
import type { Cell, Plan, Prompt, Subject } from './plan.ts'

export interface GenerateDeps {
  /** By subject id. */
  readonly providers: ReadonlyMap<string, Provider>
  readonly ledger: Ledger
  readonly journal: Journal
  /** Aborted when the run is cancelled; ends what is under way. */
  readonly signal: AbortSignal
  /** Aborted when the time for asking is over; what is under way goes on. Null for a run without a deadline. */
  readonly deadline: AbortSignal | null
  /** Attempts under way at once at each endpoint. */
  readonly concurrency: number
  /** Requests a provider may make for one sample, retries included; the reservation covers them all. */
  readonly requestsPerSample: number
  /** Answers of a run that is resumed, by attempt: they are journaled already and are not asked for again. */
  readonly kept?: ReadonlyMap<string, Completion>
  /** Called at the first fault: no request may start after it, not even one that waits for a retry or at the gate. */
  stopAsking(): void
  /** Called once an answer is on disk, kept ones included; what it returns is awaited before the run ends. */
  onAnswered(line: AnsweredLine): Promise<void>
}

/** So many answers may wait for their verdict; more would not keep the verifier any busier, only fill the memory. */
const MAX_UNVERIFIED = 100

/**
 * Makes every attempt and journals each exactly once, those of one endpoint in order; no endpoint waits for another. An
 * attempt that is not made (cap, cancellation, deadline, a subject stopped by its provider) is journaled too: nothing is
 * silently missing. What is held in memory does not grow with the number of attempts.
 * @throws what a provider, the journal or `onAnswered` throws, a fault: nothing more is asked then, and what is under
 * way is still journaled, since it may have cost money.
 */
export async function generate(plan: Plan, deps: GenerateDeps): Promise<void> {
  const { ledger, journal, requestsPerSample } = deps
  // Every request under way listens to it.
  setMaxListeners(0, deps.signal)
  const prompts = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt]))
  const subjects = new Map(plan.subjects.map((subject) => [subject.id, subject]))
  const stopped = new Map<string, Completion>()
  const verifying = new Set<Promise<void>>()
  const faults: unknown[] = []
  /** Subjects that the cap has no room for any more; a cheaper one may have some still. */
  const full = new Set<string>()

  /** Why no request may be made for `subject` now; null when one may. */
  function refusal(subject: Subject): Completion | null {
    if (deps.signal.aborted) return notAttempted('cancelled', 'the run was cancelled before this request')
    if (deps.deadline?.aborted) return notAttempted('deadline', 'the deadline of the run came before this request')
    const stop = stopped.get(subject.id)
    if (stop !== undefined) return stop
    if (!full.has(subject.id)) return null
    const message =
      ledger.overruns.length > 0
        ? 'an earlier bill was above its worst case, so that the spend cap could not be kept any more'
        : 'the spend cap leaves no room for the worst case of this request'
    return notAttempted('spend-cap', message)
  }

  /** Waits for room below the cap. What refuses a request may come up meanwhile, so it is asked for each time. */
  async function admit(attempt: PlannedAttempt, subject: Subject, usd: number): Promise<Completion | null> {
    for (;;) {
      if (faults.length > 0) throw faults[0]
      const refused = refusal(subject)
      if (refused !== null || ledger.reserve(attempt.id, usd)) return refused
      if (usd === 0 && ledger.overruns.length === 0) return null
      if (ledger.reservedUsd === 0 || ledger.overruns.length > 0) full.add(subject.id)
      else await ledger.settled()
    }
  }

  function journalAnswer(attempt: PlannedAttempt, prompt: Prompt, completion: Completion): AnsweredLine {
    const line = answeredLine(attempt, prompt, completion)
    journal.append(line)
    return line
  }

  /** Makes one attempt. Its line is journaled before its reservation is settled, so that no money is without its answer. */
  async function complete(attempt: PlannedAttempt, subject: Subject, prompt: Prompt): Promise<AnsweredLine> {
    const provider = deps.providers.get(subject.id)
    if (provider === undefined) throw new Error(`no provider for subject ${subject.id}`)
    const onceUsd = subject.price === null ? 0 : worstCaseUsd(subject, prompt, 1)
    if (onceUsd === null) throw new Error(`${subject.id} has a price but no bound on its answers`)
    const reservedUsd = onceUsd * requestsPerSample
    const refused = await admit(attempt, subject, reservedUsd)
    if (refused !== null) return journalAnswer(attempt, prompt, refused)
    let bookedUsd = reservedUsd
    try {
      if (reservedUsd > 0) journal.append({ kind: 'reserved', attempt: attempt.id, usd: reservedUsd }, 'sync')
      const completion = await provider.complete(requestFor(attempt, subject, prompt), deps.signal)
      bookedUsd = settlementUsd(subject, completion, onceUsd, reservedUsd)
      const stop = refusalOf(completion)
      if (stop !== null) stopped.set(subject.id, stop)
      return journalAnswer(attempt, prompt, faults.length > 0 ? blameFault(completion, deps.deadline) : completion)
    } finally {
      ledger.settle(attempt.id, bookedUsd)
    }
  }

  async function make(attempt: PlannedAttempt): Promise<void> {
    const subject = subjects.get(attempt.cell.subject)
    const prompt = prompts.get(`${attempt.fixture} ${attempt.cell.condition}`)
    if (subject === undefined || prompt === undefined) throw new Error(`attempt ${attempt.id} is not of this plan`)
    const kept = deps.kept?.get(attempt.id)
    // A run that is cancelled again leaves what it has not verified again yet to the next time it is resumed.
    if (kept !== undefined && deps.signal.aborted) return
    const line = kept === undefined ? await complete(attempt, subject, prompt) : answeredLine(attempt, prompt, kept)
    const work: Promise<void> = noteFault(deps.onAnswered(line)).then(() => void verifying.delete(work))
    verifying.add(work)
  }

  async function noteFault(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      faults.push(error)
      deps.stopAsking()
    }
  }

  async function work(queue: Iterator<PlannedAttempt, undefined>): Promise<void> {
    while (faults.length === 0) {
      // The first of a set is its oldest.
      if (verifying.size >= MAX_UNVERIFIED) await verifying.values().next().value
      else {
        const attempt = queue.next().value
        if (attempt === undefined) return
        await noteFault(make(attempt))
      }
    }
  }

  const fixtures = plan.fixtures.map(({ id }) => id)
  const workers = cellsByEndpoint(plan).flatMap((cells) => {
    const queue = orderAttempts(cells, fixtures, plan.samples, plan.seed)
    return Array.from({ length: deps.concurrency }, () => work(queue))
  })
  await Promise.all(workers)
  await Promise.all(verifying)
  if (faults.length > 0) throw faults[0]
}

/** The cells of each endpoint; a subject that is asked at none is on its own. */
function cellsByEndpoint({ cells, subjects }: Plan): Cell[][] {
  const endpoints = new Map(subjects.map(({ id, endpoint }) => [id, endpoint]))
  const groups = new Map<string, Cell[]>()
  for (const cell of cells) {
    const endpoint = endpoints.get(cell.subject) ?? `none, subject ${cell.subject}`
    groups.set(endpoint, [...(groups.get(endpoint) ?? []), cell])
  }
  return [...groups.values()]
}

function requestFor(attempt: PlannedAttempt, subject: Subject, prompt: Prompt) {
  return {
    attempt: attempt.id,
    fixture: attempt.fixture,
    condition: prompt.condition,
    sample: attempt.sample,
    messages: [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ],
    sampling: subject.sampling,
    seed: attempt.seed,
  } as const
}

function answeredLine(attempt: PlannedAttempt, prompt: Prompt, completion: Completion): AnsweredLine {
  return {
    kind: 'answered',
    at: new Date().toISOString(),
    attempt: attempt.id,
    cell: attempt.cell.id,
    fixture: attempt.fixture,
    sample: attempt.sample,
    promptHash: prompt.hash,
    seed: attempt.seed,
    completion,
  }
}

/** A provider that is told to start no more requests takes that for the deadline. */
function blameFault(completion: Completion, deadline: AbortSignal | null): Completion {
  if (completion.kind !== 'not-attempted' || completion.why !== 'deadline' || deadline?.aborted) return completion
  return { ...completion, why: 'cancelled', message: 'the run ended by a fault before this request' }
}

function notAttempted(why: Extract<Completion, { kind: 'not-attempted' }>['why'], message: string): Completion {
  return { kind: 'not-attempted', why, message }
}
