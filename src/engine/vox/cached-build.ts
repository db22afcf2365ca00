import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { shortHash } from './cache-key.ts'
import { diskFull } from './disk-space.ts'
import type { Isolation } from './isolation.ts'
import { sha256Of } from './sha256-of.ts'
import { smokeTest } from './smoke-test.ts'
import type { VoxDeps } from './vox-request.ts'

const RECORD = 'vox-build.json'
const EXECUTABLE = process.platform === 'win32' ? 'vox.exe' : 'vox'

/** What is kept beside a built executable. */
const buildRecordSchema = z.object({
  sha256: z.string(),
  version: z.string(),
  sourceCommit: z.string(),
  toolchain: z.string(),
  profile: z.string(),
})
export type BuildRecord = z.infer<typeof buildRecordSchema>

export interface KeptBuild {
  readonly executable: string
  readonly record: BuildRecord
}

/** The folder of a build, which is also the path that a cache keeps it under. */
function folderOf(key: string, deps: VoxDeps): string {
  return path.join(deps.workFolder, 'builds', shortHash(key))
}

/**
 * A build that was kept under `key`, by an earlier run in the work folder or in the cache. Null when there is none or it no longer works,
 * which is a warning in the log, as is any trouble with the cache.
 */
export async function restoreBuild(key: string, isolation: Isolation, deps: VoxDeps): Promise<KeptBuild | null> {
  const folder = folderOf(key, deps)
  // One that is there is not fetched over: another process may be running it.
  if (existsSync(folder)) {
    const kept = await openBuild(folder, isolation)
    if (typeof kept !== 'string') {
      deps.log(`vox: cached build ${key} is in the work folder`)
      return kept
    }
    deps.log(`vox: warning: the build in the work folder is not used: ${kept}`)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (!(await deps.cache.restore(key, folder))) {
      deps.log(`vox: no cached build ${key}`)
      return null
    }
  } catch (error) {
    deps.log(`vox: warning: the cache cannot be read: ${(error as Error).message}`)
    return null
  }
  const restored = await openBuild(folder, isolation)
  if (typeof restored !== 'string') {
    deps.log(`vox: cached build ${key} restored`)
    return restored
  }
  deps.log(`vox: warning: the cached build ${key} is not used: ${restored}`)
  await rm(folder, { recursive: true, force: true })
  return null
}

/** A kept build that still is what was built and still works, or what is wrong with it. */
async function openBuild(folder: string, isolation: Isolation): Promise<KeptBuild | string> {
  const executable = path.join(folder, EXECUTABLE)
  try {
    const record = buildRecordSchema.parse(JSON.parse(await readFile(path.join(folder, RECORD), 'utf8')))
    if ((await sha256Of(executable)) !== record.sha256) return 'the executable is not the one that was built'
    await chmod(executable, 0o755)
    const smoke = await smokeTest(executable, isolation)
    return smoke.kind === 'passed' ? { executable, record } : smoke.reason
  } catch (error) {
    return error instanceof z.ZodError || error instanceof SyntaxError
      ? `its ${RECORD} cannot be read`
      : (error as Error).message
  }
}

/**
 * Copies a fresh executable and its record to where `restoreBuild` finds them; the target folder may be built over at any time.
 * @throws BenchError `infra/vox-disk`
 */
export async function keepBuild(
  key: string,
  executable: string,
  facts: Omit<BuildRecord, 'sha256'>,
  deps: VoxDeps,
): Promise<KeptBuild> {
  const folder = folderOf(key, deps)
  const temporary = `${folder}.${randomUUID()}`
  try {
    await mkdir(temporary, { recursive: true })
    await copyFile(executable, path.join(temporary, EXECUTABLE))
    const record = { sha256: await sha256Of(path.join(temporary, EXECUTABLE)), ...facts }
    await writeFile(path.join(temporary, RECORD), `${JSON.stringify(record, null, 2)}\n`)
    await rename(temporary, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process built the same at the same time; of equal key, theirs will do.
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error
    })
    return { executable: path.join(folder, EXECUTABLE), record }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(folder, '') : error
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Saves a kept build; trouble is a warning. */
export async function saveBuild(key: string, deps: VoxDeps): Promise<void> {
  try {
    await deps.cache.save(key, folderOf(key, deps))
    deps.log(`vox: saved as ${key}`)
  } catch (error) {
    deps.log(`vox: warning: the build is not in the cache: ${(error as Error).message}`)
  }
}
