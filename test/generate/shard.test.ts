import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderAttempts } from '../../src/generate/order.ts'
import {
  attemptsOfShard,
  capOf,
  countAttempts,
  listShards,
  MAX_SHARDS,
  parseShard,
  shardOf,
  shardText,
} from '../../src/generate/shard.ts'
import { samplePlan } from '../score/sample-run.ts'

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })
const count = fc.integer({ min: 1, max: MAX_SHARDS })
const cellsOf = (ids: readonly string[]) => ids.map((id) => ({ id, subject: id, condition: 'C1' }))

test('every attempt is made by exactly one shard, in the order it has among all', () => {
  fc.assert(
    fc.property(
      names,
      names,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 9 }),
      (ids, fixtures, n, of) => {
        const all = () => orderAttempts(cellsOf(ids), fixtures, n, 7)
        const place = new Map([...all()].map(({ id }, index) => [id, index]))
        const made = Array.from({ length: of }, (_, index) => [
          ...attemptsOfShard(all(), { index: index + 1, count: of }),
        ])
        expect(
          made
            .flat()
            .map(({ id }) => id)
            .sort(),
        ).toEqual([...place.keys()].sort())
        for (const attempts of made) {
          const places = attempts.map(({ id }) => place.get(id) ?? -1)
          expect(places).toEqual(places.toSorted((a, b) => a - b))
        }
      },
    ),
  )
})

test('neither the order of cells and problems nor what else is planned moves an attempt to another shard', () => {
  fc.assert(
    fc.property(names, names, count, (ids, fixtures, of) => {
      const shard = { index: 1, count: of }
      const made = (cells: readonly string[], problems: readonly string[]) =>
        [...attemptsOfShard(orderAttempts(cellsOf(cells), problems, 1, 7), shard)].map(({ id }) => id).sort()
      const whole = made(ids, fixtures)
      expect(made(ids.toReversed(), fixtures.toReversed())).toEqual(whole)
      const [first = ''] = ids
      expect(whole).toEqual(expect.arrayContaining(made([first], fixtures)))
    }),
  )
})

test('all samples of a problem in a row stay together', () => {
  const attempts = [...orderAttempts(cellsOf(['a', 'b']), ['001', '002', '003'], 5, 7)]
  const made = [...attemptsOfShard(attempts, { index: 2, count: 3 })]
  const pairs = new Set(made.map(({ cell, fixture }) => `${cell.id} ${fixture}`))
  expect(made).toHaveLength(5 * pairs.size)
})

test('shards are of about one size', () => {
  const sizes = Array.from({ length: 8 }, () => 0)
  for (let fixture = 0; fixture < 4000; fixture++) {
    const index = shardOf('a/b C1', String(fixture), 8) - 1
    sizes[index] = (sizes[index] ?? 0) + 1
  }
  // Five standard deviations of a fair split.
  for (const size of sizes) expect(Math.abs(size - 500)).toBeLessThan(5 * Math.sqrt(4000 / 8))
})

test('the assignment stays as it was, since shards of different versions could not be told apart otherwise', () => {
  expect(['001', '002', '003', '004'].map((fixture) => shardOf('a/b C1', fixture, 5))).toEqual([4, 3, 2, 5])
})

test('what is counted by row is what is made', () => {
  const plan = samplePlan({ fixtures: 7, samples: 2 })
  const shard = { index: 2, count: 3 }
  const fixtures = plan.fixtures.map(({ id }) => id)
  const made = [...attemptsOfShard(orderAttempts(plan.cells, fixtures, 2, plan.seed), shard)]
  const counted = plan.cells.map(({ id }) => [id, made.filter(({ cell }) => cell.id === id).length] as const)
  expect([...countAttempts(plan, shard)]).toEqual(counted)
})

test('the caps of all shards never come to more than the cap, in whatever order they are summed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constant(0), fc.double({ min: 1e-12, max: 1e9, noNaN: true })), count, (capUsd, of) => {
      const caps = listShards(of).include.map(({ shard }) => capOf(capUsd, parseShard(shard)) ?? Number.NaN)
      const sum = caps.reduce((total, usd) => total + usd, 0)
      expect(sum).toBeLessThanOrEqual(capUsd)
      expect(sum).toBeGreaterThanOrEqual(capUsd * (1 - 1e-12))
      for (const usd of caps) expect(usd).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('no cap stays none, and that of a run that is not shared stays whole', () => {
  expect(capOf(null, { index: 1, count: 2 })).toBeNull()
  expect(capOf(0.3, null)).toBe(0.3)
  expect(capOf(0.3, { index: 1, count: 1 })).toBe(0.3)
})

test('a shard is read as it is written, and nothing else is one', () => {
  for (const { shard } of listShards(MAX_SHARDS).include) expect(shardText(parseShard(shard)!)).toBe(shard)
  for (const text of ['', '2', '0/3', '4/3', '1/0', '1/257', '-1/3', '1/3 ', '1.5/3', '1/3/5', '1e0/3'])
    expect(parseShard(text), text).toBeNull()
})

test('the matrix has one entry a shard', () => {
  expect(listShards(3)).toEqual({ include: [{ shard: '1/3' }, { shard: '2/3' }, { shard: '3/3' }] })
})
