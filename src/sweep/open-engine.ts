import path from 'node:path'
import type { EngineOptions } from '../config/engine-options.ts'
import { createEmbeddedEngine } from '../engine/embedded-engine.ts'
import type { Engine } from '../engine/engine.ts'
import type { VoxBinary, VoxDeps, VoxRequest } from '../engine/vox/resolve-vox.ts'
import { resolveVox } from '../engine/vox/resolve-vox.ts'
import { openVoxEngine } from '../engine/vox-engine.ts'

/**
 * The engine a configuration asks for; the caller closes it. A vox binary is found or built first, and told in the log.
 * @throws BenchError when there is no such binary, or when candidates could not be contained.
 */
export async function openEngine(options: EngineOptions, deps: VoxDeps): Promise<Engine> {
  if (!isVoxAskedFor(options)) return createEmbeddedEngine()
  const binary = await resolveVox(requestOf(options), deps)
  return openVoxEngine({
    executable: binary.executable,
    origin: originOf(binary),
    sandbox: options.sandbox,
    env: deps.env,
    log: deps.log,
  })
}

export function isVoxAskedFor(options: EngineOptions): boolean {
  return options.engine === 'vox' || [options.vox, options['vox-archive'], options['vox-source']].some(Boolean)
}

function requestOf(options: EngineOptions): VoxRequest {
  const { vox, 'vox-archive': url, 'vox-sha256': sha256, 'vox-source': location, 'vox-ref': ref } = options
  const { 'vox-jobs': jobs, 'vox-toolchain': toolchain } = options
  return {
    ...(vox === undefined ? {} : { path: path.resolve(vox) }),
    ...(url === undefined || sha256 === undefined ? {} : { archive: { url, sha256: sha256.toLowerCase() } }),
    ...(location === undefined ? {} : { source: { location, ...(ref === undefined ? {} : { ref }) } }),
    build: {
      profile: options['vox-profile'],
      overrides: Object.fromEntries(options['vox-overrides'].map((override) => override.split('=', 2))),
      features: options['vox-features'],
      ...(toolchain === undefined ? {} : { toolchain }),
      ...(jobs === undefined ? {} : { jobs }),
      memoryPerJobGb: options['vox-job-memory-gb'],
      minDiskGb: options['vox-disk-gb'],
      useSccache: options['vox-sccache'],
      sourceGate: options['source-gate'],
    },
  }
}

/** A copy from the cache is what was built: the same binary has the same identity. */
function originOf({ provenance, sourceCommit, toolchain, profile, sourceGate }: VoxBinary) {
  return {
    provenance: provenance === 'cache' ? ('built' as const) : provenance,
    sourceCommit,
    toolchain,
    profile,
    sourceGate: sourceGate === null ? null : { outcome: sourceGate.outcome, detail: sourceGate.detail },
  }
}
