/** How much of a file's beginning tells what it is. */
export const HEAD_BYTES = 64 * 1024

const BINARY_ENDINGS = new Set(
  `parquet arrow feather orc avro tfrecord msgpack mdb db sqlite h5 hdf5 pkl pickle joblib
npy npz bin idx safetensors pt pth ckpt gguf onnx
zst zstd bz2 xz lz4 lzma br 7z rar zip jar tar tgz
pdf docx xlsx pptx epub png jpg jpeg gif webp mp3 mp4 wav`.split(/\s/),
)

/** First bytes of packed formats that may have no NUL near their beginning. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['28b52ffd', 'zstd'],
  ['425a68', 'bzip2'],
  ['504b0304', 'zip'],
  ['04224d18', 'lz4'],
  ['50415231', 'parquet'],
  ['1f8b', 'gzip inside gzip'],
  ['1f9d', 'compress'],
  // Not 785e, with which a text can begin.
  ['7801', 'zlib'],
  ['789c', 'zlib'],
  ['78da', 'zlib'],
]

/** From this share of its bytes on that are no UTF-8 a file is no text that was read whole. */
const MAX_INVALID_SHARE = 0.01

/** Why the words of a file cannot be searched; null when they can. `head` is its beginning, unpacked. */
export function whyNoText(name: string, head: Uint8Array): string | null {
  const ending = endingOf(name)
  if (BINARY_ENDINGS.has(ending)) return `its words are not searched: a .${ending} file`
  const first = Buffer.from(head.subarray(0, 8)).toString('hex')
  const packed = SIGNATURES.find(([signature]) => first.startsWith(signature))
  if (packed !== undefined) return `its words are not searched: packed or binary (${packed[1]})`
  return head.includes(0) ? 'its words are not searched: it has NUL bytes, so it is no text in UTF-8' : null
}

export interface SearchedText {
  readonly bytes: number
  /** How many of them, about, are no UTF-8. */
  readonly invalid: number
  readonly hasNul: boolean
}

/** Why words of a text that was searched may have been missed; null when none were. */
export function whyInPart({ bytes, invalid, hasNul }: SearchedText): string | null {
  if (hasNul) return 'its words are searched only in part: it has NUL bytes'
  return invalid > MAX_INVALID_SHARE * bytes
    ? 'its words are searched only in part: more than 1 % of it is no UTF-8'
    : null
}

/** True for JSON, one text or a line each, by its name or as it begins. */
export function isJson(name: string, beginning: string): boolean {
  return ['json', 'jsonl', 'ndjson', 'jsonlines', 'ipynb'].includes(endingOf(name)) || /^\s*[[{]/.test(beginning)
}

/** Lower-case, without the dot; that of a gzip file is the one before. */
function endingOf(name: string): string {
  return /\.([a-z0-9]+)$/.exec(name.toLowerCase().replace(/\.gz$/, ''))?.[1] ?? ''
}

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}
