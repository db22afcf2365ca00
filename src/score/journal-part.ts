import type { AnsweredLine, EndedLine, ReservedLine, ResumedLine } from '../generate/journal.ts'
import type { Plan } from '../generate/plan.ts'
import type { Shard } from '../generate/shard.ts'
import type { Completion } from '../models/provider.ts'
import type { PreflightLine, VerifiedLine } from '../verify/journal-lines.ts'
import type { Verification } from '../verify/verdict.ts'

export interface AbandonedTry {
  /** As the turn is named in its lines. */
  readonly attempt: string
  /** Null when the run was killed while it was under way. */
  readonly completion: Completion | null
  /** Null when nothing was reserved for it. */
  readonly reserved: ReservedLine | null
}

export type PartLine = PreflightLine | ReservedLine | AnsweredLine | VerifiedLine | ResumedLine | EndedLine

/** What one machine did of a plan: the whole of it, or a shard. */
export interface JournalPart {
  /** Null for the part of a run that was not shared. */
  readonly shard: Shard | null
  /** When it began. */
  readonly at: string
  readonly preflight: PreflightLine | null
  readonly ended: EndedLine | null
  /** By the names of their lines. */
  readonly answered: ReadonlyMap<string, AnsweredLine>
  readonly verified: ReadonlyMap<string, Verification>
  readonly reserved: ReadonlyMap<string, ReservedLine>
  readonly abandoned: readonly AbandonedTry[]
  readonly resumed: number
}

/** A part while its lines are read. */
export interface PartReader {
  /** What is wrong with the line beside those before it; null when nothing is. */
  take(line: PartLine, plan: Plan | null): string | null
  read(): Omit<JournalPart, 'shard' | 'at'>
}

export function createPartReader(): PartReader {
  const once: { preflight?: PreflightLine; ended?: EndedLine } = {}
  const answered = new Map<string, AnsweredLine>()
  const verified = new Map<string, Verification>()
  const reserved = new Map<string, ReservedLine>()
  const abandoned: AbandonedTry[] = []
  let resumed = 0

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

  return {
    take(line, plan) {
      switch (line.kind) {
        case 'preflight':
          if (once.preflight !== undefined) return 'a second preflight'
          once.preflight = line
          return null
        case 'ended':
          if (once.ended !== undefined) return 'a second end'
          once.ended = line
          return null
        case 'resumed':
          if (plan === null) return 'a run resumed before it was planned'
          resume(plan)
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
          return null
        case 'verified':
          if (verified.has(line.attempt)) return `a second verdict on ${line.attempt}`
          if (answered.get(line.attempt)?.completion.kind !== 'answered')
            return `a verdict on ${line.attempt}, which has no answer`
          verified.set(line.attempt, line.verification)
          return null
      }
    },
    read: () => ({
      preflight: once.preflight ?? null,
      ended: once.ended ?? null,
      ...{ answered, verified, reserved, abandoned, resumed },
    }),
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
