import { type Bill, billOf, settlementUsd, worstCaseUsd } from '../generate/cost.ts'
import { OVERRUN_TOLERANCE_USD } from '../generate/ledger.ts'
import type { Plan } from '../generate/plan.ts'
import type { Completion } from '../models/provider.ts'
import type { JoinedRun } from './join-records.ts'

/** What was booked for one try of an attempt, in USD; an attempt of a run that was resumed may have had several. */
export interface Booking {
  readonly attempt: string
  readonly completion: Completion
  readonly bill: Bill | null
  /** Null when nothing was reserved. */
  readonly reservedUsd: number | null
  readonly usd: number
}

/** Every booking of a run as the run made it. What was under way when it was killed counts as broken off. */
export function listBookings({ planned, records, reservedUsd, abandoned }: JoinedRun): Booking[] {
  const { plan } = planned
  const subjects = new Map(plan.subjects.map((subject) => [subject.id, subject]))
  const prompts = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt]))
  const byId = new Map(records.map((record) => [record.attempt, record]))

  function book(attempt: string, completion: Completion, reserved: number | null): Booking {
    const record = byId.get(attempt)
    const subject = subjects.get(record?.subject ?? '')
    const prompt = prompts.get(`${record?.fixture} ${record?.condition}`)
    if (subject === undefined || prompt === undefined) throw new Error(`attempt ${attempt} is not of this plan`)
    const bill = billOf(subject, completion)
    const usd =
      reserved === null
        ? (bill?.usd ?? 0)
        : settlementUsd(subject, completion, worstCaseUsd(subject, prompt, 1) ?? reserved, reserved)
    return { attempt, completion, bill, reservedUsd: reserved, usd }
  }

  return [
    ...abandoned.map((tried) => book(tried.attempt, tried.completion ?? brokenOff, tried.reservedUsd)),
    ...records.map(({ attempt, completion }) => book(attempt, completion, reservedUsd.get(attempt) ?? null)),
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
