import type { SandboxLevel, SandboxReport } from '../engine.ts'
import { bubblewrapLaunch } from './bubblewrap.ts'
import { landlockLaunch } from './landlock.ts'
import type { LevelSetup } from './sandbox.ts'

/** A level that the operating system enforces. */
export type EnforcedLevel = Exclude<SandboxLevel, 'in-process' | 'none'>

const ALL = ['tcp', 'udp', 'reads', 'writes', 'processes', 'survivors'] as const

/** What a level must have closed, or it is not that level; the network always. See docs/threat-model.md. */
export const PROMISES: Record<EnforcedLevel, readonly (keyof SandboxReport['closed'])[]> = {
  bubblewrap: ALL,
  'bubblewrap-root': ALL,
  'bubblewrap-sudo': ALL,
  landlock: ['tcp', 'udp', 'reads', 'writes'],
}

/** Levels worth trying on this machine, strongest first. */
export function levelsHere(): readonly EnforcedLevel[] {
  if (process.platform !== 'linux') return []
  return process.getuid?.() === 0 ? ['bubblewrap-root', 'landlock'] : ['bubblewrap', 'bubblewrap-sudo', 'landlock']
}

export function setUpLevel(level: EnforcedLevel, readable: readonly string[]): LevelSetup {
  return level === 'landlock' ? landlockLaunch(readable) : bubblewrapLaunch(level, readable)
}
