import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BenchError } from '../../bench-error.ts'
import { fetchArchive } from './archive-download.ts'
import { buildEnvironment } from './build-environment.ts'
import { isDiskFull } from './build-failure.ts'
import { noRoom } from './disk-space.ts'
import { chooseIsolation } from './isolation.ts'
import { ownName, removeLeftovers, whileThere } from './leftovers.ts'
import { publicPart } from './remote-location.ts'
import { sha256Of } from './sha256-of.ts'
import { smokeTest } from './smoke-test.ts'
import type { VoxArchive, VoxBinary, VoxDeps } from './vox-request.ts'

const EXECUTABLES = new Set(['vox', 'vox.exe'])

/**
 * Vox from a prebuilt archive, or a bare executable. Nothing of it is unpacked or run before its sha256 is the one that was given.
 * Files are kept by their hash and not fetched again.
 * @throws BenchError
 */
export async function openArchive(archive: VoxArchive, deps: VoxDeps): Promise<VoxBinary> {
  const expected = archive.sha256.toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(expected)) throw badHash(archive.sha256)
  const folder = path.join(deps.workFolder, 'archives', expected)
  await mkdir(folder, { recursive: true })
  for (const name of ['download', 'unpacked']) await removeLeftovers(folder, name)
  const file = path.join(folder, 'download')
  if (await isKept(file, expected)) deps.log(`vox: archive ${expected} is in the work folder`)
  else await fetchArchive({ ...archive, sha256: expected }, file, deps)

  const env = buildEnvironment(deps.env)
  const unpacked = path.join(folder, ownName('unpacked'))
  return await whileThere(unpacked, async () => {
    await mkdir(unpacked)
    const found = (await isTar(file)) ? await unpack(file, unpacked, env, deps) : file
    const executable = path.join(folder, 'bin', 'vox')
    await mkdir(path.dirname(executable), { recursive: true })
    await placeExecutable(found, executable)
    const smoke = await smokeTest(executable, await chooseIsolation(deps.exec, env))
    if (smoke.kind === 'failed') throw brokenArchive(archive.url, smoke.reason)
    deps.log(`vox: ${smoke.version} from ${publicPart(archive.url)}`)
    return { executable, provenance: 'archive', sourceCommit: null, toolchain: null, profile: null, sourceGate: null }
  })
}

/** What is no file, and so could be read for ever, is removed. */
async function isKept(file: string, sha256: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => null)
  if (stats?.isFile()) return (await sha256Of(file)) === sha256
  await rm(file, { recursive: true, force: true })
  return false
}

/** By content: compressed archives by their first bytes, a plain tar by its mark. */
async function isTar(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    const compressed = ['1f8b', 'fd377a585a00', '28b52ffd', '425a68']
    const start = buffer.toString('hex', 0, 6)
    return compressed.some((magic) => start.startsWith(magic)) || buffer.toString('latin1', 257, 262) === 'ustar'
  } finally {
    await handle.close()
  }
}

/** Unpacks into a private folder and returns the executable in it. */
async function unpack(file: string, folder: string, env: Record<string, string>, deps: VoxDeps): Promise<string> {
  async function tar(...args: string[]): Promise<string> {
    const result = await deps.exec.run(['tar', ...args], { cwd: folder, env: { ...env, LC_ALL: 'C' } })
    if (result.kind === 'exited' && result.code === 0) return result.stdout
    if (result.kind !== 'not-found' && isDiskFull(result.stderr)) throw noRoom(folder)
    throw badArchive(result.kind === 'not-found' ? 'there is no tar on PATH' : result.stderr.trim())
  }
  const names = (await tar('-tf', file)).split('\n')
  const leaving = names.find((name) => path.isAbsolute(name) || name.split('/').includes('..'))
  if (leaving !== undefined) throw badArchive(`its entry ${leaving} would leave the folder it is unpacked to`)
  await tar('-xf', file, '--no-same-owner')
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    if (!EXECUTABLES.has(path.basename(name))) continue
    // A link is no executable, and may lead anywhere.
    if ((await lstat(path.join(folder, name))).isFile()) found.push(name)
  }
  const [only] = found
  if (only !== undefined && found.length === 1) return path.join(folder, only)
  throw badArchive(found.length === 0 ? 'it holds no file named vox' : `it holds several: ${found.sort().join(', ')}`)
}

/** Puts a copy in place at once, as another process may be running the one that is there. */
async function placeExecutable(from: string, to: string): Promise<void> {
  const temporary = `${to}.${randomUUID()}`
  await pipeline(createReadStream(from), createWriteStream(temporary))
  await chmod(temporary, 0o755)
  await rename(temporary, to)
}

function badHash(given: string): BenchError {
  return new BenchError({
    code: 'vox/bad-sha256',
    message: `"${given}" is no sha256.`,
    hint: 'Give the 64 hex digits that `sha256sum` prints for the archive.',
  })
}

function badArchive(why: string): BenchError {
  return new BenchError({
    code: 'vox/bad-archive',
    message: `the archive of vox cannot be used: ${why}.`,
    hint: 'Give a tar archive (.tar.gz, .tar.xz) with one file named vox, or the executable itself.',
  })
}

function brokenArchive(url: string, reason: string): BenchError {
  return new BenchError({
    code: 'vox/smoke-test-failed',
    message: `the vox of ${publicPart(url)} does not work here: ${reason}`,
    hint: "Check that it is built for this machine's system and architecture.",
  })
}
