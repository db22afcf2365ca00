import type { Completion, InfraClass, Provider } from '../models/provider.ts'
import { billedUsd, worstCaseUsd } from './cost.ts'
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
 * Makes every attempt in order and journals each exactly once, whatever happens to it. An attempt that is not
 * made (cap, cancellation, a subject stopped by its provider) is journaled too: nothing is silently missing.
 */
export async function generate(plan: Plan, attempts: readonly PlannedAttempt[], deps: GenerateDeps): Promise<void> {
  const prompts = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt]))
  const subjects = new Map(plan.subjects.map((subject) => [subject.id, subject]))
  const stopped = new Map<string, string>()
  const verifying: Promise<void>[] = []
  let isAdmitting = true
  let next = 0

  async function complete(attempt: PlannedAttempt, subject: Subject, prompt: Prompt): Promise<Completion> {
    if (deps.signal.aborted) return notAttempted('cancelled', 'the run was cancelled before this request')
    const reason = stopped.get(subject.id)
    if (reason !== undefined) return notAttempted('subject-stopped', reason)
    const usd = worstCaseUsd(subject, prompt, deps.requestsPerSample) ?? 0
    while (isAdmitting && !deps.ledger.reserve(attempt.id, usd)) {
      if (deps.ledger.reservedUsd === 0 || deps.ledger.overruns.length > 0) isAdmitting = false
      else await deps.ledger.settled()
    }
    if (!isAdmitting)
      return notAttempted('spend-cap', 'the spend cap leaves no room for the worst case of this request')
    if (usd > 0) deps.journal.append({ kind: 'reserved', attempt: attempt.id, usd }, 'sync')
    const provider = deps.providers.get(subject.id)
    if (provider === undefined) throw new Error(`no provider for subject ${subject.id}`)
    let completion: Completion | null = null
    try {
      completion = await provider.complete(requestFor(attempt, subject, prompt), deps.signal)
    } finally {
      deps.ledger.settle(attempt.id, completion === null ? usd : settlementUsd(subject, completion, usd))
    }
    if (completion.kind === 'infra-error' && (completion.class === 'auth' || completion.class === 'quota')) {
      stopped.set(
        subject.id,
        `the provider refused an earlier request of this subject (${completion.class}): ${completion.message}`,
      )
    }
    return completion
  }

  async function work(): Promise<void> {
    for (let attempt = attempts[next++]; attempt !== undefined; attempt = attempts[next++]) {
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
      deps.journal.append(line)
      verifying.push(deps.onAnswered(line))
    }
  }

  await Promise.all(Array.from({ length: deps.concurrency }, work))
  await Promise.all(verifying)
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

/** Turned away before any token was made, so not billed. Every other failure may have been. */
const unbilled: ReadonlySet<InfraClass> = new Set(['auth', 'quota', 'rate', 'overloaded', 'request'])

/** What to book for a completion: the bill if known, else the whole reservation, since money may have gone. */
function settlementUsd(subject: Subject, completion: Completion, reservedUsd: number): number {
  if (completion.kind === 'infra-error') return unbilled.has(completion.class) ? 0 : reservedUsd
  if (completion.kind === 'not-attempted') return completion.why === 'cancelled' ? reservedUsd : 0
  return billedUsd(subject, completion) ?? reservedUsd
}

function notAttempted(why: Extract<Completion, { kind: 'not-attempted' }>['why'], message: string): Completion {
  return { kind: 'not-attempted', why, message }
}
