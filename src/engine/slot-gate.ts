import { BenchError } from '../bench-error.ts'

/** Admits tasks: up to a number of them at once, or one alone. Each is told its slot, from 0, which no other task has meanwhile. */
export interface SlotGate {
  /** Runs `task` beside at most `slots - 1` others. */
  shared<T>(task: (slot: number) => Promise<T>): Promise<T>
  /** Runs `task` while no other task runs. */
  alone<T>(task: (slot: number) => Promise<T>): Promise<T>
  /** Refuses (`BenchError` `engine/closed`) what waits and whatever comes; resolves once nothing runs any more. */
  close(): Promise<void>
}

/** Tasks start in the order they came, so that neither kind can starve the other. */
export function createSlotGate(slots: number): SlotGate {
  const waiting: Waiting[] = []
  const closing: (() => void)[] = []
  let isClosed = false
  const free = Array.from({ length: slots }, (_, slot) => slot)

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && next.weight <= free.length; next = waiting[0]) {
      waiting.shift()
      next.start(free.splice(0, next.weight))
    }
    if (isClosed && free.length === slots) for (const resolve of closing.splice(0)) resolve()
  }

  async function enter<T>(weight: number, task: (slot: number) => Promise<T>): Promise<T> {
    const taken = await new Promise<readonly number[]>((resolve, reject) => {
      if (isClosed) return reject(closed())
      waiting.push({ weight, start: resolve, refuse: reject })
      admit()
    })
    try {
      return await task(taken[0] ?? 0)
    } finally {
      free.push(...taken)
      admit()
    }
  }

  return {
    shared: (task) => enter(1, task),
    alone: (task) => enter(slots, task),
    close() {
      isClosed = true
      for (const { refuse } of waiting.splice(0)) refuse(closed())
      return new Promise((resolve) => {
        closing.push(resolve)
        admit()
      })
    },
  }
}

interface Waiting {
  readonly weight: number
  readonly start: (taken: readonly number[]) => void
  readonly refuse: (error: BenchError) => void
}

function closed(): BenchError {
  return new BenchError({
    code: 'engine/closed',
    message: 'The engine was closed before this program had its turn.',
    hint: 'Run the command again.',
  })
}
