import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyMask } from '../../src/models/key-mask.ts'
import { writingsOf } from '../cli/secret-search.ts'

const KEY = 'k"<&é/+=%ghjkmnpq'

test.each(
  [...writingsOf(KEY)].flatMap(([writing, texts]) =>
    writing === 'in pieces' || writing === 'in base64' ? [] : texts.map((text) => [writing, text]),
  ),
)('a key %s is masked: %s', (_writing, text) => {
  expect(createKeyMask(KEY)(`of <${text}>, ${text}${text}.`)).toBe('of <***>, ******.')
})

const key = fc.string({
  unit: fc.oneof(fc.constantFrom(...'"\\/+ &<\'%=aé-_'), fc.string({ minLength: 1, maxLength: 1 })),
  minLength: 8,
  maxLength: 60,
})

test('of a key in base64 nothing is left, whatever stands beside it', () => {
  fc.assert(
    fc.property(
      fc.string(),
      key,
      fc.string(),
      fc.constantFrom('base64', 'base64url'),
      (before, key, after, encoding) => {
        const text = Buffer.from(`${before}${key}${after}`).toString(encoding as BufferEncoding)
        const [start = '', ...rest] = createKeyMask(key)(text).split('***')
        expect(rest.length).toBeGreaterThan(0)
        // Of the bytes that the characters before the mask hold whole, none is of the key.
        expect(Math.floor((start.length * 3) / 4)).toBeLessThanOrEqual(Buffer.byteLength(before))
      },
    ),
  )
})

test('a key is masked in JSON and in URLs, whatever its characters', () => {
  fc.assert(
    fc.property(key, (key) => {
      const mask = createKeyMask(key)
      expect(mask(JSON.stringify({ key }))).toBe('{"key":"***"}')
      // One backslash more may be taken for a part of a key that ends in some.
      expect(mask(JSON.stringify(JSON.stringify({ key }))).replaceAll('\\', '')).toBe('"{"key":"***"}"')
      expect(mask(String(new URLSearchParams({ key })))).toBe('key=***')
      expect(mask(`?key=${encodeURIComponent(key)}`)).toBe('?key=***')
    }),
  )
})

test('a text without the key stays as it is', () => {
  const mask = createKeyMask('sk-0123456789')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(mask(text)).toBe(text)
    }),
  )
})

test('a word given in place of a key is not masked', () => {
  expect(createKeyMask('test')('fn test() {}')).toBe('fn test() {}')
})

test('long texts of the characters of a key are masked in a moment', () => {
  for (const key of ['"'.repeat(16), '\\'.repeat(16), 'a'.repeat(40)]) {
    const text = '\\"a'.repeat(100_000)
    expect(createKeyMask(key)(text).length).toBeLessThanOrEqual(text.length)
  }
})
