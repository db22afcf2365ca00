import { z } from 'zod'

/** What verified the programs. Results of different identities are never compared. */
export const engineIdentitySchema = z.object({
  kind: z.enum(['embedded', 'process']),
  /** `embedded`, or the version line the binary printed. */
  version: z.string(),
  /** False for all but what calls itself a vox release and is not known to be built otherwise; shown in every output. */
  official: z.boolean(),
  sha256: z.string().nullable(),
  sourceCommit: z.string().nullable(),
  toolchain: z.string().nullable(),
  profile: z.string().nullable(),
  /** Where the executable came from: `path` is one that was there, of which nothing more is known. */
  provenance: z.enum(['embedded', 'path', 'archive', 'built']),
  /** What the source tree's own checks said; null when they were not asked. */
  sourceGate: z.object({ outcome: z.enum(['passed', 'failed', 'not-run']), detail: z.string() }).nullable(),
  abilities: z.record(z.string(), z.union([z.boolean(), z.string(), z.number()])),
})
export type EngineIdentity = z.infer<typeof engineIdentitySchema>

/** Why an engine's numbers are not official; null when nothing speaks against it. */
export function whyUnofficial({ kind, version, profile, sourceCommit }: EngineIdentity): string | null {
  if (kind === 'embedded') return 'it is the embedded engine of this tool'
  if (!/^vox \d+\.\d+\.\d+/.test(version)) return `it calls itself ${version}`
  if (profile !== null && profile !== 'release') return `it was built with the profile ${profile}`
  return sourceCommit?.includes('+dirty') ? 'it was built from a source tree with local changes' : null
}

export const sandboxLevels = [
  'in-process',
  'bubblewrap',
  'bubblewrap-root',
  'bubblewrap-sudo',
  'landlock',
  'none',
] as const
export type SandboxLevel = (typeof sandboxLevels)[number]

/** What candidates are kept in, and what a hostile probe found closed to them on this machine. */
export const sandboxReportSchema = z.object({
  /** `in-process` for the embedded engine, which has no access to the host by construction. */
  level: z.enum(sandboxLevels),
  closed: z.object({
    tcp: z.boolean(),
    udp: z.boolean(),
    /** Reading files outside its own folder and the system's programs. */
    reads: z.boolean(),
    /** Leaving anything behind, or changing anything outside its own folder. */
    writes: z.boolean(),
    /** Seeing or signalling other processes, their environment included. */
    processes: z.boolean(),
    /** Leaving a process behind. */
    survivors: z.boolean(),
  }),
  /** Stronger levels that were not to be had here, with the reason. */
  passedOver: z.array(z.object({ level: z.enum(sandboxLevels), reason: z.string() })),
})
export type SandboxReport = z.infer<typeof sandboxReportSchema>

/** Text of a stream that may have been cut: head and tail are kept, the last line is always whole up to 64 KiB. */
export interface CapturedText {
  readonly head: string
  /** Empty when nothing was cut. */
  readonly tail: string
  readonly bytes: number
  /** The last line with a text, without its newline; empty when there is none. */
  readonly lastLine: string
}

export interface EngineDiagnostic {
  readonly severity: 'error' | 'warning'
  readonly code: string | null
  readonly message: string
  readonly line: number
  readonly column: number
}

export type CheckOutcome =
  | { readonly kind: 'accepted'; readonly warnings: readonly EngineDiagnostic[] }
  | { readonly kind: 'rejected'; readonly diagnostics: readonly EngineDiagnostic[]; readonly text: string }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'crashed'; readonly signal: string; readonly text: string }

export type RunOutcome =
  | {
      readonly kind: 'exited'
      readonly code: number
      readonly stdout: CapturedText
      readonly stderr: CapturedText
      readonly elapsedMs: number
      /** Which budget an exit code of 78 was about, where the engine tells. */
      readonly exceeded?: 'steps' | 'depth'
    }
  | { readonly kind: 'output-limit'; readonly stdout: CapturedText }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'timeout'; readonly stdout: CapturedText }
  | { readonly kind: 'crashed'; readonly signal: string; readonly stderr: CapturedText }

export interface EngineLimits {
  readonly wallMs: number
  readonly outputBytes: number
  readonly memoryBytes: number
}

/** Wide enough for ten million steps on a slow machine. */
export const DEFAULT_LIMITS: EngineLimits = {
  wallMs: 20_000,
  outputBytes: 8 * 1024 * 1024,
  memoryBytes: 512 * 1024 * 1024,
}

/** How one call differs from the others. */
export interface CallOptions {
  /** Wall time the call gets even where the engine's own limit is shorter. */
  readonly atLeastMs?: number
}

/** An engine takes any number of calls at once and bounds its own concurrency; it rejects only for bugs or lost infrastructure. */
export interface Engine {
  readonly identity: EngineIdentity
  /** The file that is run; null for the embedded engine. */
  readonly executable: string | null
  readonly sandbox: SandboxReport
  /** How many programs it works on at once. */
  readonly slots: number
  /** With `isAlone`, checks while no other program of this engine is worked on, to confirm a timeout. */
  check(program: string, options?: CallOptions & { readonly isAlone?: boolean }): Promise<CheckOutcome>
  run(program: string): Promise<RunOutcome>
  /** Runs `program` while no other program of this engine runs, to confirm a timeout. */
  runAlone(program: string, options?: CallOptions): Promise<RunOutcome>
  /** Refuses (`BenchError` `engine/closed`) every program that has not begun. May be called more than once. */
  close(): Promise<void>
}
