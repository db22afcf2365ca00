import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { EngineLimits } from '../engine.ts'

/** Total size of what a call may leave in its folder, and in the temporary folder. */
export const SCRATCH_BYTES = 64 * 1024 * 1024
const FILE_BYTES = 32 * 1024 * 1024
const OPEN_FILES = 1024
const GIBIBYTE = 1024 ** 3
const cores = availableParallelism()

/** What a process may use, in the units of setrlimit; null where there is no limit. */
export interface ResourceLimits {
  readonly cpu: number
  readonly fsize: number
  readonly data: number
  readonly as: number | null
  readonly nofile: number
  readonly core: number
  /** Processes and threads of one user. */
  readonly nproc: number
}

/**
 * The limits of a call. Processor time covers a program busy on all cores for its whole wall time. Private memory is limited by
 * `data`; `as` also bounds shared mappings, but V8 reserves far more addresses than it uses, so Node goes without;
 * and from Node 24 on it counts half a gigabyte of room for code as private memory, which comes on top.
 */
export function resourceLimits(command: readonly string[], { wallMs, memoryBytes }: EngineLimits): ResourceLimits {
  return {
    cpu: cores * (Math.ceil(wallMs / 1000) + 1),
    fsize: FILE_BYTES,
    data: isNode(command[0]) ? memoryBytes + GIBIBYTE : memoryBytes,
    as: isNode(command[0]) ? null : 4 * memoryBytes + GIBIBYTE,
    nofile: OPEN_FILES,
    core: 0,
    // Runtimes start a few threads for each core.
    nproc: 64 + 4 * cores,
  }
}

function isNode(file = ''): boolean {
  return file === process.execPath || path.basename(file) === 'node'
}
