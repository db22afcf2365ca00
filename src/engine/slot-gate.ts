/** Admits tasks: up to a number of them at once, or one alone. */
export interface SlotGate {
  /** Runs `task` beside at most `slots - 1` others. */
  shared<T>(task: () => Promise<T>): Promise<T>
  /** Runs `task` while no other task runs. */
  alone<T>(task: () => Promise<T>): Promise<T>
}

/** Tasks start in the order they came, so that neither kind can starve the other. */
export function createSlotGate(slots: number): SlotGate {
  const waiting: { readonly weight: number; readonly start: () => void }[] = []
  let taken = 0

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && taken + next.weight <= slots; next = waiting[0]) {
      waiting.shift()
      taken += next.weight
      next.start()
    }
  }

  async function enter<T>(weight: number, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      waiting.push({ weight, start: resolve })
      admit()
    })
    try {
      return await task()
    } finally {
      taken -= weight
      admit()
    }
  }

  return { shared: (task) => enter(1, task), alone: (task) => enter(slots, task) }
}
