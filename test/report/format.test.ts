import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dollars, duration, fileSize, percent } from '../../src/report/format.ts'

test.each([
  [0, '0 %'],
  [0.0004, 'under 0.1 %'],
  [0.0005, '0.1 %'],
  [0.025, '2.5 %'],
  [0.675, '67.5 %'],
  [0.9994, '99.9 %'],
  [0.9996, 'over 99.9 %'],
  [1, '100 %'],
  [null, 'unknown'],
])('a share of %s is %s', (share, words) => {
  expect(percent(share)).toBe(words)
})

test('only nothing is shown as 0 % and only all of it as 100 %', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 0, max: 100_000 }), (of, drawn) => {
      const passed = Math.min(of, drawn)
      expect(percent(passed / of) === '0 %').toBe(passed === 0)
      expect(percent(passed / of) === '100 %').toBe(passed === of)
    }),
  )
})

test.each([
  [0, '$0'],
  [1e-7, '$0.0000001'],
  [0.0001234, '$0.00012'],
  [0.5, '$0.50'],
  [0.999, '$1.00'],
  [1234.5, '$1234.50'],
  [null, 'unknown'],
])('%s dollars are written %s', (usd, words) => {
  expect(dollars(usd)).toBe(words)
})

test.each([
  [999.6, '1.0 s'],
  [2140, '2.1 s'],
  [119_960, '2 min 0 s'],
  [179_700, '3 min 0 s'],
  [185_000, '3 min 5 s'],
  [null, 'unknown'],
])('%s ms are written %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [2.5 * 1024 ** 3, '2.5 GiB'],
  [1024 ** 5, '1024.0 TiB'],
])('%s bytes are written %s', (bytes, words) => {
  expect(fileSize(bytes)).toBe(words)
})
