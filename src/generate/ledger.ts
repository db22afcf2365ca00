import type { SpendBook } from './spend-book.ts'

/** What was spent and what is promised to requests under way, in USD. */
export interface Ledger {
  /**
   * Sets `usd` aside for `attempt`; false when that would pass a cap.
   * @throws what the spend book throws, now or at an earlier settlement.
   */
  reserve(attempt: string, usd: number): boolean
  /** Replaces the reservation by what was billed. A bill above its reservation ends admission. */
  settle(attempt: string, usd: number): void
  /** Resolves at the next settlement. */
  settled(): Promise<void>
  readonly spentUsd: number
  readonly reservedUsd: number
  /** Which cap had no room at the last refusal; null when none was short of it. */
  readonly fullCap: 'run' | 'month' | null
  /** Bills that were above their reservation: the caller names the provider. */
  readonly overruns: readonly { attempt: string; reservedUsd: number; billedUsd: number }[]
}

/** What a run had spent before it was resumed; the book, where there is one, has it already. */
export interface EarlierSpend {
  readonly spentUsd: number
  readonly overruns: Ledger['overruns']
}

/** For rounding in costs, far below a cent. */
export const OVERRUN_TOLERANCE_USD = 1e-9

/**
 * A ledger for which spent + reserved <= cap at every moment, as long as no bill passes its reservation.
 * @param capUsd of this run; null for no cap.
 * @param book keeps the same for a calendar month over all runs that share it; null for none.
 * @param earlier counts against the cap of the run as well.
 */
export function createLedger(
  capUsd: number | null,
  book: SpendBook | null = null,
  earlier: EarlierSpend = { spentUsd: 0, overruns: [] },
): Ledger {
  const reservations = new Map<string, number>()
  const overruns = [...earlier.overruns]
  const bookFaults: unknown[] = []
  const isCapped = capUsd !== null || (book?.capUsd ?? null) !== null
  let { spentUsd } = earlier
  let fullCap: Ledger['fullCap'] = null
  let waiting: (() => void)[] = []
  // Summed afresh: a running difference of floats would drift away from zero.
  const reservedUsd = () => [...reservations.values()].reduce((sum, usd) => sum + usd, 0)

  function findFullCap(attempt: string, usd: number): Ledger['fullCap'] {
    if (capUsd !== null && spentUsd + reservedUsd() + usd > capUsd) return 'run'
    // The book is asked last, since it writes the reservation down when it has room.
    return book === null || usd === 0 || book.reserve(attempt, usd) ? null : 'month'
  }

  function settleInBook(attempt: string, reserved: number, usd: number): void {
    if (book === null || (reserved === 0 && usd === 0)) return
    try {
      book.settle(attempt, usd)
    } catch (error) {
      // The answer is still to be journaled, and the book has the reservation: only what comes next must not start.
      bookFaults.push(error)
    }
  }

  return {
    reserve(attempt, usd) {
      if (bookFaults.length > 0) throw bookFaults[0]
      if (overruns.length > 0) return false
      fullCap = findFullCap(attempt, usd)
      if (fullCap !== null) return false
      reservations.set(attempt, usd)
      return true
    },
    settle(attempt, usd) {
      const reserved = reservations.get(attempt) ?? 0
      reservations.delete(attempt)
      spentUsd += usd
      if (isCapped && usd > reserved + OVERRUN_TOLERANCE_USD)
        overruns.push({ attempt, reservedUsd: reserved, billedUsd: usd })
      settleInBook(attempt, reserved, usd)
      for (const wake of waiting) wake()
      waiting = []
    },
    settled: () => new Promise((resolve) => waiting.push(resolve)),
    get spentUsd() {
      return spentUsd
    },
    get reservedUsd() {
      return reservedUsd()
    },
    get fullCap() {
      return fullCap
    },
    overruns,
  }
}
