import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import type { AnsweredLine, EndedLine, Registration, ReservedLine, ShardLine } from '../generate/journal.ts'
import {
  answeredLineSchema,
  endedLineSchema,
  fixTurnId,
  plannedLineSchema,
  reservedLineSchema,
  resumedLineSchema,
  shardLineSchema,
} from '../generate/journal.ts'
import { orderAttempts } from '../generate/order.ts'
import type { Plan, Prompt } from '../generate/plan.ts'
import { firstTurnOf, hashTurn } from '../generate/prompt.ts'
import { isOfShard, type Shard, shardOf, shardText } from '../generate/shard.ts'
import type { Completion } from '../models/provider.ts'
import { type PreflightLine, preflightLineSchema, verifiedLineSchema } from '../verify/journal-lines.ts'
import { isMendable, type Verification } from '../verify/verdict.ts'
import { listIssues } from '../zod-issues.ts'
import { type AbandonedTry, createPartReader, type JournalPart, type PartReader } from './journal-part.ts'
import type { AttemptRecord } from './record.ts'
import { listDisagreements, preflightFields } from './shard-agreement.ts'

/** One run, joined from the lines of its journal. */
export interface JoinedRun {
  /** When the plan was fixed, the plan, the one that was registered before, and the part of it that the run makes. */
  readonly planned: {
    readonly at: string
    readonly plan: Plan
    readonly registration: Registration | null
    /** Null when it makes all of it. */
    readonly shard: Shard | null
  }
  /** The parts it was merged from, in the order of their shards; empty for every other run. */
  readonly shards: readonly (JournalPart & { readonly shard: Shard })[]
  /** Null when the run was killed before its preflight was over. Of a merged run that of all shards that had one. */
  readonly preflight: PreflightLine | null
  /** One per planned attempt, cell by cell in the plan's order, whatever order they were made in. */
  readonly records: readonly AttemptRecord[]
  /** Null for a run that was killed, and for a merged one: its shards ended each for itself. */
  readonly ended: EndedLine | null
  /** Times of the first and the last answered line; null when there is none. */
  readonly answers: { readonly firstAt: string; readonly lastAt: string } | null
  /** The answered lines that count, by their names: one for each turn of an attempt. */
  readonly answered: ReadonlyMap<string, AnsweredLine>
  /** What was reserved for each turn that had a price. */
  readonly reserved: ReadonlyMap<string, ReservedLine>
  /** How often the run was continued. */
  readonly resumed: number
  /** What turns came to that were made again when the run was resumed. They may have cost money. */
  readonly abandoned: readonly AbandonedTry[]
}

const lineSchema = z.discriminatedUnion('kind', [
  plannedLineSchema,
  shardLineSchema,
  preflightLineSchema,
  reservedLineSchema,
  answeredLineSchema,
  verifiedLineSchema,
  resumedLineSchema,
  endedLineSchema,
])
type Line = z.infer<typeof lineSchema>

/** More problems than this are counted, not listed. */
const PROBLEMS_SHOWN = 20

/**
 * Joins the parsed lines of one journal, in one pass. An attempt of the plan that has no line becomes one not
 * attempted; one that was answered but not yet verified keeps its answer, with `verification` null. Of a run that
 * was resumed the answers of endpoints stay; whatever else became of an attempt, the verdicts, which were given under a key that is
 * no longer used, the preflight and the end are those of the last part. A journal that was merged must have all shards,
 * each with its own attempts only, and they must agree on what verified them.
 * @throws BenchError `journal/invalid` listing every line that is unknown, malformed, a duplicate, or not of the plan.
 */
