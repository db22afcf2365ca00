import { crc32, inflateRawSync } from 'node:zlib'
import { BenchError } from '../bench-error.ts'

/** What is taken of an archive that anyone may have made. */
export interface ZipLimits {
  readonly entries: number
  /** Of all entries together, unpacked. */
  readonly bytes: number
  /** Unpacked over packed, of any entry. */
  readonly ratio: number
}

export interface ZipEntry {
  /** Relative, with `/`, and nowhere above its folder. */
  readonly name: string
  readonly bytes: number
  /** @throws BenchError `archive/refused` where the content is not what the archive says of it. */
  read(): Buffer
}

const END = 0x06054b50
const END_BYTES = 22
const CENTRAL = 0x02014b50
const CENTRAL_BYTES = 46
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const MAX_COMMENT = 0xffff
const ZIP64 = 0xffffffff
const TYPE_MASK = 0xf000
const SYMBOLIC_LINK = 0xa000

/**
 * The files of a zip archive (PKWARE APPNOTE 6.3), all of them checked before one is unpacked.
 * @throws BenchError `archive/refused` for more than the limits, for links, for paths that lead elsewhere, for a name twice,
 * and for what is no such archive.
 */
export function readZip(archive: Buffer, limits: ZipLimits): ZipEntry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > limits.entries) throw refused(`it has ${count} entries, and ${limits.entries} are taken`)
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  let at = archive.readUInt32LE(end + 16)
  let total = 0
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > end || archive.readUInt32LE(at) !== CENTRAL) throw refused('its directory is damaged')
    const nameBytes = archive.readUInt16LE(at + 28)
    const next = at + CENTRAL_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    if (next > end) throw refused('its directory is damaged')
    const head = {
      flags: archive.readUInt16LE(at + 8),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packed: archive.readUInt32LE(at + 20),
      bytes: archive.readUInt32LE(at + 24),
      mode: archive.readUInt32LE(at + 38) >>> 16,
      local: archive.readUInt32LE(at + 42),
    }
    const name = archive.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)
    at = next
    demandName(name)
    if (names.has(name)) throw refused(`"${name}" is in it twice`)
    names.add(name)
    if ((head.mode & TYPE_MASK) === SYMBOLIC_LINK) throw refused(`"${name}" is a link`)
    if ((head.flags & 1) !== 0 || (head.method !== 0 && head.method !== 8))
      throw refused(`"${name}" is packed in a way that is not read here`)
    if ([head.packed, head.bytes, head.local].includes(ZIP64)) throw refused(`"${name}" has more than 4 GB`)
    total += head.bytes
    if (total > limits.bytes) throw refused(`its files have more than ${limits.bytes} bytes`)
    if (head.bytes > limits.ratio * Math.max(head.packed, 1))
      throw refused(`"${name}" is packed to less than a ${limits.ratio}th`)
    if (!name.endsWith('/')) entries.push({ name, bytes: head.bytes, read: () => unpack(archive, name, head) })
  }
  return entries
}

function findEnd(archive: Buffer): number {
  for (let at = archive.length - END_BYTES; at >= Math.max(0, archive.length - END_BYTES - MAX_COMMENT); at--) {
    if (archive.readUInt32LE(at) === END) return at
  }
  throw refused('it is no zip archive')
}

function demandName(name: string): void {
  const parts = name.replace(/\/$/, '').split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isPlain || /[\u0000-\u001f\\:\ufffd]/.test(name) || name.length > 512) {
    throw refused(`the path ${JSON.stringify(name.slice(0, 100))} leads elsewhere`)
  }
}

interface Head {
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly bytes: number
  readonly local: number
}

function unpack(archive: Buffer, name: string, { method, crc, packed, bytes, local }: Head): Buffer {
  if (local + LOCAL_BYTES > archive.length || archive.readUInt32LE(local) !== LOCAL)
    throw refused(`"${name}" is damaged`)
  const from = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  if (from + packed > archive.length) throw refused(`"${name}" is damaged`)
  const content = archive.subarray(from, from + packed)
  let unpacked: Buffer
  try {
    unpacked = method === 0 ? content : inflateRawSync(content, { maxOutputLength: Math.max(bytes, 1) })
  } catch (error) {
    throw refused(`"${name}" cannot be unpacked: ${(error as Error).message}`)
  }
  if (unpacked.length !== bytes || crc32(unpacked) !== crc)
    throw refused(`"${name}" is not what the archive says of it`)
  return unpacked
}

function refused(why: string): BenchError {
  return new BenchError({
    code: 'archive/refused',
    message: `The archive is not taken: ${why}.`,
    hint: 'Give the path of a report with the input baseline, or let the next scheduled run make a new one.',
  })
}
