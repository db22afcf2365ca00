import { z } from 'zod'
import { billedUsd } from '../generate/cost.ts'
import type { Subject } from '../generate/plan.ts'
import { capOf, shardText } from '../generate/shard.ts'
import { type Answer, type Completion, infraClasses } from '../models/provider.ts'
import { plainJson } from '../report/plain-text.ts'
import type { SweepEvent } from '../sweep/run-sweep.ts'
import { classOf } from '../verify/verdict-text.ts'
import type { EventSink } from './event-sink.ts'

/** Raised when a field is taken away or changes its meaning; new fields and new events leave it as it is. */
export const EVENTS_VERSION = 1

const head = { v: z.literal(EVENTS_VERSION), at: z.iso.datetime() }
/** Attempts that are over, and all of the run. */
const progress = { done: z.number().int(), total: z.number().int() }
/** In USD, booked by the whole run so far, earlier parts included. */
const spentUsd = z.number()

/** One line of the stream; docs/events.md tells what each field means. */
export const eventSchema = z.discriminatedUnion('event', [
  z.object({
    ...head,
    event: z.literal('planned'),
    purpose: z.enum(['run', 'smoke', 'demo']),
    corpus: z.object({ name: z.string(), hash: z.string(), split: z.string() }),
    cells: z.array(z.object({ id: z.string(), subject: z.string(), condition: z.string() })),
    fixtures: z.array(z.string()),
    samples: z.number().int(),
    total: z.number().int(),
    kept: z.number().int(),
    capUsd: z.number().nullable(),
    /** `2/5`; null when all of the plan is made. */
    shard: z.string().nullable(),
    spentUsd,
  }),
  z.object({
    ...head,
    event: z.literal('preflight'),
    references: z.number().int(),
    saboteurs: z.number().int(),
    failures: z.number().int(),
    elapsedMs: z.number(),
  }),
  z.object({
    ...head,
    event: z.literal('attempt'),
    cell: z.string(),
    fixture: z.string(),
    sample: z.number().int(),
    outcome: z.enum(['answered', 'infra-error', 'not-attempted']),
    verdict: z.object({ kind: z.string(), class: z.string().nullable() }).nullable(),
    infraClass: z.enum(infraClasses).nullable(),
    notAttempted: z.string().nullable(),
    turns: z.number().int(),
    isAsked: z.boolean(),
    latencyMs: z.number().nullable(),
    tokens: z.object({
      prompt: z.number().nullable(),
      completion: z.number().nullable(),
      reasoning: z.number().nullable(),
    }),
    costUsd: z.number().nullable(),
    cellSpentUsd: z.number(),
    spentUsd,
    ...progress,
  }),
  z.object({ ...head, event: z.literal('warning'), text: z.string() }),
  z.object({
    ...head,
    event: z.literal('ended'),
    run: z.string().nullable(),
    complete: z.boolean(),
    endedBecause: z.string().nullable(),
    error: z.string().nullable(),
    spentUsd,
    ...progress,
  }),
])
export type StreamEvent = z.infer<typeof eventSchema>
/** A union's members one by one: `Omit` of the union would keep only what all have. */
type Body = StreamEvent extends infer Each ? (Each extends StreamEvent ? Omit<Each, 'v' | 'at'> : never) : never

/** Tells programs how a run goes. Holds no program, no answer and no diagnostic, so that it may be shown anywhere. */
export interface EventStream {
  show(event: SweepEvent): void
  /** The last line; `error` is the code of the problem that ended the run, null where it came to its end. */
  end(result: {
    /** The id of the run in its report; null where there is none. */
    readonly run: string | null
    readonly complete: boolean
    readonly endedBecause: string | null
    readonly error: string | null
    /** Where the run's journal tells them; else as they were at the last event. */
    readonly spentUsd?: number
    readonly total?: number
  }): void
}

export function createEventStream(sink: EventSink): EventStream {
  const subjects = new Map<string, Subject>()
  let done = 0
  let total = 0
  let spent = 0

  function write(body: Body): void {
    const { event, ...fields } = body
    sink.write(plainJson({ v: EVENTS_VERSION, event, at: new Date().toISOString(), ...fields }))
  }

  function planned({ plan, shard, attempts, kept, spentUsd }: Extract<SweepEvent, { kind: 'planned' }>): Body {
    const byId = new Map(plan.subjects.map((subject) => [subject.id, subject]))
    for (const { id, subject: subjectId } of plan.cells) {
      const subject = byId.get(subjectId)
      if (subject !== undefined) subjects.set(id, subject)
    }
    total = attempts
    spent = spentUsd
    const { name, hash, split } = plan.corpus
    return {
      event: 'planned',
      purpose: plan.purpose,
      corpus: { name, hash, split },
      cells: plan.cells.map(({ id, subject, condition }) => ({ id, subject, condition })),
      fixtures: plan.fixtures.map(({ id }) => id),
      samples: plan.samples,
      total,
      kept,
      capUsd: capOf(plan.caps.runUsd, shard),
      shard: shard && shardText(shard),
      spentUsd,
    }
  }

  function attempt(event: Extract<SweepEvent, { kind: 'attempt' }>): Body {
    const { cell, fixture, sample, verdict, completions, isAsked, cellSpentUsd } = event
    const subject = subjects.get(cell)
    const last = completions.at(-1)
    done++
    spent = event.spentUsd
    const tokens = (count: 'promptTokens' | 'completionTokens' | 'reasoningTokens') =>
      sumOf(completions, (answer) => answer.usage?.[count] ?? null)
    return {
      event: 'attempt',
      ...{ cell, fixture, sample },
      outcome: last?.kind ?? 'not-attempted',
      verdict: verdict && { kind: verdict.kind, class: classOf(verdict) },
      infraClass: last?.kind === 'infra-error' ? last.class : null,
      notAttempted: last?.kind === 'not-attempted' ? last.why : null,
      turns: completions.length,
      isAsked,
      latencyMs: sumOf(completions, ({ latencyMs }) => latencyMs),
      tokens: {
        prompt: tokens('promptTokens'),
        completion: tokens('completionTokens'),
        reasoning: tokens('reasoningTokens'),
      },
      costUsd: sumOf(completions, (answer) => (subject === undefined ? null : billedUsd(subject, answer))),
      cellSpentUsd,
      spentUsd: spent,
      ...{ done, total },
    }
  }

  return {
    show(event) {
      if (event.kind === 'planned') write(planned(event))
      else if (event.kind === 'attempt') write(attempt(event))
      else if (event.kind === 'warning') write({ event: 'warning', text: event.text })
      else {
        const { references, saboteurs, failures, elapsedMs } = event.line
        write({ event: 'preflight', references, saboteurs, failures: failures.length, elapsedMs })
      }
    },
    end(result) {
      write({ event: 'ended', spentUsd: spent, done, total, ...result })
    },
  }
}

/** Null when there is no answer or one of them does not tell. */
function sumOf(completions: readonly Completion[], measure: (answer: Answer) => number | null): number | null {
  const known = completions.map((completion) => (completion.kind === 'answered' ? measure(completion) : null))
  return known.length === 0 || known.includes(null) ? null : known.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}
