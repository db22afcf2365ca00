import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isGzip } from './file-kind.ts'

const CHUNK_BYTES = 1024 * 1024

export interface ReadFile {
  /** Of the file as it lies on the disk, hex; null when it could not be read to its end. */
  readonly sha256: string | null
  /** Why it was not read, or not in full; null when it was. */
  readonly problem: string | null
}

/**
 * Reads a file once from beginning to end. What is packed by gzip, whatever its name, is given unpacked.
 * @param onBytes is given each part; its memory is used again afterwards
 * @param onProgress is given the bytes read from the disk since the last call
 */
export async function readDataFile(
  path: string,
  onBytes: (bytes: Uint8Array) => void,
  onProgress: (bytes: number) => void,
): Promise<ReadFile> {
  const hash = createHash('sha256')
  const chunks = createReadStream(path, { highWaterMark: CHUNK_BYTES })[Symbol.asyncIterator]()
  let total = 0
  const take = async (): Promise<Buffer | null> => {
    const { done, value } = await chunks.next()
    if (done === true) return null
    hash.update(value)
    total += value.length
    onProgress(value.length)
    return value
  }
  try {
    const first = await take()
    const isPacked = first !== null && isGzip(first)
    const unpacked = isPacked ? await unpack(first, take, onBytes) : null
    if (!isPacked) for (let chunk = first; chunk !== null; chunk = await take()) onBytes(chunk)
    // What stands behind packed data is part of the file all the same.
    while ((await take()) !== null);
    return { sha256: hash.digest('hex'), problem: unpacked && explain(unpacked, total) }
  } catch (error) {
    return { sha256: null, problem: `it cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}

interface Unpacked {
  /** How much of the file was unpacked. */
  readonly bytes: number
  readonly failure: string | null
}

function explain({ bytes, failure }: Unpacked, total: number): string | null {
  if (failure !== null) return `it cannot be unpacked in full (${failure})`
  return bytes < total ? 'there is something behind its packed data' : null
}

/** @throws whatever `take` throws. */
async function unpack(
  first: Buffer,
  take: () => Promise<Buffer | null>,
  onBytes: (bytes: Uint8Array) => void,
): Promise<Unpacked> {
  let unreadable: unknown = null
  async function* source() {
    for (let chunk: Buffer | null = first; chunk !== null; chunk = await takeOrTell()) yield chunk
  }
  const takeOrTell = () =>
    take().catch((error) => {
      unreadable = error
      throw error
    })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  pipeline(Readable.from(source(), { objectMode: false }), gunzip, () => {})
  try {
    for await (const chunk of gunzip) onBytes(chunk)
    return { bytes: gunzip.bytesWritten, failure: null }
  } catch (error) {
    if (unreadable !== null) throw unreadable
    return { bytes: gunzip.bytesWritten, failure: String((error as NodeJS.ErrnoException).code) }
  }
}
