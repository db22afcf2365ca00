export interface RunLimits {
  /** Evaluated nodes and statements; vox's default is 10,000,000. */
  readonly steps: number
  /** Nested function applications; vox's default is 1,024. */
  readonly depth: number
  /**
   * Estimated size of the values in reach. The vox binary has no such limit unless it is given one; here
   * anything over 1 GiB counts as 1 GiB, since V8 ends the process over arrays not much larger.
   */
  readonly memoryBytes: number
}

/** What the vox binary allows by default; of memory, the most that `RunLimits` can mean. */
export const DEFAULT_RUN_LIMITS: RunLimits = { steps: 10_000_000, depth: 1024, memoryBytes: 2 ** 30 }
