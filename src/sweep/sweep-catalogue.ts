import { OPENROUTER_URL } from '../config/subject-source.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import { type LoadedCatalogue, loadCatalogue, readSnapshot } from '../models/load-catalogue.ts'

/** A run waits no longer than this for the list of models. */
const TIMEOUT_MS = 20_000

/** The catalogue of models that a configuration names: a snapshot, or OpenRouter's list, kept in `folder` for a day. */
export async function loadSweepCatalogue({ catalogue }: SweepConfig, folder: string): Promise<LoadedCatalogue> {
  if (catalogue !== 'auto') return { catalogue: await readSnapshot(catalogue), warnings: [] }
  return loadCatalogue(folder, { url: OPENROUTER_URL, timeoutMs: TIMEOUT_MS, now: new Date() })
}
