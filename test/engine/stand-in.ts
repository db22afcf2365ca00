import type { EngineIdentity } from '../../src/engine/engine.ts'
import type { VoxAbilities } from '../../src/engine/vox-abilities.ts'

/** What a command of a test passes for. */
export const STAND_IN_IDENTITY: EngineIdentity = {
  kind: 'process',
  version: 'stand-in 1',
  official: false,
  sha256: null,
  sourceCommit: null,
  toolchain: null,
  profile: null,
  provenance: 'path',
  sourceGate: null,
  abilities: {},
}

/** A command with vox's contract and none of its flags. */
export const NO_ABILITIES: VoxAbilities = {
  jsonDiagnostics: false,
  diagnosticStream: 'stderr',
  capsDirective: false,
  capsFlag: false,
  maxSteps: false,
  maxMemory: false,
  finalValue: 'display',
  indexingIsOption: true,
  recursion: true,
  writeBack: true,
  unsupportedExit: null,
}
