import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BenchError } from '../../bench-error.ts'
import { noRoom } from './disk-space.ts'
import { ownName, whileThere } from './leftovers.ts'
import { hideKeys, isLoopback, isRemote, publicPart } from './remote-location.ts'
import type { VoxArchive, VoxDeps } from './vox-request.ts'

const MIB = 2 ** 20
const MAX_BYTES = 1024 * MIB
const MAX_REDIRECTS = 5
const IDLE_MS = 60_000
const TELL_MS = 1000

/**
 * Copies an archive, from a server or a folder, to `file`, where it is seen once it is whole and has its sha256.
 * @param idleMs how long nothing may come
 * @throws BenchError
 */
export async function fetchArchive(
  { url, sha256 }: VoxArchive,
  file: string,
  deps: Pick<VoxDeps, 'log'>,
  idleMs = IDLE_MS,
): Promise<void> {
  deps.log(`vox: fetching ${publicPart(url)}`)
  const hash = createHash('sha256')
  const patience = new AbortController()
  const idle = setTimeout(() => patience.abort(), idleMs)
  let bytes = 0
  let toldAt = performance.now()
  async function* measured(source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      idle.refresh()
      bytes += piece.length
      if (bytes > MAX_BYTES) throw tooLarge(url)
      hash.update(piece)
      if (performance.now() - toldAt > TELL_MS) {
        toldAt = performance.now()
        deps.log(`vox: ${(bytes / MIB).toFixed(1)} MiB fetched`, true)
      }
      yield piece
    }
  }
  const temporary = path.join(path.dirname(file), ownName(path.basename(file)))
  try {
    await whileThere(temporary, async () => {
      const source = await openSource(url, patience.signal)
      await pipeline(source, measured, createWriteStream(temporary), { signal: patience.signal })
      const actual = hash.digest('hex')
      if (actual !== sha256) throw wrongHash(url, sha256, actual)
      await rename(temporary, file)
    })
  } catch (error) {
    if (error instanceof BenchError) throw error
    if (patience.signal.aborted) throw notFetched(url, `nothing came for ${Math.ceil(idleMs / 1000)} s`)
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noRoom(path.dirname(file))
    throw notFetched(url, reasonOf(error as Error))
  } finally {
    clearTimeout(idle)
  }
}

async function openSource(location: string, signal: AbortSignal): Promise<Readable> {
  if (!isRemote(location)) return await openFile(path.resolve(location))
  let url = demandSafe(location)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(url, { redirect: 'manual', signal })
    const next = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && next !== null) {
      await response.body?.cancel()
      // Nothing is asked of where an archive must not come from.
      url = demandSafe(next, url)
      continue
    }
    if (!response.ok || response.body === null) throw notFetched(location, `the server answers ${response.status}`)
    return Readable.fromWeb(response.body)
  }
  throw notFetched(location, `it is redirected more than ${MAX_REDIRECTS} times`)
}

async function openFile(file: string): Promise<Readable> {
  try {
    // A pipe or a device could be waited for, or read, for ever.
    if ((await stat(file)).isFile()) return (await open(file)).createReadStream()
  } catch (error) {
    throw notRead(file, (error as Error).message)
  }
  throw notRead(file, 'it is no file')
}

function demandSafe(location: string, base?: URL): URL {
  const url = URL.canParse(location, base?.href) ? new URL(location, base) : null
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return url
  throw new BenchError({
    code: 'vox/bad-archive-url',
    message: `the archive of vox is not fetched from ${publicPart(url?.href ?? location)}: only https URLs are.`,
    hint: 'Give an https URL, or the path of a file.',
  })
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection broke off',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  UND_ERR_SOCKET: 'the connection broke off',
}

/** What `fetch` says itself is only that it failed. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error
  const { code = '' } = cause as NodeJS.ErrnoException
  return REASONS[code] ?? [cause.message, code].filter((part) => part !== '').join(', ')
}

function wrongHash(url: string, expected: string, actual: string): BenchError {
  return new BenchError({
    code: 'vox/wrong-sha256',
    message: `the archive ${publicPart(url)} is not the one that was asked for: expected sha256 ${expected}, got ${actual}.`,
    hint: 'Check where the archive comes from; give the other hash only if you trust it.',
  })
}

function tooLarge(url: string): BenchError {
  return new BenchError({
    code: 'vox/archive-too-large',
    message: `the archive ${publicPart(url)} is larger than 1 GiB.`,
    hint: 'Give an archive that holds the executable alone.',
  })
}

function notFetched(url: string, why: string): BenchError {
  return new BenchError({
    code: 'infra/vox-download',
    message: `the archive ${publicPart(url)} could not be fetched: ${hideKeys(why, url)}.`,
    hint: 'Check the address and the network, then run again.',
  })
}

function notRead(file: string, why: string): BenchError {
  return new BenchError({
    code: 'vox/no-archive',
    message: `the archive ${file} cannot be read: ${why}.`,
    hint: 'Give the path of a file, or an https URL.',
  })
}
