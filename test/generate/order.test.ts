import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderAttempts } from '../../src/generate/order.ts'

const cells = ['a', 'b', 'c'].map((id) => ({ id, subject: id, condition: 'C1' }))

test('every attempt is made exactly once, whole samples first, cells in turn', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      (fixtures, samples, seed) => {
        const attempts = [...orderAttempts(cells, fixtures, samples, seed)]
        expect(attempts.length).toBe(cells.length * fixtures.length * samples)
        expect(new Set(attempts.map((attempt) => attempt.id)).size).toBe(attempts.length)
        attempts.forEach((attempt, index) => {
          expect(attempt.sample).toBe(Math.floor(index / (cells.length * fixtures.length)))
          expect(attempt.cell.id).toBe(cells[index % cells.length]?.id)
        })
      },
    ),
  )
})

test('the order of the manifest does not matter', () => {
  const ids = (fixtures: string[]) => [...orderAttempts(cells, fixtures, 2, 7)].map((attempt) => attempt.id)
  expect(ids(['001', '002', '003'])).toEqual(ids(['003', '001', '002']))
})

test('samples of one problem have seeds of their own', () => {
  const seeds = [...orderAttempts(cells.slice(0, 1), ['001'], 50, 1)].map((attempt) => attempt.seed)
  expect(new Set(seeds).size).toBe(50)
})
