import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCanarySearch } from '../../src/training/canary-search.ts'
import { CANARY, cutAt } from './sample-search.ts'

function linesOf(parts: readonly Uint8Array[], canaries: readonly string[] = [CANARY]): number[] {
  const lines: number[] = []
  const search = createCanarySearch(canaries, (line) => lines.push(line))
  for (const part of parts) search.push(part)
  return lines
}

test.each([
  ['as it is', CANARY],
  ['in capitals', CANARY.toUpperCase()],
  ['without its dashes', CANARY.replaceAll('-', '')],
  ['without its dashes and in capitals', CANARY.replaceAll('-', '').toUpperCase()],
])('a canary %s is found, with its line', (_how, text) => {
  expect(linesOf([Buffer.from(`one\ntwo\n# canary: ${text}\nfour`)])).toEqual([3])
})

test('another identifier, or a part of one, is none', () => {
  expect(linesOf([Buffer.from(`${CANARY.slice(0, -1)}f ${CANARY.slice(1)}`)])).toEqual([])
})

test('a canary that lies in three parts is found once', () => {
  const bytes = Buffer.from(`line\n${CANARY}\n`)
  expect(linesOf(cutAt(bytes, [10, 20]))).toEqual([2])
})

test('without a canary nothing is found', () => {
  expect(linesOf([Buffer.from('anything')], [])).toEqual([])
})

test('law: any way to cut the bytes finds the same', () => {
  const piece = fc.constantFrom(CANARY, CANARY.replaceAll('-', ''), '\n', 'x', '5c1d2f0e', 'ÿ', CANARY.toUpperCase())
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(500), { maxLength: 10 }), (pieces, places) => {
      const bytes = Buffer.from(pieces.join(''))
      const planted = pieces.filter((each) => each.length >= 32).length
      expect(linesOf([bytes])).toHaveLength(planted)
      expect(linesOf(cutAt(bytes, places)).sort()).toEqual(linesOf([bytes]).sort())
    }),
  )
})
