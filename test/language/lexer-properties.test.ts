import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lex, lexWithTrivia, normalise } from '../../src/language/lexer.ts'
import { loadConformance } from './parser-fixture.ts'
import { arbitrarySoup } from './source-arbitrary.ts'

function expectRoundTrip(text: string): void {
  const tokens = lexWithTrivia(text)
  expect(tokens.map((token) => token.text).join('')).toBe(normalise(text))
  let at = 0
  const misplaced = tokens.find(({ span, text: piece }) => {
    const isPlaced = span.start === at && span.end === at + piece.length && piece !== ''
    at = span.end
    return !isPlaced
  })
  expect(misplaced).toBeUndefined()
}

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme' }), arbitrarySoup)

it('joins back to the normalised text, whatever the text', () => {
  fc.assert(fc.property(anyText, expectRoundTrip), { numRuns: 1500 })
})

it('joins back for half surrogates and any bytes read as UTF-8', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectRoundTrip(new TextDecoder().decode(bytes))))
  expectRoundTrip('\ud800"\udc00\ud83d')
})

it('joins back for every conformance program', () => {
  for (const { source } of loadConformance('programs')) expectRoundTrip(source)
})

it('finds the same tokens with and without trivia', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kept = lexWithTrivia(text).filter(({ kind }) => kind !== 'blank' && kind !== 'comment')
      expect(lex(text)).toEqual(kept)
    }),
  )
})

it('lexes a quoted text without trouble characters to exactly that text', () => {
  const plain = fc.string().filter((text) => !/["\\{]/.test(text))
  fc.assert(
    fc.property(plain, (text) => {
      expect(lex(`"${text}"`)).toMatchObject([{ kind: 'string', value: text }])
    }),
  )
})

// Well under a second each; anything quadratic would take many minutes.
it.each([
  ['a quote that escapes the next', '"\\'],
  ['a quote before an escaped line end', '"\\\n'],
  ['a single quote that escapes the next', "'\\"],
  ['a raw opening', 'r###"'],
  ['a raw literal of the wrong hashes', 'r##"a"# '],
  ['a raw literal cut by a quote', 'r##""#"'],
  ['a brace in a string', '"{'],
  ['an at sign', '@'],
  ['a digit', '9'],
])('takes linear time for many times %s', (_, piece) => {
  const text = piece.repeat(300_000)
  expect(lex(text).length).toBeGreaterThan(0)
})

it('takes linear time when a quote stays open and every further one is escaped', () => {
  expect(lex(`"${'\\"'.repeat(300_000)}x`).at(-1)).toMatchObject({ kind: 'ident', text: 'x' })
})
