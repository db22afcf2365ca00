import { availableParallelism, freemem } from 'node:os'

/** What a machine has for a build. */
export interface Machine {
  readonly cores: number
  /** Memory that can be had without swapping, limits of the container counted in. */
  readonly availableBytes: number
}

const GIB = 2 ** 30

export function thisMachine(): Machine {
  return { cores: availableParallelism(), availableBytes: process.availableMemory?.() ?? freemem() }
}

/** How many jobs a build starts with: as many as there are cores and memory for, at least one. */
export function jobsFor({ cores, availableBytes }: Machine, memoryPerJobGb: number): number {
  const byMemory = Math.floor(availableBytes / (memoryPerJobGb * GIB))
  return Math.max(1, Math.min(cores, byMemory))
}

/** Half the jobs, for a build that ran out of memory; null when there is nothing left to halve. */
export function fewerJobs(jobs: number): number | null {
  return jobs > 1 ? Math.floor(jobs / 2) : null
}

/** How compilers and linkers end, and what they say, when there is no memory left. */
const MEMORY_SIGNS: readonly RegExp[] = [
  /\(signal: 9, SIGKILL: kill\)/,
  /terminated (?:by|with) signal 9\b/,
  /STATUS_STACK_BUFFER_OVERRUN/,
  /0xc0000409/i,
  /STATUS_NO_MEMORY|0xc0000017/i,
  /memory allocation of \d+ bytes failed/,
  /LLVM ERROR: out of memory/,
  /virtual memory exhausted/,
  /Cannot allocate memory/,
]

/** Whether the output of a failed build shows that memory was the cause, rather than the code. */
export function isOutOfMemory(output: string): boolean {
  return MEMORY_SIGNS.some((sign) => sign.test(output))
}
