import type { SweepConfig } from '../config/sweep-config.ts'
import { createEmbeddedEngine } from '../engine/embedded-engine.ts'
import type { Engine } from '../engine/engine.ts'
import { openVoxEngine } from '../engine/vox-engine.ts'

/** The engine a configuration asks for; the caller closes it. */
export async function openEngine(config: Pick<SweepConfig, 'vox'>): Promise<Engine> {
  return config.vox === undefined ? createEmbeddedEngine() : openVoxEngine(config.vox)
}
