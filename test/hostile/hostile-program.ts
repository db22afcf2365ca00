import type { SandboxLevel, SandboxReport } from '../../src/engine/engine.ts'

/** What a sandbox promises to close; the words are those of its report. */
export type Leak = keyof SandboxReport['closed']

/** A candidate that tries something, what it must get, and what gets out where nothing holds it. */
export interface HostileProgram {
  readonly tries: string
  /** `twice` unless given. */
  readonly fixture?: 'twice' | 'label'
  /** Where it has `{{NAME}}`, the harness puts what a program could find out or guess; see `Surroundings`. */
  readonly text: string
  /** Verdict with its rule or class; several where the speed of the machine decides. */
  readonly verdict: string | readonly string[]
  /** What gets out where nothing is closed; nothing unless given. */
  readonly leaks?: readonly Leak[]
  /** Stands at which it gets out although the report calls that closed; docs/threat-model.md tells of each. */
  readonly gaps?: readonly string[]
  /** Many containers close it by themselves, so that nothing may get out even without a sandbox. */
  readonly isOftenClosed?: boolean
  /** Verdict where something gets out, if another. */
  readonly openVerdict?: string
  /** Would harm the machine, or what the suite runs on, where nothing is closed. */
  readonly needsSandbox?: boolean
  /** Judged as it stands, without the policy gate. */
  readonly isBelowGate?: boolean
  /** The text is a raw answer, of which a program must be taken first. */
  readonly isAnswer?: boolean
}

/** What programs are told of the place they run in, so that none fails for want of knowledge. */
export interface Surroundings {
  /** Unique to the program; in all it leaves behind or sends. */
  readonly marker: string
  /** Folder of the harness, open to every user. */
  readonly base: string
  readonly tcpPort: number
  readonly udpPort: number
  /** Name of a Unix socket that has no file, without the leading NUL. */
  readonly abstractSocket: string
  /** Of System V message queues; the next ten are the program's too. */
  readonly ipcKey: number
  readonly harnessPid: number
  /** A process of the harness's user that does nothing. */
  readonly bystanderPid: number
  readonly node: string
  /** Path of the engine's own file. */
  readonly engine: string
}

/**
 * `text` for one place. `{{boast:LEAK}}` is a word for what only the program itself can tell: printed, it says that LEAK is open.
 * @throws Error for a name that is none of the surroundings'.
 */
export function fillIn(text: string, surroundings: Surroundings): string {
  if (!text.includes('{{')) return text
  return text.replace(/\{\{(boast:)?(\w+)\}\}/g, (_, isBoast: string | undefined, name: string) => {
    if (isBoast !== undefined) return boastOf(name, surroundings.marker)
    const value = surroundings[name as keyof Surroundings]
    if (value === undefined) throw new Error(`no {{${name}}} in the surroundings`)
    return String(value)
  })
}

export function boastOf(leak: string, marker: string): string {
  return `boast-${leak}-${marker}`
}

/** Verdicts of which a program must get one, given what got out of it. */
export function verdictsOf({ verdict, openVerdict }: HostileProgram, leaks: readonly Leak[]): readonly string[] {
  return openVerdict !== undefined && leaks.length > 0 ? [openVerdict] : [verdict].flat()
}

/**
 * What must be found to have got out of a program, given what did. Without a sandbox everything must, for a proof that finds nothing
 * there would find nothing anywhere; so must a known gap, for what is closed is no gap. What the report calls open may get out.
 */
export function expectedLeaks(
  { leaks = [], gaps = [], isOftenClosed = false }: HostileProgram,
  found: readonly Leak[],
  stand: { readonly name: string; readonly level: SandboxLevel; readonly closed: SandboxReport['closed'] },
): readonly Leak[] {
  const isExpected = gaps.includes(stand.name) || (stand.level === 'none' && !isOftenClosed)
  return leaks.filter((leak) => isExpected || (!stand.closed[leak] && found.includes(leak))).sort()
}
