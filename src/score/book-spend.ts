import { type Bill, billOf, settlementUsd, worstCaseUsd } from '../generate/cost.ts'
import { fixTurnId, type ReservedLine } from '../generate/journal.ts'
import { OVERRUN_TOLERANCE_USD } from '../generate/ledger.ts'
import type { Plan } from '../generate/plan.ts'
import { messagesOf } from '../generate/prompt.ts'
import type { Completion } from '../models/provider.ts'
import type { JoinedRun } from './join-records.ts'

/** What was booked for one try of a turn, in USD; a turn of a run that was resumed may have had several. */
export interface Booking {
  /** As the turn is named in its lines. */
  readonly attempt: string
  readonly cell: string
  readonly completion: Completion
  readonly bill: Bill | null
  /** Null when nothing was reserved. */
  readonly reservedUsd: number | null
  readonly usd: number
}

/** Every booking of a run as the run made it. What was under way when it was killed counts as broken off. */
export function listBookings({ planned, records, answered, reserved, abandoned }: JoinedRun): Booking[] {
  const { plan } = planned
  const subjects = new Map(plan.subjects.map((subject) => [subject.id, subject]))
  const prompts = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt]))
  const byTurn = new Map(
    records.flatMap((record) => [
      [record.attempt, record],
      [fixTurnId(record.attempt), record],
    ]),
  )

  function book(attempt: string, completion: Completion, promise: ReservedLine | null): Booking {
    const record = byTurn.get(attempt)
    const subject = subjects.get(record?.subject ?? '')
    const prompt = prompts.get(`${record?.fixture} ${record?.condition}`)
    if (record === undefined || subject === undefined || prompt === undefined)
      throw new Error(`attempt ${attempt} is not of this plan`)
    const { cell } = record
    const bill = billOf(subject, completion)
    if (promise === null) return { attempt, cell, completion, bill, reservedUsd: null, usd: bill?.usd ?? 0 }
    // Older runs, which do not say it, had first turns only.
    const onceUsd = promise.onceUsd ?? worstCaseUsd(subject, messagesOf(prompt), 1) ?? promise.usd
    const usd = settlementUsd(subject, completion, onceUsd, promise.usd)
    return { attempt, cell, completion, bill, reservedUsd: promise.usd, usd }
  }

  const brokenOffs = [...reserved].filter(([attempt]) => !answered.has(attempt))
  return [
    ...abandoned.map((tried) => book(tried.attempt, tried.completion ?? brokenOff, tried.reserved)),
    ...[...answered].map(([attempt, { completion }]) => book(attempt, completion, reserved.get(attempt) ?? null)),
    ...brokenOffs.map(([attempt, promise]) => book(attempt, brokenOff, promise)),
  ]
}

const brokenOff: Completion = {
  kind: 'not-attempted',
  why: 'cancelled',
  message: 'the run was killed while the request was under way',
}

/** What the bookings come to, and those above their reservation where there is a cap. */
export function sumBookings({ caps }: Plan, bookings: readonly Booking[]) {
  const isCapped = caps.runUsd !== null || caps.monthUsd !== null
  return {
    spentUsd: bookings.reduce((sum, { usd }) => sum + usd, 0),
    overruns: bookings.flatMap(({ attempt, reservedUsd, usd }) =>
      isCapped && usd > (reservedUsd ?? 0) + OVERRUN_TOLERANCE_USD
        ? [{ attempt, reservedUsd: reservedUsd ?? 0, billedUsd: usd }]
        : [],
    ),
  }
}

/** What the bookings come to for each cell of the plan, in USD. */
export function spentByCell({ cells }: Plan, bookings: readonly Booking[]): ReadonlyMap<string, number> {
  const spentUsd = new Map(cells.map(({ id }) => [id, 0]))
  for (const { cell, usd } of bookings) spentUsd.set(cell, (spentUsd.get(cell) ?? 0) + usd)
  return spentUsd
}
