import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixtureOf, tokensOf } from './sample-search.ts'

const words = (text: string) => tokensOf(text).map((token) => token.split(' ')[1])

test('words are lower-case, every other character that is not blank is a token', () => {
  expect(words('Let mut_2 x=[1,2]; // Ünï Я')).toEqual([
    'let',
    'mut_2',
    'x',
    '=',
    '[',
    '1',
    ',',
    '2',
    ']',
    ';',
    '/',
    '/',
    'ünï',
    'я',
  ])
})

test('how a text is broken into lines changes only the lines of its tokens', () => {
  expect(words('one two three')).toEqual(words('one\n  two\r\n\tthree\u00a0'))
  expect(tokensOf('one\ntwo\n\nthree')).toEqual(['1 one', '2 two', '4 three'])
})

test('characters that nobody sees part words as blanks do', () => {
  expect(words('one\u200btwo\u2060\u00adthree\ufefffour')).toEqual(['one', 'two', 'three', 'four'])
})

test('escapes are what they mean', () => {
  expect(words(String.raw`a\nb\tc\r\"d\"`)).toEqual(words('a\nb\tc\r"d"'))
  expect(words(String.raw`caf\u00e9 \ud83d\ude00 \u00zz`)).toEqual(['café', '😀', 'u00zz'])
})

test.each(['001', '029', '037'])('quoted as often as you like, problem %s has the same tokens', (id) => {
  const { prompt, reference, tests } = fixtureOf(id)
  for (const text of [prompt, reference, tests]) {
    const inner = (value: string) => JSON.stringify(value).slice(1, -1)
    expect(words(inner(text))).toEqual(words(text))
    expect(words(inner(inner(text)))).toEqual(words(text))
  }
})

test('what a text breaks off in is read', () => {
  expect(words(String.raw`a \u00`)).toEqual(['a', 'u00'])
  expect(words('a \ud83d')).toEqual(['a', '\ud83d'])
})

test('a character outside the first plane is one token, half of one too', () => {
  expect(words('a😀b')).toEqual(['a', '😀', 'b'])
  expect(words('a\ud83db')).toEqual(['a', '\ud83d', 'b'])
})

test('a word without end is no token of anyone, and what follows it is read', () => {
  expect(words(`${'x'.repeat(1024)} y`)).toEqual(['x'.repeat(1024), 'y'])
  expect(words(`${'x'.repeat(1025)} y`)).toEqual(['', 'y'])
})

const anyText = fc.string({
  unit: fc.constantFrom(...'aB_9 \n\\"untr0dfé😀\ud83d\ude00İΣ|', '\\u00e9', '\\ud83d'),
  maxLength: 60,
})

test('law: any way to cut a text into parts gives the same tokens', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(200), { maxLength: 12 }), (text, places) => {
      const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
      const parts = [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end))
      expect(tokensOf(...parts)).toEqual(tokensOf(text))
    }),
    { numRuns: 500 },
  )
})

test('law: the tokens are those of the plain definition', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'aB_9 \t\n.,é😀Я٣("'), maxLength: 60 })
  fc.assert(
    fc.property(plain, (text) => {
      const expected = text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
      expect(words(text)).toEqual(expected.map((word) => word.toLowerCase()))
    }),
  )
})