export async function joinRecords(lines: Iterable<unknown> | AsyncIterable<unknown>): Promise<JoinedRun> {
  const problems: string[] = []
  const whole = createPartReader()
  const shards: { readonly line: ShardLine; readonly reader: PartReader }[] = []
  let planned: JoinedRun['planned'] | null = null
  let answers: JoinedRun['answers'] = null
  let isWhole = false
  let number = 0

  function startShard(line: ShardLine): string | null {
    if (planned === null) return 'a shard before the plan'
    if (planned.shard !== null) return `a shard within shard ${shardText(planned.shard)}`
    if (isWhole) return 'a shard behind lines of no shard'
    const isTwice = shards.some(({ line: { shard } }) => shard.index === line.shard.index)
    const count = shards[0]?.line.shard.count ?? line.shard.count
    shards.push({ line, reader: createPartReader() })
    if (count !== line.shard.count) return `shard ${shardText(line.shard)} among shards of ${count}`
    return isTwice ? `a second shard ${shardText(line.shard)}` : null
  }

  function take(line: Line): string | null {
    if (line.kind === 'shard') return startShard(line)
    if (line.kind === 'planned') {
      if (planned !== null) return 'a second plan'
      const { at, plan, registration, shard } = line
      planned = { at, plan, registration, shard }
      return null
    }
    isWhole = shards.length === 0
    const problem = (shards.at(-1)?.reader ?? whole).take(line, planned?.plan ?? null)
    if (line.kind === 'answered' && problem === null)
      answers = { firstAt: earlier(answers?.firstAt, line.at), lastAt: later(answers?.lastAt, line.at) }
    return problem
  }

  for await (const value of lines) {
    number += 1
    const parsed = lineSchema.safeParse(value)
    const problem = parsed.success ? take(parsed.data) : describeMalformed(value, parsed.error)
    if (problem !== null) problems.push(`line ${number}: ${problem}`)
  }
  // What is only assigned within closures is narrowed to its first value.
  const plan = planned as JoinedRun['planned'] | null
  if (plan === null) throw invalid([...problems, 'there is no plan'])
  const merged = shards
    .map(({ line: { at, shard }, reader }) => ({ at, shard, ...reader.read() }))
    .sort((a, b) => a.shard.index - b.shard.index)
  const parts: JournalPart[] = merged.length > 0 ? merged : [{ at: plan.at, shard: plan.shard, ...whole.read() }]
  problems.push(...listShardProblems(merged))
  const answered = union(parts.map((part) => part.answered))
  const records = recordsOf(plan, { parts, answered, verified: union(parts.map((part) => part.verified)) }, problems)
  if (problems.length > 0) throw invalid(problems)
  return {
    planned: plan,
    shards: merged,
    preflight: joinPreflights(parts),
    records,
    ended: merged.length > 0 ? null : (parts[0]?.ended ?? null),
    answers,
    answered,
    reserved: union(parts.map((part) => part.reserved)),
    resumed: parts.reduce((sum, part) => sum + part.resumed, 0),
    abandoned: parts.flatMap((part) => part.abandoned),
  }
}

/** Shards that are missing, and in what the others differ. */
function listShardProblems(merged: JoinedRun['shards']): string[] {
  const count = merged[0]?.shard.count ?? 0
  const there = new Set(merged.map(({ shard }) => shard.index))
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !there.has(index))
  return [
    ...missing.map((index) => `there is no shard ${shardText({ index, count })}`),
    ...listDisagreements(
      merged.flatMap(({ shard, preflight }) =>
        preflight === null ? [] : [{ name: `shard ${shardText(shard)}`, fields: preflightFields(preflight) }],
      ),
    ),
  ]
}

/** They agree on the engine; the longest is as long as all took that ran at once. */
function joinPreflights(parts: readonly JournalPart[]): PreflightLine | null {
  const preflights = parts.flatMap(({ preflight }) => preflight ?? [])
  const [first] = preflights
  if (first === undefined) return null
  return {
    ...first,
    failures: preflights.flatMap(({ failures }) => failures),
    elapsedMs: Math.max(...preflights.map(({ elapsedMs }) => elapsedMs)),
  }
}

function union<Value>(maps: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
  return maps.length === 1 && maps[0] !== undefined ? maps[0] : new Map(maps.flatMap((map) => [...map]))
}

interface JoinedParts {
  readonly parts: readonly JournalPart[]
  readonly answered: ReadonlyMap<string, AnsweredLine>
  readonly verified: ReadonlyMap<string, Verification>
}

