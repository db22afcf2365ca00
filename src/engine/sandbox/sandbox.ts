import type { SandboxReport } from '../engine.ts'
import type { Launch } from '../launch.ts'
import { launchPlainly } from '../launch.ts'

/** A way to start commands of which nothing gets out. */
export interface Sandbox {
  readonly report: SandboxReport
  readonly launch: Launch
}

/** The launch of a level, or what this machine lacks for it. */
export type LevelSetup =
  | { readonly kind: 'ready'; readonly launch: Launch }
  | { readonly kind: 'unavailable'; readonly reason: string }

export function needsTool(name: string): LevelSetup {
  return { kind: 'unavailable', reason: `${name} is not installed` }
}

/** Without their numbers, system calls cannot be told apart. */
export function needsNumbers(processor: string): LevelSetup {
  return { kind: 'unavailable', reason: `the system calls of this processor, ${processor}, are not known` }
}

/** No sandbox: a process group, a scrubbed environment, a private folder. */
export const noSandbox: Sandbox = {
  report: {
    level: 'none',
    closed: { tcp: false, udp: false, reads: false, writes: false, processes: false, survivors: false },
    passedOver: [],
  },
  launch: launchPlainly,
}
