import { type AnsweredLine, attemptId } from '../generate/journal.ts'
import type { Completion } from '../models/provider.ts'

/** What became of an attempt over all its turns. */
export interface TalliedAttempt {
  /** One for each turn; the last decides. */
  readonly completions: readonly Completion[]
  /** Whether any of them came of a request of this part of the run: not kept from an earlier one, stored, or never made. */
  readonly isAsked: boolean
  /** What has been booked for its cell so far, in USD. */
  readonly cellSpentUsd: number
}

/** Gathers what attempts come to while a run is under way; holds nothing of those that are over. */
export interface AttemptTally {
  /** Takes note of a turn's answer and of what was booked for it in USD; null for one that was kept. */
  addTurn(line: AnsweredLine, bookedUsd: number | null): void
  /** Called after the last turn of an attempt was noted. */
  finish(line: AnsweredLine): TalliedAttempt
}

interface Unfinished {
  readonly completions: Completion[]
  isAsked: boolean
}

/** @param spentByCell in USD, before this part of the run. */
export function createAttemptTally(spentByCell: ReadonlyMap<string, number>): AttemptTally {
  const spentUsd = new Map(spentByCell)
  const unfinished = new Map<string, Unfinished>()
  return {
    addTurn({ cell, fixture, sample, completion }, bookedUsd) {
      const attempt = attemptId(cell, fixture, sample)
      const tally = unfinished.get(attempt) ?? { completions: [], isAsked: false }
      unfinished.set(attempt, tally)
      tally.completions.push(completion)
      if (bookedUsd === null) return
      spentUsd.set(cell, (spentUsd.get(cell) ?? 0) + bookedUsd)
      if (isRequested(completion)) tally.isAsked = true
    },
    finish({ cell, fixture, sample }) {
      const attempt = attemptId(cell, fixture, sample)
      const { completions, isAsked } = unfinished.get(attempt) ?? { completions: [], isAsked: false }
      unfinished.delete(attempt)
      return { completions, isAsked, cellSpentUsd: spentUsd.get(cell) ?? 0 }
    },
  }
}

function isRequested(completion: Completion): boolean {
  if (completion.kind === 'answered') return completion.stored !== true
  return completion.kind === 'infra-error'
}