/** Records in the plan's order; what is not of the plan, or of another shard, is added to `problems`. */
function recordsOf(
  { plan, shard }: JoinedRun['planned'],
  { parts, answered, verified }: JoinedParts,
  problems: string[],
): AttemptRecord[] {
  const prompts = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt]))
  const mending = new Set(plan.subjects.filter(({ hasFixTurn }) => hasFixTurn).map(({ id }) => id))
  const place = new Map(plan.cells.map((cell, index) => [cell.id, index]))
  const fixturePlace = new Map(plan.fixtures.map((fixture, index) => [fixture.id, index]))
  const attempts = [...orderAttempts(plan.cells, [...fixturePlace.keys()], plan.samples, plan.seed)].sort(
    (a, b) =>
      (place.get(a.cell.id) ?? 0) - (place.get(b.cell.id) ?? 0) ||
      (fixturePlace.get(a.fixture) ?? 0) - (fixturePlace.get(b.fixture) ?? 0) ||
      a.sample - b.sample,
  )
  const count = parts[0]?.shard?.count ?? 1
  const planned = new Map(
    attempts.flatMap(({ id, cell, fixture }) => {
      const index = count === 1 ? 1 : shardOf(cell.id, fixture, count)
      return (mending.has(cell.subject) ? [id, fixTurnId(id)] : [id]).map((turn) => [turn, index] as const)
    }),
  )
  for (const part of parts) problems.push(...listStrays(part, planned))
  return attempts.map(({ id, cell, fixture, sample, seed }) => {
    const prompt = prompts.get(`${fixture} ${cell.condition}`)
    const promptHash = prompt?.hash ?? ''
    const line = answered.get(id)
    if (line !== undefined && line.promptHash !== promptHash)
      problems.push(`${id} answers a prompt that is not the plan's`)
    const second = answered.get(fixTurnId(id))
    if (second !== undefined && !answersFeedback(second, line, prompt))
      problems.push(`${second.attempt} answers something that it was not told`)
    const record = {
      attempt: id,
      cell: cell.id,
      subject: cell.subject,
      condition: cell.condition,
      fixture,
      sample,
      promptHash,
      seed: line === undefined ? seed : line.seed,
      completion: line?.completion ?? (isOfShard(shard, cell.id, fixture) ? NOT_REACHED : OF_OTHER_SHARD),
      verification: verified.get(id) ?? null,
      first: null,
    }
    const { completion, verification } = record
    if (!mending.has(cell.subject) || verification === null || !isMendable(verification.verdict)) return record
    return {
      ...record,
      completion: second?.completion ?? NOT_REACHED,
      verification: verified.get(fixTurnId(id)) ?? null,
      first: { completion, verification, feedback: second?.feedback ?? null },
    }
  })
}

/** Lines of turns that are not of the plan, or not of the shard among whose lines they stand. */
function listStrays(
  { shard, answered, reserved, abandoned }: JournalPart,
  planned: ReadonlyMap<string, number>,
): string[] {
  const whyStray = (id: string): string | null => {
    const index = planned.get(id)
    if (index === undefined) return 'is not of the plan'
    if (shard === null || index === shard.index) return null
    return `is of shard ${shardText({ ...shard, index })}, not of ${shardText(shard)}`
  }
  const list = (what: string, ids: Iterable<string>) =>
    [...ids].flatMap((id) => {
      const why = whyStray(id)
      return why === null ? [] : [`${what} ${id}, which ${why}`]
    })
  return [
    ...list('an answer to', answered.keys()),
    ...list(
      'a reservation for',
      [...reserved.keys()].filter((id) => !answered.has(id)),
    ),
    ...list('a try of', new Set(abandoned.map(({ attempt }) => attempt))),
  ]
}

const OF_OTHER_SHARD: Completion = {
  kind: 'not-attempted',
  why: 'other-shard',
  message: 'another shard of the run makes this attempt',
}

const NOT_REACHED: Completion = {
  kind: 'not-attempted',
  why: 'cancelled',
  message: 'the run ended before this request',
}

/** Whether a second turn is asked with the first answer and what its own line says that was told. */
function answersFeedback(second: AnsweredLine, first: AnsweredLine | undefined, prompt: Prompt | undefined): boolean {
  if (first?.completion.kind !== 'answered' || prompt === undefined || second.feedback === undefined) return false
  return second.promptHash === hashTurn(prompt, firstTurnOf(first.completion.text, second.feedback))
}

function describeMalformed(value: unknown, error: z.ZodError): string {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? String(value.kind) : null
  if (kind === null) return 'not a line of a journal: it has no kind'
  if (!lineSchema.options.some((option) => option.shape.kind.value === kind))
    return `unknown kind "${kind.slice(0, 40)}"`
  return `${kind}: ${listIssues(error).slice(0, 3).join('; ')}`
}

function earlier(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b
}

function later(a: string | undefined, b: string): string {
  return a !== undefined && a > b ? a : b
}

function invalid(problems: readonly string[]): BenchError {
  const more = problems.length > PROBLEMS_SHOWN ? [`and ${problems.length - PROBLEMS_SHOWN} more`] : []
  return new BenchError({
    code: 'journal/invalid',
    message: `The journal cannot be read as one run:\n${[...problems.slice(0, PROBLEMS_SHOWN), ...more].map((line) => `  ${line}`).join('\n')}`,
    hint: 'Use the attempts.jsonl of a single run, as this version of the tool wrote it.',
  })
}
