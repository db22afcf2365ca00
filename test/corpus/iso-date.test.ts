import { expect, test } from 'vitest'
import { isIsoDate } from '../../src/corpus/iso-date.ts'

test.for([
  ['2026-02-28', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['2026-05-26T00:00:00Z', false],
  ['yesterday', false],
] as const)('%s is an ISO date: %s', ([text, expected]) => {
  expect(isIsoDate(text)).toBe(expected)
})
