import { createHash } from 'node:crypto'
import { compareText } from '../compare-text.ts'
import { attemptId } from './journal.ts'
import type { Cell } from './plan.ts'

/** One attempt to be made. */
export interface PlannedAttempt {
  readonly id: string
  readonly cell: Cell
  readonly fixture: string
  readonly sample: number
  /** Sent to providers that take a seed; distinct for every sample. */
  readonly seed: number
}

/**
 * Every attempt of a run in the order it is made: sample-major, round-robin over cells, fixtures in an order
 * drawn from `seed`, so that a run stopped early leaves whole samples and every cell equally far. Made as they are asked
 * for: there may be many. Of a part of the cells it gives their attempts in the order they have among all.
 */
export function* orderAttempts(
  cells: readonly Cell[],
  fixtures: readonly string[],
  samples: number,
  seed: number,
): Generator<PlannedAttempt, undefined> {
  const drawn = [...fixtures].sort((a, b) => compareText(digest(`${seed} ${a}`), digest(`${seed} ${b}`)))
  for (let sample = 0; sample < samples; sample++) {
    for (const fixture of drawn) {
      for (const cell of cells) {
        const id = attemptId(cell.id, fixture, sample)
        yield { id, cell, fixture, sample, seed: Number.parseInt(digest(`${seed} ${id}`).slice(0, 8), 16) >>> 1 }
      }
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
