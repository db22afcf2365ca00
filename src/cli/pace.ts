/** Attempts of the last minute tell the pace; where that is fewer than these, the last of these. */
const WINDOW_MS = 60_000
const FEWEST = 5

/** How fast answers come in at each endpoint, to say when the rest will be there. */
export interface Pace {
  /** An attempt that was asked for at `endpoint` is over. */
  add(endpoint: string, atMs: number): void
  /**
   * How long what is left will take, in milliseconds, when every endpoint goes on as it did: none waits for another, so
   * the slowest decides. Null while one with something left has ended fewer than five attempts.
   * @param left attempts by endpoint.
   */
  remainingMs(left: ReadonlyMap<string, number>, atMs: number): number | null
}

export function createPace(startedAtMs: number): Pace {
  /** Of each endpoint, when its window begins and when each attempt in it ended. */
  const times = new Map<string, number[]>()

  function timesOf(endpoint: string, atMs: number): readonly number[] {
    const all = times.get(endpoint) ?? [startedAtMs]
    while (all.length > FEWEST + 1 && (all[0] ?? atMs) < atMs - WINDOW_MS) all.shift()
    times.set(endpoint, all)
    return all
  }

  return {
    add(endpoint, atMs) {
      timesOf(endpoint, atMs)
      times.get(endpoint)?.push(atMs)
    },
    remainingMs(left, atMs) {
      let longestMs = 0
      for (const [endpoint, attempts] of left) {
        if (attempts === 0) continue
        const [fromMs = atMs, ...ended] = timesOf(endpoint, atMs)
        if (ended.length < FEWEST) return null
        longestMs = Math.max(longestMs, (attempts * (atMs - fromMs)) / ended.length)
      }
      return longestMs
    },
  }
}
