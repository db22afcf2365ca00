/** What was spent and what is promised to requests under way, in USD. */
export interface Ledger {
  /** Sets `usd` aside for `attempt`; false when that would pass the cap. */
  reserve(attempt: string, usd: number): boolean
  /** Replaces the reservation by what was billed. A bill above its reservation ends admission. */
  settle(attempt: string, usd: number): void
  /** Resolves at the next settlement. */
  settled(): Promise<void>
  readonly spentUsd: number
  readonly reservedUsd: number
  /** Bills that were above their reservation: the caller names the provider. */
  readonly overruns: readonly { attempt: string; reservedUsd: number; billedUsd: number }[]
}

/**
 * A ledger for which spent + reserved <= cap at every moment, as long as no bill passes its reservation.
 * @param capUsd null for no cap.
 */
export function createLedger(capUsd: number | null): Ledger {
  const reservations = new Map<string, number>()
  const overruns: { attempt: string; reservedUsd: number; billedUsd: number }[] = []
  let spentUsd = 0
  let waiting: (() => void)[] = []
  // Summed afresh: a running difference of floats would drift away from zero.
  const reservedUsd = () => [...reservations.values()].reduce((sum, usd) => sum + usd, 0)
  return {
    reserve(attempt, usd) {
      if (overruns.length > 0) return false
      if (capUsd !== null && spentUsd + reservedUsd() + usd > capUsd) return false
      reservations.set(attempt, usd)
      return true
    },
    settle(attempt, usd) {
      const reserved = reservations.get(attempt) ?? 0
      reservations.delete(attempt)
      spentUsd += usd
      // The tolerance is for rounding in reported costs, far below a cent.
      if (capUsd !== null && usd > reserved + 1e-9) overruns.push({ attempt, reservedUsd: reserved, billedUsd: usd })
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
    overruns,
  }
}
