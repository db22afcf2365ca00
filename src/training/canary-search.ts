/** Searches bytes that come in parts for canaries, in any case, with and without their dashes. */
export interface CanarySearch {
  push(bytes: Uint8Array): void
}

/** @param onHit is given the line, counted from 1, in which a canary begins */
export function createCanarySearch(canaries: readonly string[], onHit: (line: number) => void): CanarySearch {
  const patterns = [...new Set(canaries.flatMap((canary) => [canary, canary.replaceAll('-', '')]).map(asBytes))]
  const longest = Math.max(0, ...patterns.map((pattern) => pattern.length))
  let tail = ''
  let line = 1

  return {
    push(bytes) {
      const text = tail + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').toLowerCase()
      for (const pattern of patterns) {
        for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + pattern.length)) {
          // One that ends in the tail was told before; one that begins there has no line break in it.
          if (at + pattern.length > tail.length) onHit(line + countLineBreaks(bytes, at - tail.length))
        }
      }
      line += countLineBreaks(bytes, bytes.length)
      tail = text.slice(Math.max(0, text.length - longest + 1))
    },
  }
}

/** As the bytes are read: one character a byte, lower-case. */
function asBytes(canary: string): string {
  return Buffer.from(canary, 'utf8').toString('latin1').toLowerCase()
}

/** Line breaks before place `end`. */
function countLineBreaks(bytes: Uint8Array, end: number): number {
  let count = 0
  for (let at = 0; at < end; at++) if (bytes[at] === 0x0a) count++
  return count
}
