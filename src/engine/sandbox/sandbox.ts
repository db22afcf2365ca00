import type { SandboxReport } from '../engine.ts'
import type { Launch } from '../launch.ts'
import { launchPlainly } from '../launch.ts'

/** A way to start commands of which nothing gets out. */
export interface Sandbox {
  readonly report: SandboxReport
  readonly launch: Launch
}

/** The launch of a level, or the program it needs and this machine has not. */
export type LevelSetup =
  | { readonly kind: 'ready'; readonly launch: Launch }
  | { readonly kind: 'missing'; readonly tool: string }

/** No sandbox: a process group, a scrubbed environment, a private folder. */
export const noSandbox: Sandbox = {
  report: {
    level: 'none',
    closed: { tcp: false, udp: false, reads: false, writes: false, processes: false, survivors: false },
    passedOver: [],
  },
  launch: launchPlainly,
}
