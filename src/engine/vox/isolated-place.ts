import { existsSync, realpathSync } from 'node:fs'

/** What an isolated command works in and may see and change. */
export interface Place {
  readonly cwd: string
  /** Folders it can read even where /tmp and /run are hidden from it. */
  readonly readable: readonly string[]
  /** The only folders it can write, where the kind of isolation can tell. */
  readonly writable: readonly string[]
  /** Folders and files inside of writable ones that it cannot write. */
  readonly guarded?: readonly string[]
  /** Files that are empty to it. */
  readonly masked?: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Settings of the whole machine, which root writes without any capability: a program that the kernel starts outside can be named in one.
 * Bubblewrap leaves some of them open.
 */
export const KERNEL_SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus']

/** A path as given and as it really is, where it exists. */
export function ownPaths(file: string): string[] {
  return existsSync(file) ? [...new Set([realpathSync(file), file])].filter((name) => name !== '/') : []
}
