import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import type { AnsweredLine, EndedLine, Registration } from '../generate/journal.ts'
import {
  answeredLineSchema,
  endedLineSchema,
  plannedLineSchema,
  reservedLineSchema,
  resumedLineSchema,
} from '../generate/journal.ts'
import { orderAttempts } from '../generate/order.ts'
import type { Plan } from '../generate/plan.ts'
import type { Completion } from '../models/provider.ts'
import { type PreflightLine, preflightLineSchema, verifiedLineSchema } from '../verify/journal-lines.ts'
import type { Verification } from '../verify/verdict.ts'
import { listIssues } from '../zod-issues.ts'
import type { AttemptRecord } from './record.ts'

/** One run, joined from the lines of its journal. */
export interface JoinedRun {
  /** When the plan was fixed, the plan, and the one that was registered before. */
  readonly planned: { readonly at: string; readonly plan: Plan; readonly registration: Registration | null }
  /** Null when the run was killed before its preflight was over. */
  readonly preflight: PreflightLine | null
  /** One per planned attempt, cell by cell in the plan's order, whatever order they were made in. */
  readonly records: readonly AttemptRecord[]
  /** Null for a run that was killed. */
  readonly ended: EndedLine | null
  /** Times of the first and the last answered line; null when there is none. */
  readonly answers: { readonly firstAt: string; readonly lastAt: string } | null
  /** Worst case in USD reserved for each attempt that had a price. */
  readonly reservedUsd: ReadonlyMap<string, number>
  /** How often the run was continued. */
  readonly resumed: number
  /** What attempts came to that were made again when the run was resumed. They may have cost money. */
  readonly abandoned: readonly AbandonedTry[]
}

export interface AbandonedTry {
  readonly attempt: string
  /** Null when the run was killed while it was under way. */
  readonly completion: Completion | null
  /** Null when nothing was reserved for it. */
  readonly reservedUsd: number | null
}

