import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'

/**
 * A new folder of this process alone, in `parent` or the system's temporary folder.
 * @throws BenchError `infra/temporary-folder`
 */
export async function makeTemporaryFolder(prefix: string, parent = tmpdir()): Promise<string> {
  try {
    return await mkdtemp(path.join(parent, prefix))
  } catch (cause) {
    throw temporaryFolderFailure(cause)
  }
}

/** What went wrong in a temporary folder: there is no room, mostly. */
export function temporaryFolderFailure(cause: unknown): BenchError {
  return new BenchError({
    code: 'infra/temporary-folder',
    message: `the temporary folder ${tmpdir()} cannot be used: ${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}.`,
    hint: 'Make room there, or set TMPDIR to a folder that can be written.',
    cause,
  })
}
