import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import type { AnsweredLine, EndedLine, Registration, ReservedLine } from '../generate/journal.ts'
import {
  answeredLineSchema,
  endedLineSchema,
  fixTurnId,
  plannedLineSchema,
  reservedLineSchema,
  resumedLineSchema,
} from '../generate/journal.ts'
import { orderAttempts } from '../generate/order.ts'
import type { Plan, Prompt } from '../generate/plan.ts'
import { firstTurnOf, hashTurn } from '../generate/prompt.ts'
import type { Completion } from '../models/provider.ts'
import { type PreflightLine, preflightLineSchema, verifiedLineSchema } from '../verify/journal-lines.ts'
import { isMendable, type Verification } from '../verify/verdict.ts'
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
  /** The answered lines that count, by their names: one for each turn of an attempt. */
  readonly answered: ReadonlyMap<string, AnsweredLine>
  /** What was reserved for each turn that had a price. */
  readonly reserved: ReadonlyMap<string, ReservedLine>
  /** How often the run was continued. */
  readonly resumed: number
  /** What turns came to that were made again when the run was resumed. They may have cost money. */
  readonly abandoned: readonly AbandonedTry[]
}

export interface AbandonedTry {
  /** As the turn is named in its lines. */
  readonly attempt: string
  /** Null when the run was killed while it was under way. */
  readonly completion: Completion | null
  /** Null when nothing was reserved for it. */
  readonly reserved: ReservedLine | null
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
  const reserved = new Map<string, ReservedLine>()
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
    for (const [attempt, { cell, completion }] of answered) if (!isKept(cell, completion)) abandon(attempt)
    for (const attempt of reserved.keys()) if (!answered.has(attempt)) abandon(attempt)
  }

  function abandon(attempt: string): void {
    const completion = answered.get(attempt)?.completion ?? null
    abandoned.push({ attempt, completion, reserved: reserved.get(attempt) ?? null })
    answered.delete(attempt)
    reserved.delete(attempt)
  }

  /** Second turns are asked again when a resumed run has other things to tell of the first answer. */
  function isAskedAgain({ attempt, feedback }: AnsweredLine): boolean {
    return resumed > 0 && feedback !== undefined && answered.get(attempt)?.feedback !== feedback
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
        if (answered.get(line.attempt)?.feedback !== undefined) abandon(line.attempt)
        reserved.set(line.attempt, line)
        return null
      case 'answered':
        if (answered.has(line.attempt)) {
          if (!isAskedAgain(line)) return `a second answer to ${line.attempt}`
          abandon(line.attempt)
        }
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
    answered,
    reserved,
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
  const planned = new Set(attempts.flatMap(({ id, cell }) => (mending.has(cell.subject) ? [id, fixTurnId(id)] : [id])))
  for (const id of answered.keys()) if (!planned.has(id)) problems.push(`an answer to ${id}, which is not of the plan`)
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
      completion: line?.completion ?? NOT_REACHED,
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
