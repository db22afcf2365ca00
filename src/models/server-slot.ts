/** What is up while it has the slot. */
export interface SlotHolder {
  /** Ends it; it may be started again. */
  stop(): Promise<void>
}

/** Lets one model server be up at a time. */
export interface ServerSlot {
  /**
   * Gives the slot to `holder`, once nobody uses the holder before it any more and that is stopped. Returns how to say that
   * it is used no more; null when `until` was aborted before that. Turns are taken in the order of the calls.
   */
  enter(holder: SlotHolder, until: AbortSignal): Promise<(() => void) | null>
}

export function createServerSlot(): ServerSlot {
  let current: SlotHolder | null = null
  let uses = 0
  let noteIdle = () => {}
  let turn: Promise<unknown> = Promise.resolve()

  function idle(until: AbortSignal): Promise<void> {
    if (uses === 0 || until.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      noteIdle = resolve
      until.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  async function take(holder: SlotHolder, until: AbortSignal): Promise<(() => void) | null> {
    if (current !== holder) {
      await idle(until)
      if (until.aborted) return null
      await current?.stop()
      current = holder
    }
    if (until.aborted) return null
    uses += 1
    return () => {
      uses -= 1
      if (uses === 0) noteIdle()
    }
  }

  return {
    enter(holder, until) {
      const taken = turn.then(() => take(holder, until))
      turn = taken.catch(() => {})
      return taken
    },
  }
}
