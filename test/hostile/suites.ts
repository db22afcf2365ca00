import type { HostileProgram } from './hostile-program.ts'
import { shellPrograms } from './shell-programs.ts'
import { voxPrograms } from './vox-programs.ts'

/** `embedded` is `vox-embedded` as it ships, `permissive` the engine that lets candidates run shell commands. */
export type EngineName = 'embedded' | 'permissive'

/** What runs through which engine, one after the other, as their calls would share the slots of the sandbox. */
export const suites: readonly { readonly engine: EngineName; readonly programs: readonly HostileProgram[] }[] = [
  { engine: 'embedded', programs: voxPrograms },
  { engine: 'permissive', programs: shellPrograms },
]