const lineSchema = z.discriminatedUnion('kind', [
  plannedLineSchema,
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
 * no longer used, the preflight and the end are those of the last part.
 * @throws BenchError `journal/invalid` listing every line that is unknown, malformed, a duplicate, or not of the plan.
 */
export async function joinRecords(lines: Iterable<unknown> | AsyncIterable<unknown>): Promise<JoinedRun> {
  const problems: string[] = []
  const once: { planned?: JoinedRun['planned']; preflight?: PreflightLine; ended?: EndedLine } = {}
  const answered = new Map<string, AnsweredLine>()
  const verified = new Map<string, Verification>()
  const reservedUsd = new Map<string, number>()
  const abandoned: AbandonedTry[] = []
  let answers: JoinedRun['answers'] = null
  let resumed = 0
  let number = 0

  function resume(plan: Plan): void {
    resumed += 1
    delete once.preflight
    delete once.ended
    verified.clear()
    const isKept = keptOnResume(plan)
    for (const [attempt, { cell, completion }] of answered) {
      if (isKept(cell, completion)) continue
      abandoned.push({ attempt, completion, reservedUsd: reservedUsd.get(attempt) ?? null })
      answered.delete(attempt)
      reservedUsd.delete(attempt)
    }
    for (const [attempt, usd] of reservedUsd) {
      if (answered.has(attempt)) continue
      abandoned.push({ attempt, completion: null, reservedUsd: usd })
      reservedUsd.delete(attempt)
    }
  }

  function take(line: Line): string | null {
    switch (line.kind) {
      case 'planned':
        if (once.planned !== undefined) return 'a second plan'
        once.planned = { at: line.at, plan: line.plan, registration: line.registration }
        return null
      case 'preflight':
        if (once.preflight !== undefined) return 'a second preflight'
        once.preflight = line
        return null
      case 'ended':
        if (once.ended !== undefined) return 'a second end'
        once.ended = line
        return null
      case 'resumed':
        if (once.planned === undefined) return 'a run resumed before it was planned'
        resume(once.planned.plan)
        return null
      case 'reserved':
        reservedUsd.set(line.attempt, line.usd)
        return null
      case 'answered':
        if (answered.has(line.attempt)) return `a second answer to ${line.attempt}`
        answered.set(line.attempt, line)
        answers = { firstAt: earlier(answers?.firstAt, line.at), lastAt: later(answers?.lastAt, line.at) }
        return null
      case 'verified':
        if (verified.has(line.attempt)) return `a second verdict on ${line.attempt}`
        if (answered.get(line.attempt)?.completion.kind !== 'answered')
          return `a verdict on ${line.attempt}, which has no answer`
        verified.set(line.attempt, line.verification)
        return null
    }
  }

  for await (const value of lines) {
    number += 1
    const parsed = lineSchema.safeParse(value)
    const problem = parsed.success ? take(parsed.data) : describeMalformed(value, parsed.error)
    if (problem !== null) problems.push(`line ${number}: ${problem}`)
  }
  if (once.planned === undefined) problems.push('there is no plan')
  const records = once.planned === undefined ? [] : recordsOf(once.planned.plan, answered, verified, problems)
  if (once.planned === undefined || problems.length > 0) throw invalid(problems)
  return {
    planned: once.planned,
    preflight: once.preflight ?? null,
    records,
    ended: once.ended ?? null,
    answers,
    reservedUsd,
    resumed,
    abandoned,
  }
}

/**
 * Whether the completion of an attempt of a cell is kept when its run is resumed: an answer, unless it came from a folder
 * or a script. Those cost nothing, and nothing in the plan tells whether they still say the same.
 */
export function keptOnResume({ cells, subjects }: Plan): (cell: string, completion: Completion) => boolean {
  const asked = new Set(subjects.filter(({ endpoint }) => endpoint !== null).map(({ id }) => id))
  const kept = new Set(cells.filter(({ subject }) => asked.has(subject)).map(({ id }) => id))
  return (cell, completion) => completion.kind === 'answered' && kept.has(cell)
}

/** Records in the plan's order; what is not of the plan is added to `problems`. */
function recordsOf(
  plan: Plan,
  answered: ReadonlyMap<string, AnsweredLine>,
  verified: ReadonlyMap<string, Verification>,
  problems: string[],
): AttemptRecord[] {
  const hashes = new Map(plan.prompts.map((prompt) => [`${prompt.fixture} ${prompt.condition}`, prompt.hash]))
  const place = new Map(plan.cells.map((cell, index) => [cell.id, index]))
  const fixturePlace = new Map(plan.fixtures.map((fixture, index) => [fixture.id, index]))
  const attempts = [...orderAttempts(plan.cells, [...fixturePlace.keys()], plan.samples, plan.seed)].sort(
    (a, b) =>
      (place.get(a.cell.id) ?? 0) - (place.get(b.cell.id) ?? 0) ||
      (fixturePlace.get(a.fixture) ?? 0) - (fixturePlace.get(b.fixture) ?? 0) ||
      a.sample - b.sample,
  )
  const planned = new Set(attempts.map((attempt) => attempt.id))
  for (const id of answered.keys()) if (!planned.has(id)) problems.push(`an answer to ${id}, which is not of the plan`)
  return attempts.map(({ id, cell, fixture, sample, seed }) => {
    const line = answered.get(id)
    const promptHash = hashes.get(`${fixture} ${cell.condition}`) ?? ''
    if (line !== undefined && line.promptHash !== promptHash)
      problems.push(`${id} answers a prompt that is not the plan's`)
    return {
      attempt: id,
      cell: cell.id,
      subject: cell.subject,
      condition: cell.condition,
      fixture,
      sample,
      promptHash,
      seed: line === undefined ? seed : line.seed,
      completion: line?.completion ?? {
        kind: 'not-attempted',
        why: 'cancelled',
        message: 'the run ended before this request',
      },
      verification: verified.get(id) ?? null,
    }
  })
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
