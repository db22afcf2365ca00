import { stripVTControlCharacters } from 'node:util'

const KEPT_BYTES = 64 * 1024
const LINES = 20
const LINE_LENGTH = 2000

/** The end of what a process writes, in bounded memory. */
export interface OutputTail {
  add(piece: Uint8Array): void
  /** Its last lines that are not blank, 20 at most of 2,000 characters at most, without escape codes. */
  lines(): string[]
}

/** Both streams of a process go into one, in the order in which they are read. */
export function createOutputTail(): OutputTail {
  const ring = Buffer.alloc(KEPT_BYTES)
  let written = 0

  function kept(): Buffer {
    const end = written % KEPT_BYTES
    return written <= KEPT_BYTES
      ? ring.subarray(0, written)
      : Buffer.concat([ring.subarray(end), ring.subarray(0, end)])
  }

  return {
    add(piece) {
      const last = piece.subarray(-KEPT_BYTES)
      written += piece.length - last.length
      const room = KEPT_BYTES - (written % KEPT_BYTES)
      ring.set(last.subarray(0, room), written % KEPT_BYTES)
      ring.set(last.subarray(room), 0)
      written += last.length
    },
    lines() {
      return stripVTControlCharacters(kept().toString('utf8'))
        .split(/\r?\n/)
        .map(shownLine)
        .filter((line) => line.trim() !== '')
        .slice(-LINES)
    },
  }
}

/** Of a line that was written over again and again, as a progress bar is, what stood there last. */
function shownLine(line: string): string {
  const shown = line.split('\r').findLast((part) => part.trim() !== '') ?? ''
  return shown.length > LINE_LENGTH ? `${shown.slice(0, LINE_LENGTH)}…` : shown
}
