import { expect, test } from 'vitest'
import { pairRows, type RowPair } from '../../src/compare/pair-rows.ts'
import { sampleSubject } from '../score/sample-run.ts'
import { BASE, HEAD, PASS, reportOf } from './sample-pair.ts'

const NONE = { baseSubject: null, headSubject: null, condition: null }
const OTHER = sampleSubject('other')
const THIRD = sampleSubject('mens/vox@2000', { model: 'mens/vox', checkpoint: '2000' })

function sweep(subjects: Parameters<typeof reportOf>[0]['subjects'], conditions = ['C1']) {
  return reportOf({ fixtures: 2, conditions, subjects: subjects ?? [], outcome: () => PASS })
}

const names = ({ base, head }: RowPair) => [base.cell.id, head.cell.id]

test('the only subject of each report', async () => {
  expect(names(pairRows(await sweep([OTHER]), await sweep([BASE]), NONE))).toEqual(['other C1', 'mens/vox@1200 C1'])
})

test('the same subject in both before another checkpoint', async () => {
  expect(names(pairRows(await sweep([BASE]), await sweep([BASE, HEAD]), NONE))).toEqual([
    'mens/vox@1200 C1',
    'mens/vox@1200 C1',
  ])
})

test('two checkpoints of one model, where nothing else fits', async () => {
  expect(names(pairRows(await sweep([BASE]), await sweep([OTHER, HEAD]), NONE))).toEqual([
    'mens/vox@1200 C1',
    'mens/vox@1600 C1',
  ])
})

test('subjects as named, whatever else would fit', async () => {
  const choice = { ...NONE, baseSubject: OTHER.id, headSubject: HEAD.id }
  expect(names(pairRows(await sweep([BASE, OTHER]), await sweep([BASE, HEAD]), choice))).toEqual([
    'other C1',
    'mens/vox@1600 C1',
  ])
})

test('several that fit are an error that lists them', async () => {
  const [base, head] = [await sweep([BASE]), await sweep([HEAD, THIRD])]
  expect(() => pairRows(base, head, NONE)).toThrow(
    expect.objectContaining({
      code: 'compare/ambiguous',
      message: expect.stringContaining('mens/vox@1200 with mens/vox@1600; mens/vox@1200 with mens/vox@2000'),
    }),
  )
})

test('a subject that is not there is an error that lists those that are', async () => {
  const [base, head] = [await sweep([BASE]), await sweep([HEAD])]
  expect(() => pairRows(base, head, { ...NONE, headSubject: 'nobody' })).toThrow(
    expect.objectContaining({ code: 'compare/no-subject', hint: expect.stringContaining('mens/vox@1600') }),
  )
})

test('the only condition that both have, or the one that is named', async () => {
  const [base, head] = [await sweep([BASE], ['C0', 'C1']), await sweep([HEAD], ['C1', 'C3'])]
  expect(names(pairRows(base, head, NONE))).toEqual(['mens/vox@1200 C1', 'mens/vox@1600 C1'])
  const [wide, wider] = [await sweep([BASE], ['C0', 'C1']), await sweep([HEAD], ['C0', 'C1'])]
  expect(() => pairRows(wide, wider, NONE)).toThrow(expect.objectContaining({ code: 'compare/ambiguous' }))
  expect(names(pairRows(wide, wider, { ...NONE, condition: 'C0' }))).toEqual(['mens/vox@1200 C0', 'mens/vox@1600 C0'])
})

test('two rows whose only conditions differ are paired, for the mismatch to name them', async () => {
  const [base, head] = [await sweep([BASE], ['C0']), await sweep([HEAD], ['C1'])]
  expect(names(pairRows(base, head, NONE))).toEqual(['mens/vox@1200 C0', 'mens/vox@1600 C1'])
})

test.each([
  ['one that a row lacks', ['C0'], ['C1'], 'C1', 'BASE has C0, HEAD has C1'],
  ['several, none in common', ['C0', 'C1'], ['C2', 'C3'], null, 'BASE has C0, C1, HEAD has C2, C3'],
])('%s is an error that names the conditions of both', async (_, ofBase, ofHead, condition, words) => {
  const [base, head] = [await sweep([BASE], ofBase), await sweep([HEAD], ofHead)]
  expect(() => pairRows(base, head, { ...NONE, condition })).toThrow(
    expect.objectContaining({ code: 'compare/no-condition', message: expect.stringContaining(words) }),
  )
})
