import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPace } from '../../src/cli/pace.ts'

function paceOf(ended: Readonly<Record<string, readonly number[]>>) {
  const pace = createPace(0)
  for (const [endpoint, times] of Object.entries(ended)) for (const atMs of times) pace.add(endpoint, atMs)
  return pace
}

test('nothing is told before five attempts are over', () => {
  const pace = createPace(0)
  for (let count = 1; count <= 4; count++) pace.add('a', count * 1000)
  expect(pace.remainingMs(new Map([['a', 10]]), 4000)).toBeNull()
  pace.add('a', 5000)
  expect(pace.remainingMs(new Map([['a', 10]]), 5000)).toBe(10_000)
})

test('the slowest endpoint decides, since none waits for another', () => {
  const every = (ms: number) => Array.from({ length: 10_000 / ms }, (_, at) => (at + 1) * ms)
  const pace = paceOf({ fast: every(100), slow: every(2000) })
  expect(
    pace.remainingMs(
      new Map([
        ['fast', 10],
        ['slow', 10],
      ]),
      10_000,
    ),
  ).toBe(20_000)
})

test('an endpoint that has nothing left is not asked', () => {
  const pace = paceOf({ a: [1000, 2000, 3000, 4000, 5000] })
  expect(
    pace.remainingMs(
      new Map([
        ['a', 1],
        ['unheard of', 0],
      ]),
      5000,
    ),
  ).toBe(1000)
})

test('a first batch that comes in at once counts from where it was asked for', () => {
  const pace = paceOf({ a: Array.from({ length: 16 }, () => 8000) })
  expect(pace.remainingMs(new Map([['a', 16]]), 8000)).toBe(8000)
})

test('only the last minute counts', () => {
  const slow = Array.from({ length: 100 }, (_, at) => at * 1000)
  const fast = Array.from({ length: 700 }, (_, at) => 100_000 + at * 100)
  expect(paceOf({ a: [...slow, ...fast] }).remainingMs(new Map([['a', 100]]), 170_000)).toBeCloseTo(10_000, -3)
})

test('of answers that are rarer than that the last five count', () => {
  const rare = Array.from({ length: 20 }, (_, at) => (at + 1) * 300_000)
  expect(paceOf({ a: rare }).remainingMs(new Map([['a', 2]]), 6_000_000)).toBe(600_000)
})

test('at a steady rate the estimate is what is left over the rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 20_000 }), fc.integer({ min: 5, max: 400 }), (everyMs, count) => {
      const times = Array.from({ length: count }, (_, at) => (at + 1) * everyMs)
      const remainingMs = paceOf({ a: times }).remainingMs(new Map([['a', 7]]), count * everyMs)
      expect(remainingMs).toBeCloseTo(7 * everyMs, 3)
    }),
  )
})
