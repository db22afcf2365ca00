import { setMaxListeners } from 'node:events'
import type { Completion, CompletionRequest, Provider } from '../models/provider.ts'
import { refusalOf } from '../models/retrying-provider.ts'
import { settlementUsd, worstCaseUsd } from './cost.ts'
import { type AnsweredLine, fixTurnId, type Journal, type ReservedLine } from './journal.ts'
import type { Ledger } from './ledger.ts'
import { orderAttempts, type PlannedAttempt } from './order.ts'
import type { Cell, Plan, Prompt, Subject } from './plan.ts'
import { type FirstTurn, firstTurnOf, hashTurn, messagesOf } from './prompt.ts'
import { attemptsOfShard, type Shard } from './shard.ts'

/** An answer that was given before the run was resumed. */
export interface KeptAnswer {
  readonly completion: Completion
  /** What the second turn was told; null in a first turn. */
  readonly feedback: string | null
}

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
  /** The part of the plan that is made; all of it without. */
  readonly shard?: Shard | null
  /** Answers of a run that is resumed, by the name of their line: they are journaled already and are not asked for again. */
  readonly kept?: ReadonlyMap<string, KeptAnswer>
  /** Called at the first fault: no request may start after it, not even one that waits for a retry or at the gate. */
  stopAsking(): void
  /**
   * Called once an answer is on disk, kept ones included; what it returns is awaited before the run ends. Of the first
   * turn of a subject with two it gives what the second is told, or null where there is none.
   */
  onAnswered(line: AnsweredLine, turn: AnsweredTurn): Promise<string | null>
}

/** What is known of an answered line beside what stands in it. */
export interface AnsweredTurn {
  /** Whether another turn follows if the answer fails. */
  readonly isFirstOfTwo: boolean
  /** What was booked for it in USD; null for one that was kept. */
  readonly bookedUsd: number | null
}

type Answered = { readonly line: AnsweredLine } & Pick<AnsweredTurn, 'bookedUsd'>

/** One request to be answered. */
interface Turn {
  readonly id: string
  readonly attempt: PlannedAttempt
  readonly subject: Subject
  readonly prompt: Prompt
  /** Null in a first turn. */
  readonly first: FirstTurn | null
}

/** So many answers may wait for their verdict; more would not keep the verifier any busier, only fill the memory. */
const MAX_UNVERIFIED = 100

