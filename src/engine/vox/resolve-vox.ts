import { existsSync, statSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import { openArchive } from './archive.ts'
import { buildFromSource } from './build-from-source.ts'
import type { VoxBinary, VoxDeps, VoxRequest } from './vox-request.ts'

export type {
  SourceGateOutcome,
  VoxArchive,
  VoxBinary,
  VoxBuildOptions,
  VoxDeps,
  VoxRequest,
  VoxSource,
} from './vox-request.ts'

/**
 * The vox that a request asks for: an executable at a path, one from an archive, or one built from source, where an equal build that was
 * kept is used again. Each step is said in the log.
 * @throws BenchError what keeps vox from being had; nothing else takes its place
 */
export async function resolveVox(request: VoxRequest, deps: VoxDeps): Promise<VoxBinary> {
  if (request.path !== undefined) return usePath(request.path, deps)
  await mkdir(deps.workFolder, { recursive: true })
  // One name for the work folder, as caches and cargo go by paths.
  const inWorkFolder = { ...deps, workFolder: await realpath(deps.workFolder) }
  if (request.archive !== undefined) return await openArchive(request.archive, inWorkFolder)
  if (request.source !== undefined) return await buildFromSource(request.source, request.build, inWorkFolder)
  throw new BenchError({
    code: 'vox/nothing-asked',
    message: 'nothing says where vox comes from.',
    hint: 'Give its path, an archive with its sha256, or a source to build.',
  })
}

/** Whether it is a vox at all is for the engine's probe to say. */
function usePath(given: string, deps: VoxDeps): VoxBinary {
  const executable = path.resolve(given)
  if (!existsSync(executable) || !statSync(executable).isFile()) {
    throw new BenchError({
      code: 'vox/no-executable',
      message: `there is no vox at ${executable}.`,
      hint: 'Check the path; to build vox, give its source instead.',
    })
  }
  deps.log(`vox: using ${executable}`)
  return { executable, provenance: 'path', sourceCommit: null, toolchain: null, profile: null, sourceGate: null }
}
