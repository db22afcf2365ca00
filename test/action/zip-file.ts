import { crc32, deflateRawSync } from 'node:zlib'

export interface PackedFile {
  readonly name: string
  readonly content: Buffer | string
  /** What the archive claims in place of the truth. */
  readonly claims?: {
    readonly bytes?: number
    readonly crc?: number
    readonly mode?: number
    readonly flags?: number
    readonly method?: number
  }
}

/** A zip archive as other tools make them, or as an attacker would. */
export function zipOf(files: readonly PackedFile[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claims = {} } of files) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const nameBytes = Buffer.from(name)
    const fields = (head: Buffer, at: number) => {
      head.writeUInt16LE(claims.flags ?? 0, at)
      head.writeUInt16LE(claims.method ?? 8, at + 2)
      head.writeUInt32LE(claims.crc ?? crc32(bytes), at + 8)
      head.writeUInt32LE(packed.length, at + 12)
      head.writeUInt32LE(claims.bytes ?? bytes.length, at + 16)
      head.writeUInt16LE(nameBytes.length, at + 20)
      return head
    }
    const local = fields(Buffer.alloc(30), 6)
    local.writeUInt32LE(0x04034b50, 0)
    const central = fields(Buffer.alloc(46), 8)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt32LE(((claims.mode ?? 0o100644) << 16) >>> 0, 38)
    central.writeUInt32LE(offset, 42)
    locals.push(local, nameBytes, packed)
    directory.push(central, nameBytes)
    offset += local.length + nameBytes.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, list, end])
}
