/** Computes a value once for each key and shares it, as long as it may be kept. */
export interface Memo<Value> {
  get(key: string, compute: () => Promise<Value>): Promise<Value>
}

/** `isKept` says which values hold for the next caller too; callers that waited for one that does not compute their own. */
export function createMemo<Value>(isKept: (value: Value) => boolean): Memo<Value> {
  const known = new Map<string, Promise<Value>>()
  return {
    async get(key, compute) {
      const earlier = known.get(key)
      if (earlier !== undefined) {
        const value = await earlier
        return isKept(value) ? value : compute()
      }
      const computing = compute()
      known.set(key, computing)
      try {
        const value = await computing
        if (!isKept(value)) known.delete(key)
        return value
      } catch (error) {
        known.delete(key)
        throw error
      }
    },
  }
}
