import { expect, test } from 'vitest'
import { isIsoDate, resolveCutoff, splitByCutoff } from '../../src/corpus/cutoff.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { upstreamCorpus, withCorpus } from './upstream-shape.ts'

// 075 was added on 2026-05-26, 076 on 2026-05-27, 141 on 2026-09-01.
const { fixtures } = await withCorpus(upstreamCorpus([75, 76, 141]), loadCorpus)

test('only fixtures added strictly after the cutoff are clean', () => {
  const split = splitByCutoff(fixtures, resolveCutoff({ catalogue: '2026-05-27', user: null }))

  expect(split).toMatchObject({ kind: 'known', after: [{ id: '141' }], upTo: [{ id: '075' }, { id: '076' }] })
})

test('an unknown cutoff makes nothing clean', () => {
  expect(splitByCutoff(fixtures, resolveCutoff({ catalogue: null, user: null }))).toEqual({ kind: 'unknown' })
})

test.for([
  ['2026-01-01', '2026-02-01', '2026-02-01'],
  ['2026-02-01', '2026-01-01', '2026-02-01'],
  [null, '2026-01-01', '2026-01-01'],
  ['2026-01-01', null, '2026-01-01'],
] as const)('of %s (catalogue) and %s (user) the later counts', ([catalogue, user, date]) => {
  expect(resolveCutoff({ catalogue, user })).toEqual({ kind: 'known', date, catalogue, user })
})

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
