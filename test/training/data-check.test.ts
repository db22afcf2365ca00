import { expect, test } from 'vitest'
import { type DataCheck, kindOf, readDataCheck } from '../../src/training/data-check.ts'
import { sampleCheck } from './sample-check.ts'

const hit = { file: 'a', line: 1 }
const fixture = { id: '001', share: 0, ngrams: 100, found: 0, longestRun: 0, longestAt: null, first: null }

test.each([
  ['clean', {}],
  ['clean', { fixtures: [{ ...fixture, share: 0.0299, found: 2, longestRun: 24 }] }],
  ['overlap', { fixtures: [{ ...fixture, share: 0.03, found: 3 }] }],
  ['overlap', { fixtures: [{ ...fixture, share: 0.01, found: 1, longestRun: 25 }] }],
  ['incomplete', { unsearched: { total: 1, first: [] } }],
  ['incomplete', { tokens: 0 }],
  ['incomplete', { fixtures: [{ ...fixture, share: null, ngrams: 0 }] }],
  ['overlap', { fixtures: [{ ...fixture, share: 1 }], unsearched: { total: 1, first: [] } }],
  ['canary', { canaries: { searched: 1, hits: { total: 1, first: [hit] } }, fixtures: [{ ...fixture, share: 1 }] }],
] as const)('it is %s: %j', (kind, changes) => {
  expect(kindOf({ ...sampleCheck(), ...structuredClone(changes) } as Parameters<typeof kindOf>[0])).toBe(kind)
})

test('what was written is read back', () => {
  expect(readDataCheck('file', JSON.stringify(sampleCheck()))).toEqual(sampleCheck())
})

test('an outcome that says clean over what it lists is refused', () => {
  const forged = { ...sampleCheck(), unsearched: { total: 3, first: [] } }
  expect(() => readDataCheck('file.json', JSON.stringify(forged))).toThrow(
    /file\.json .*kind: is clean, but what it lists is incomplete/,
  )
})

test.each([
  ['thresholds of its own', { thresholds: { share: 2, run: 1e9 } }, /thresholds\.share/],
  ['n-grams of its own', { n: 1000 }, /n: /],
  ['no file', { files: 0 }, /files: /],
  ['no problem', { fixtures: [] }, /fixtures: /],
  ['a problem twice', { fixtures: [fixture, fixture] }, /fixtures: has a fixture twice/],
  ['another share than its n-grams have', { fixtures: [{ ...fixture, found: 50 }] }, /fixtures\.0\.share/],
  ['more found than there is', { fixtures: [{ ...fixture, share: 2, found: 200 }] }, /fixtures\.0/],
  ['something found in no run', { fixtures: [{ ...fixture, share: 0.02, found: 2 }] }, /fixtures\.0\.longestRun/],
  ['a canary that it did not search for', { canaries: { searched: 0, hits: { total: 1, first: [hit] } } }, /canaries/],
  ['fewer hits than it lists', { canaries: { searched: 1, hits: { total: 0, first: [hit] } } }, /canaries\.hits/],
  ['fewer files unsearched than it lists', { unsearched: { total: 0, first: [{ file: 'a', reason: 'b' }] } }, /unsear/],
])('an outcome with %s is refused', (_what, changes, reason) => {
  const forged = sampleCheck(changes as Partial<DataCheck>)
  expect(() => readDataCheck('file.json', JSON.stringify(forged))).toThrow(reason)
})

test.each([
  ['{', /JSON/],
  ['{}', /kind/],
  [JSON.stringify({ ...sampleCheck(), schemaVersion: 2 }), /schema version 2, and this version of the tool reads 1/],
  [JSON.stringify({ ...sampleCheck(), dataHash: 'x' }), /dataHash: must be a SHA-256/],
])('%s is refused, saying why', (text, reason) => {
  expect(() => readDataCheck('file.json', text)).toThrow(reason)
})

test('an unknown kind is refused with the kinds there are', () => {
  const unknown = JSON.stringify({ ...sampleCheck(), kind: 'spotless' })
  expect(() => readDataCheck('file.json', unknown)).toThrow(/kind: .*"canary"\|"overlap"\|"incomplete"\|"clean"/)
})
