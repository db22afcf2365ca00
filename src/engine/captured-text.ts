import type { CapturedText } from './engine.ts'

export const HEAD_BYTES = 65_536
export const TAIL_BYTES = 65_536
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Takes a stream piece by piece and keeps its head, its tail and its last line in bounded memory. */
export interface Capture {
  add(piece: Uint8Array): void
  bytes(): number
  text(): CapturedText
}

/**
 * A capture that holds all of a stream up to `headBytes + tailBytes`, and of a longer one the first `headBytes` and the last
 * `tailBytes`, cut between characters. The last line is kept apart, so that a flood of blank lines behind it does not push it out;
 * of a line longer than `tailBytes` only the end is kept.
 */
export function createCapture(headBytes = HEAD_BYTES, tailBytes = TAIL_BYTES): Capture {
  const whole = createPrefix(headBytes + tailBytes)
  const tail = createSuffix(tailBytes)
  const open = createSuffix(tailBytes)
  let closed: Uint8Array = new Uint8Array(0)
  let bytes = 0

  function closeLines(piece: Uint8Array, lastBreak: number): void {
    for (let end = lastBreak; ; ) {
      const start = end === 0 ? -1 : piece.lastIndexOf(LINE_FEED, end - 1)
      if (start < 0) {
        open.add(piece.subarray(0, end))
        if (!isBlank(open.bytes())) closed = Uint8Array.from(open.bytes())
        return
      }
      const line = piece.subarray(start + 1, end)
      if (!isBlank(line)) {
        closed = Uint8Array.from(line.subarray(Math.max(0, line.length - tailBytes)))
        return
      }
      end = start
    }
  }

  return {
    add(piece) {
      bytes += piece.length
      whole.add(piece)
      tail.add(piece)
      const lastBreak = piece.lastIndexOf(LINE_FEED)
      if (lastBreak >= 0) {
        closeLines(piece, lastBreak)
        open.clear()
      }
      open.add(piece.subarray(lastBreak + 1))
    },
    bytes: () => bytes,
    text() {
      const isCut = bytes > headBytes + tailBytes
      const last = isBlank(open.bytes()) ? closed : open.bytes()
      return {
        head: decode(isCut ? wholeCharacters(whole.bytes().subarray(0, headBytes)) : whole.bytes()),
        tail: isCut ? decode(fromCharacterStart(tail.bytes())) : '',
        bytes,
        lastLine: decode(fromCharacterStart(withoutReturn(last))),
      }
    },
  }
}

/** The capture of a text that is at hand as a whole. */
export function captureOf(text: string): CapturedText {
  const capture = createCapture()
  capture.add(Buffer.from(text))
  return capture.text()
}

/** All of a captured text that was kept, with a mark where it was cut. */
export function keptText(captured: CapturedText): string {
  return captured.tail === '' ? captured.head : `${captured.head}\n[… cut …]\n${captured.tail}`
}

function createPrefix(limit: number): { add(piece: Uint8Array): void; bytes(): Uint8Array } {
  let store: Buffer = Buffer.alloc(0)
  let used = 0
  return {
    add(piece) {
      const taken = piece.subarray(0, limit - used)
      store = ensureRoom(store, used, used + taken.length, limit)
      store.set(taken, used)
      used += taken.length
    },
    bytes: () => store.subarray(0, used),
  }
}

/** Keeps the last `limit` bytes; room for twice as many makes adding amortised constant per byte. */
function createSuffix(limit: number): { add(piece: Uint8Array): void; clear(): void; bytes(): Uint8Array } {
  let store: Buffer = Buffer.alloc(0)
  let used = 0
  return {
    add(piece) {
      const taken = piece.subarray(Math.max(0, piece.length - limit))
      if (used + taken.length > 2 * limit) {
        const kept = limit - taken.length
        store.copyWithin(0, used - kept, used)
        used = kept
      }
      store = ensureRoom(store, used, used + taken.length, 2 * limit)
      store.set(taken, used)
      used += taken.length
    },
    clear() {
      used = 0
    },
    bytes: () => store.subarray(Math.max(0, used - limit), used),
  }
}

function ensureRoom(store: Buffer, used: number, needed: number, limit: number): Buffer {
  if (needed <= store.length) return store
  const grown = Buffer.alloc(Math.min(limit, Math.max(needed, 2 * store.length, 256)))
  grown.set(store.subarray(0, used))
  return grown
}

function isBlank(line: Uint8Array): boolean {
  return line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN)
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
}

/** Drops the bytes of a character that was cut at the end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1
  while (start >= 0 && bytes.length - start < 4 && isContinuation(bytes[start])) start--
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start >= 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes
}

/** Drops the bytes of a character that was cut at the start. */
function fromCharacterStart(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
