import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToWidth, fitName, widthOf } from '../../src/cli/text-width.ts'

test.each([
  ['vendor/model', 12],
  ['日本語', 6],
  ['ﾓﾃﾞﾙ', 4],
  ['한국어', 6],
  ['Ｆｕｌｌ', 8],
  ['🙂', 2],
  ['e\u0301', 1],
  ['a\u200bb', 2],
  ['é…–', 3],
])('%s takes %i columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns)
})

test('a long name keeps both its ends', () => {
  expect(fitName('vendor/model-of-many-words@1200 C1', 20)).toBe('vendor/mod…s@1200 C1')
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })

test('a name that is fitted takes exactly its columns', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 3, max: 60 }), (name, columns) => {
      expect(widthOf(fitName(name, columns))).toBe(columns)
    }),
  )
})

test('a cut is a beginning that fits, and the next character would not', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 60 }), (text, columns) => {
      const cut = cutToWidth(text, columns)
      expect(text.startsWith(cut)).toBe(true)
      expect(widthOf(cut)).toBeLessThanOrEqual(columns)
      const [next] = text.slice(cut.length)
      if (next !== undefined) expect(widthOf(cut + [...text.slice(cut.length)][0])).toBeGreaterThan(columns)
    }),
  )
})
