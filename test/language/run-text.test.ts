import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { debugFloat, displayFloat } from '../../src/language/interpreter/float-text.ts'
import * as text from '../../src/language/interpreter/text.ts'
import { outputOf } from './run-program.ts'

/** Long enough at times for the remembered shapes, with and without characters outside the basic plane. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', 'é', '日', '🙂'), maxLength: 60 }),
)

describe('strings are read by code point', () => {
  test('counting, picking and cutting agree with the list of characters', () => {
    fc.assert(
      fc.property(anyText, fc.nat(70), fc.nat(70), (value, i, j) => {
        const characters = [...value]
        expect(text.characterCount(value)).toBe(characters.length)
        expect(text.splitCharacters(value)).toEqual(characters)
        expect(text.characterAt(value, i)).toBe(characters[i])
        const [start = 0, end = 0] = [i, j].map((at) => Math.min(at, characters.length)).sort((a, b) => a - b)
        expect(text.sliceCharacters(value, start, end)).toBe(characters.slice(start, end).join(''))
      }),
    )
  })

  test('length is that of UTF-8', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(text.utf8Length(value)).toBe(Buffer.byteLength(value))
      }),
    )
  })

  test('order is that of UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(text.compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })

  test('an index in characters belongs to the offset it was found at', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        expect(text.characterIndex(before + after, before.length)).toBe([...before].length)
      }),
    )
  })

  test('trimming removes Unicode white space, not the byte order mark', () => {
    expect(text.trim('\u0085\u00a0\u3000 x\uFEFF\u2029')).toBe('x\uFEFF')
    expect([text.trimStart('\t x '), text.trimEnd(' x \n')]).toEqual(['x ', ' x'])
  })
})

describe('numbers in texts', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

  test('every int reads back, and nothing past its range does', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(text.parseInt64(` ${value}\n`)).toBe(value)
      }),
    )
    expect([text.parseInt64('9223372036854775808'), text.parseInt64('-9223372036854775809')]).toEqual([null, null])
    expect(text.parseInt64(`${'0'.repeat(50)}7`)).toBe(7n)
  })

  test.each(['', '+', '-', '1.0', '0x1', '1_0', '1 2', '--1', '١'])('%j is no int', (value) => {
    expect(text.parseInt64(value)).toBeNull()
  })

  test.each(['', '.', 'e5', '1e', '0x1', '1_0', '+-1', 'infin', 'Infinityy', '1,5'])('%j is no float', (value) => {
    expect(text.parseFloat64(value)).toBeNull()
  })

  test.each([
    ['1.', 1],
    ['.5', 0.5],
    ['1.e3', 1000],
    ['-1E-2', -0.01],
    ['+inf', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['nAn', Number.NaN],
  ])('%s is the float %d', (value, expected) => {
    expect(text.parseFloat64(value)).toBe(expected)
  })

  test('a float’s text reads back as the float, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(displayFloat(value)).toMatch(/^-?\d+(\.\d*[1-9])?$/)
        expect(Number(displayFloat(value))).toBe(value)
        expect(debugFloat(value)).toMatch(/\.|e/)
        expect(Number(debugFloat(value))).toBe(value)
      }),
    )
  })

  test.each([
    [1e16, '1e16'],
    [1e15, '1000000000000000.0'],
    [1e-5, '0.00001'],
    [1.5e-6, '1.5e-6'],
    [-0, '-0.0'],
    [123456789012345680000, '1.2345678901234568e20'],
  ])('the debug form of %d is %s', (value, expected) => {
    expect(debugFloat(value)).toBe(expected)
  })
})

describe('methods on texts', () => {
  /** A literal that stands for exactly this text. */
  const literal = (value: string): string => `'${value.replace(/[\\']/g, (found) => `\\${found}`)}'`
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '🙂', '{', '"'), maxLength: 12 })

  test('split, join, replace, count and slice hang together', () => {
    fc.assert(
      fc.property(
        plain,
        plain,
        fc.integer({ min: -3, max: 14 }),
        fc.integer({ min: -3, max: 14 }),
        (value, part, from, to) => {
          const source = `fn main() { let s = ${literal(value)}
 let p = ${literal(part)}
 assert(s.split(p).join(p) == s)
 assert(s.replace(p, p) == s)
 assert(p == "" or s.split(p).len() == s.count(p) + 1)
 assert(s.contains(p) == s.index_of(p).is_some())
 assert(s.slice(0, ${from}) + s.slice(${from}, 99) == s)
 assert(s.chars().slice_list(${from}, ${Math.max(to, 0)}).join("") == s.slice(${from}, ${Math.max(to, 0)}))
 assert(s.chars().len() == s.chars_count())
 match s.index_of(p) { Some(i) => assert(s.slice(i, i + p.chars_count()) == p) None => {} }
 match s.char_at(${from}) { Some(c) => assert(s[${from}] == Some(c) and c.ord() == chr(c.ord()).ord()) None => assert(s[${from}] == None) }
 return "ok" }`
          expect(outputOf(source)).toBe('ok\n')
        },
      ),
      { numRuns: 200 },
    )
  })
})