/**
 * Makes every attempt of the plan, or of a shard of it, and journals each exactly once, those of one endpoint in order; no endpoint waits for another. An
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
    return full.has(subject.id) ? capped() : null
  }

  function capped(): Completion {
    const message =
      ledger.overruns.length > 0
        ? 'an earlier bill was above its worst case, so that the spend cap could not be kept any more'
        : 'the spend cap leaves no room for the worst case of this request'
    return notAttempted('spend-cap', message)
  }

  /** Waits for room below the cap. What refuses a request may come up meanwhile, so it is asked for each time. */
  async function admit({ id, subject, first }: Turn, usd: number): Promise<Completion | null> {
    for (;;) {
      if (faults.length > 0) throw faults[0]
      const refused = refusal(subject)
      if (refused !== null || ledger.reserve(id, usd)) return refused
      if (usd === 0 && ledger.overruns.length === 0) return null
      if (ledger.reservedUsd > 0 && ledger.overruns.length === 0) await ledger.settled()
      // A second turn is as long as the answer that is given back: there may be room for others.
      else if (first !== null) return capped()
      else full.add(subject.id)
    }
  }

  function journalAnswer(turn: Turn, completion: Completion): AnsweredLine {
    const line = answeredLine(turn, completion)
    journal.append(line)
    return line
  }

  /** Asks. The line is journaled before its reservation is settled, so that no money is without its answer. */
  async function complete(turn: Turn): Promise<Answered> {
    const { id, subject } = turn
    const provider = deps.providers.get(subject.id)
    if (provider === undefined) throw new Error(`no provider for subject ${subject.id}`)
    const request = requestFor(turn)
    const onceUsd = subject.price === null ? 0 : worstCaseUsd(subject, request.messages, 1)
    if (onceUsd === null) throw new Error(`${subject.id} has a price but no bound on its answers`)
    const reservedUsd = onceUsd * requestsPerSample
    const refused = await admit(turn, reservedUsd)
    if (refused !== null) return { line: journalAnswer(turn, refused), bookedUsd: 0 }
    let bookedUsd = reservedUsd
    try {
      if (reservedUsd > 0)
        journal.append<ReservedLine>({ kind: 'reserved', attempt: id, usd: reservedUsd, onceUsd }, 'sync')
      const completion = await provider.complete(request, deps.signal)
      bookedUsd = settlementUsd(subject, completion, onceUsd, reservedUsd)
      const stop = refusalOf(completion)
      if (stop !== null) stopped.set(subject.id, stop)
      const line = journalAnswer(turn, faults.length > 0 ? blameFault(completion, deps.deadline) : completion)
      return { line, bookedUsd }
    } finally {
      ledger.settle(id, bookedUsd)
    }
  }

  /** The line of a turn, from before where the run is resumed; null when the run was cancelled again meanwhile. */
  async function take(turn: Turn): Promise<Answered | null> {
    const kept = deps.kept?.get(turn.id)
    // What was told then is not told now: another prompt, whose answer this is not.
    if (kept === undefined || kept.feedback !== (turn.first?.feedback ?? null)) return complete(turn)
    // A run that is cancelled again leaves what it has not verified again yet to the next time it is resumed.
    return deps.signal.aborted ? null : { line: answeredLine(turn, kept.completion), bookedUsd: null }
  }

  async function make(attempt: PlannedAttempt): Promise<void> {
    const subject = subjects.get(attempt.cell.subject)
    const prompt = prompts.get(`${attempt.fixture} ${attempt.cell.condition}`)
    if (subject === undefined || prompt === undefined) throw new Error(`attempt ${attempt.id} is not of this plan`)
    const turn: Turn = { id: attempt.id, attempt, subject, prompt, first: null }
    const answered = await take(turn)
    if (answered === null) return
    if (!subject.hasFixTurn) return followUp(answered)
    const { line, bookedUsd } = answered
    const feedback = await deps.onAnswered(line, { isFirstOfTwo: true, bookedUsd })
    if (feedback === null || line.completion.kind !== 'answered') return
    const first = firstTurnOf(line.completion.text, feedback)
    const second = await take({ ...turn, id: fixTurnId(attempt.id), first })
    if (second !== null) followUp(second)
  }

  /** Has an answer verified while others are asked for. */
  function followUp({ line, bookedUsd }: Answered): void {
    const verified = deps.onAnswered(line, { isFirstOfTwo: false, bookedUsd })
    const work: Promise<void> = noteFault(verified).then(() => void verifying.delete(work))
    verifying.add(work)
  }

  async function noteFault(work: Promise<unknown>): Promise<void> {
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
  const groups = cellsByEndpoint(plan).map(async (turns) => {
    for (const cells of turns) {
      const queue = attemptsOfShard(orderAttempts(cells, fixtures, plan.samples, plan.seed), deps.shard ?? null)
      await Promise.all(Array.from({ length: deps.concurrency }, () => work(queue)))
    }
  })
  await Promise.all(groups)
  await Promise.all(verifying)
  if (faults.length > 0) throw faults[0]
}

/**
 * The cells of each endpoint; a subject that is asked at none is on its own. Those of an endpoint take one turn together, but for subjects
 * that the run serves itself: a machine has room for one of them, so that each has a turn of its own, one after the other.
 */
function cellsByEndpoint({ cells, subjects }: Plan): Cell[][][] {
  const byId = new Map(subjects.map((subject) => [subject.id, subject]))
  const groups = new Map<string, Map<string, Cell[]>>()
  for (const cell of cells) {
    const { endpoint = null, served = null } = byId.get(cell.subject) ?? {}
    const group = served === null ? (endpoint ?? `none, subject ${cell.subject}`) : 'served'
    const turns = groups.get(group) ?? new Map<string, Cell[]>()
    const turn = served === null ? group : cell.subject
    turns.set(turn, [...(turns.get(turn) ?? []), cell])
    groups.set(group, turns)
  }
  return [...groups.values()].map((turns) => [...turns.values()])
}

function requestFor({ id, attempt, subject, prompt, first }: Turn): CompletionRequest {
  return {
    attempt: id,
    fixture: attempt.fixture,
    condition: prompt.condition,
    sample: attempt.sample,
    messages: messagesOf(prompt, first),
    sampling: subject.sampling,
    seed: attempt.seed,
  }
}

function answeredLine({ id, attempt, prompt, first }: Turn, completion: Completion): AnsweredLine {
  return {
    kind: 'answered',
    at: new Date().toISOString(),
    attempt: id,
    cell: attempt.cell.id,
    fixture: attempt.fixture,
    sample: attempt.sample,
    promptHash: hashTurn(prompt, first),
    seed: attempt.seed,
    ...(first === null ? {} : { feedback: first.feedback }),
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
