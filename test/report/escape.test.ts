import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clip, escapeHtml, escapeLog, escapeMarkdown, showControls } from '../../src/report/escape.ts'
import { HOSTILE } from './sample-report.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })

test('HTML of any text holds no markup character and gives the text back', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const escaped = escapeHtml(text)
      expect(escaped).not.toMatch(/[<>"']/)
      const back = escaped.replace(
        /&(lt|gt|quot|amp|#39);/g,
        (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" })[name] ?? '',
      )
      expect(back).toBe(showControls(text))
    }),
  )
})

test('control characters, direction marks and halves of characters are shown', () => {
  expect(showControls('a\u0000\u001b[31m\u202eb\u2028\r\nc\td')).toBe('a\\u{0}\\u{1b}[31m\\u{202e}b\\u{2028}\nc\td')
  expect(showControls('\ud83d!')).toBe('\ufffd!')
  expect(showControls('😀 é')).toBe('😀 é')
})

test('Markdown of any text is one line without a live construct', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.constant(HOSTILE),
        fc.string({ unit: fc.constantFrom(...'@#|`*_~[]()<>&:$\\-+=1. \nwGH/a'), maxLength: 40 }),
      ),
      (text) => {
        const escaped = escapeMarkdown(text)
        expect(escaped).not.toMatch(/[\n<>|$]/)
        const bare = escaped.replace(/\\[\\`*_~[\]]/g, '')
        expect(bare).not.toMatch(/[\\`*~[\]]/)
        expect(bare).not.toMatch(/&(?!#\d+;)/)
        expect(bare).not.toMatch(/:\/\/|::|(^|[^A-Za-z0-9])@[A-Za-z0-9]|(^|[^&])#[A-Za-z0-9]|GH-\d|www\./)
        expect(escaped).not.toMatch(/^([-+=]|\d+[.)])/)
      },
    ),
  )
})

test.each([
  ['@team', '@&#8203;team'],
  ['a@b.example', 'a@&#8203;b.example'],
  ['C1@50', 'C1@50'],
  ['ask @50', 'ask @&#8203;50'],
  ['fixes #12', 'fixes #&#8203;12'],
  ['a|b', 'a&#124;b'],
  ['runtime_arith', 'runtime_arith'],
  ['_x_', '\\_x\\_'],
  ['at 10:30:00', 'at 10:30:00'],
  ['http://a.example', 'http:&#8203;//a.example'],
  ['1. one', '1&#46; one'],
  ['- one', '&#45; one'],
  ['&lt;', '&#38;lt;'],
])('Markdown of %s', (text, expected) => {
  expect(escapeMarkdown(text)).toBe(expected)
})

test('no line of a log is a workflow command', () => {
  expect(escapeLog('::error::x\n  ::set-output name=a::b\nfine: a::b')).toBe(
    ':\u200b:error::x\n  :\u200b:set-output name=a::b\nfine: a::b',
  )
  expect(escapeLog('a ##[error]x\u001b[31m')).toBe('a ##\u200b[error]x\\u{1b}[31m')
})

test('a clipped text never ends in half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
      const clipped = clip(text, limit)
      expect(clipped.length).toBeLessThanOrEqual(limit)
      expect(clipped).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})
