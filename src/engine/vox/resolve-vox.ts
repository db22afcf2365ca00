import { statSync } from 'node:fs'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import { openArchive } from './archive.ts'
import { buildFromSource } from './build-from-source.ts'
import type { VoxBinary, VoxDeps, VoxRequest } from './vox-request.ts'
import { openWorkFolder, storageTrouble } from './work-folder.ts'

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
  const workFolder = await openWorkFolder(deps.workFolder)
  const inWorkFolder = { ...deps, workFolder }
  try {
    if (request.archive !== undefined) return await openArchive(request.archive, inWorkFolder)
    if (request.source !== undefined) return await buildFromSource(request.source, request.build, inWorkFolder)
  } catch (error) {
    throw storageTrouble(error, workFolder) ?? error
  }
  throw new BenchError({
    code: 'vox/nothing-asked',
    message: 'nothing says where vox comes from.',
    hint: 'Give its path, an archive with its sha256, or a source to build.',
  })
}

/** Whether it is a vox at all is for the engine's probe to say. */
function usePath(given: string, deps: VoxDeps): VoxBinary {
  const executable = path.resolve(given)
  const found = statSync(executable, { throwIfNoEntry: false })
  if (!found?.isFile()) {
    throw new BenchError({
      code: 'vox/no-executable',
      message: `${executable} is ${found === undefined ? 'not there' : 'no file'}, so it is no vox.`,
      hint: '--vox takes the executable itself; to build vox from a folder, give that with --vox-source.',
    })
  }
  deps.log(`vox: using ${executable}`)
  return { executable, provenance: 'path', sourceCommit: null, toolchain: null, profile: null, sourceGate: null }
}
