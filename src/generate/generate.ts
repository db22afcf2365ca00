import type { Completion, Provider } from '../models/provider.ts'
import { settlementUsd, worstCaseUsd } from './cost.ts'
import type { AnsweredLine, Journal } from './journal.ts'
import type { Ledger } from './ledger.ts'
import type { PlannedAttempt } from './order.ts'
import type { Plan, Prompt, Subject } from './plan.ts'

export interface GenerateDeps {
  /** By subject id. */
  readonly providers: ReadonlyMap<string, Provider>
  readonly ledger: Ledger
  readonly journal: Journal
  readonly signal: AbortSignal
  /** Requests under way at once. */
  readonly concurrency: number
  /** Requests a provider may make for one sample, retries included; the reservation covers them all. */
  readonly requestsPerSample: number
  /** Called once an answer is on disk; what it returns is awaited before the run ends. */
  onAnswered(line: AnsweredLine): Promise<void>
}

/**
 * Makes every attempt in order and journals each exactly once. An attempt that is not made (cap, cancellation, a
 * subject stopped by its provider) is journaled too: nothing is silently missing.
 * @throws what a provider, the journal or `onAnswered` throws, a fault: nothing more is asked then, and what is under
 * way is still journaled, since it may have cost money.
 */
export async function generate(plan: Plan, attempts: readonly PlannedAttempt[], deps: GenerateDeps): Promise<void> {
  const { ledger, journal, requestsPerSample } = deps
  const prompts = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt]))
  const subjects = new Map(plan.subjects.map((subject) => [subject.id, subject]))
  const stopped = new Map<string, string>()
  const verifying: Promise<void>[] = []
  const faults: unknown[] = []
  let isAdmitting = true
  let next = 0

  /** Why no request may be made for `subject` now; null when one may. */
  function refusal(subject: Subject): Completion | null {
    if (deps.signal.aborted) return notAttempted('cancelled', 'the run was cancelled before this request')
    const reason = stopped.get(subject.id)
    if (reason !== undefined) return notAttempted('subject-stopped', reason)
    if (isAdmitting) return null
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
      if (ledger.reservedUsd === 0 || ledger.overruns.length > 0) isAdmitting = false
      else await ledger.settled()
    }
  }

  async function complete(attempt: PlannedAttempt, subject: Subject, prompt: Prompt): Promise<Completion> {
    const provider = deps.providers.get(subject.id)
    if (provider === undefined) throw new Error(`no provider for subject ${subject.id}`)
    const onceUsd = subject.price === null ? 0 : worstCaseUsd(subject, prompt, 1)
    if (onceUsd === null) throw new Error(`${subject.id} has a price but no bound on its answers`)
    const reservedUsd = onceUsd * requestsPerSample
    const refused = await admit(attempt, subject, reservedUsd)
    if (refused !== null) return refused
    let bookedUsd = reservedUsd
    try {
      if (reservedUsd > 0) journal.append({ kind: 'reserved', attempt: attempt.id, usd: reservedUsd }, 'sync')
      const completion = await provider.complete(requestFor(attempt, subject, prompt), deps.signal)
      bookedUsd = settlementUsd(subject, completion, onceUsd, requestsPerSample)
      if (completion.kind === 'infra-error' && (completion.class === 'auth' || completion.class === 'quota')) {
        stopped.set(
          subject.id,
          `the provider refused an earlier request of this subject (${completion.class}): ${completion.message}`,
        )
      }
      return completion
    } finally {
      ledger.settle(attempt.id, bookedUsd)
    }
  }

  async function make(attempt: PlannedAttempt): Promise<void> {
    const subject = subjects.get(attempt.cell.subject)
    const prompt = prompts.get(`${attempt.fixture} ${attempt.cell.condition}`)
    if (subject === undefined || prompt === undefined) throw new Error(`attempt ${attempt.id} is not of this plan`)
    const completion = await complete(attempt, subject, prompt)
    const line: AnsweredLine = {
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
    journal.append(line)
    verifying.push(noteFault(deps.onAnswered(line)))
  }

  async function noteFault(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      faults.push(error)
    }
  }

  async function work(): Promise<void> {
    while (faults.length === 0) {
      const attempt = attempts[next++]
      if (attempt === undefined) return
      await noteFault(make(attempt))
    }
  }

  await Promise.all(Array.from({ length: deps.concurrency }, work))
  await Promise.all(verifying)
  if (faults.length > 0) throw faults[0]
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

function notAttempted(why: Extract<Completion, { kind: 'not-attempted' }>['why'], message: string): Completion {
  return { kind: 'not-attempted', why, message }
}
