import fc from 'fast-check'
import { expect, test } from 'vitest'
import { captureOf, createCapture, keptText } from '../../src/engine/captured-text.ts'

const HEAD = 16
const TAIL = 16

/** The definition, on the whole text at once. */
function naive(whole: Buffer) {
  const isCut = whole.length > HEAD + TAIL
  const lines = []
  for (let from = 0; from <= whole.length; ) {
    const feed = whole.indexOf(0x0a, from)
    const end = feed < 0 ? whole.length : feed
    lines.push(whole.subarray(from, end))
    from = end + 1
  }
  const last = lines.findLast((line) => line.length > 0 && !(line.length === 1 && line[0] === 0x0d)) ?? Buffer.alloc(0)
  const shown =
    last.at(-1) === 0x0d
      ? last.subarray(Math.max(0, last.length - TAIL), -1)
      : last.subarray(Math.max(0, last.length - TAIL))
  return { isCut, lastLine: shown }
}

const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', 'é', '😀'), maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('a', '\n'), maxLength: 70 }),
  ),
  { maxLength: 12 },
)

test('a stream up to head and tail is kept whole, however it is split', () => {
  fc.assert(
    fc.property(pieces, (texts) => {
      const whole = texts.join('')
      fc.pre(Buffer.byteLength(whole) <= HEAD + TAIL)
      const capture = createCapture(HEAD, TAIL)
      for (const text of texts) capture.add(Buffer.from(text))
      expect(capture.text()).toMatchObject({ head: whole, tail: '', bytes: Buffer.byteLength(whole) })
    }),
  )
})

test('a longer stream keeps whole characters of its head and its tail', () => {
  fc.assert(
    fc.property(pieces, (texts) => {
      const whole = texts.join('')
      const bytes = Buffer.byteLength(whole)
      fc.pre(bytes > HEAD + TAIL)
      const capture = createCapture(HEAD, TAIL)
      for (const text of texts) capture.add(Buffer.from(text))
      const { head, tail } = capture.text()
      expect(whole.startsWith(head)).toBe(true)
      expect(whole.endsWith(tail)).toBe(true)
      expect(Buffer.byteLength(head)).toBeGreaterThan(HEAD - 4)
      expect(Buffer.byteLength(head)).toBeLessThanOrEqual(HEAD)
      expect(Buffer.byteLength(tail)).toBeGreaterThan(TAIL - 4)
      expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(TAIL)
    }),
  )
})

test('the last line is the last one with a text, whatever blank lines follow, split anywhere', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 9 }), (texts, size) => {
      const whole = Buffer.from(texts.join(''))
      const capture = createCapture(HEAD, TAIL)
      for (let at = 0; at < whole.length; at += size) capture.add(whole.subarray(at, at + size))
      const { lastLine } = naive(whole)
      expect(lastLine.toString('utf8').endsWith(capture.text().lastLine)).toBe(true)
      expect(Buffer.byteLength(capture.text().lastLine)).toBeGreaterThan(lastLine.length - 4)
    }),
  )
})

test('a byte flood is held in bounded memory', () => {
  const capture = createCapture()
  const flood = Buffer.alloc(1 << 20, 'x')
  for (let round = 0; round < 64; round++) capture.add(flood)
  capture.add(Buffer.from('\nend\n\n\n'))
  const { head, tail, bytes, lastLine } = capture.text()
  expect(bytes).toBe(64 * (1 << 20) + 7)
  expect(head.length + tail.length).toBe(131_072)
  expect(lastLine).toBe('end')
})

test('a mark stands where text was cut', () => {
  expect(keptText(captureOf('abc'))).toBe('abc')
  const capture = createCapture(2, 2)
  capture.add(Buffer.from('abcdef'))
  expect(keptText(capture.text())).toBe('ab\n[… cut …]\nef')
})
