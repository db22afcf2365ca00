import { appendFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLedger } from '../../src/generate/ledger.ts'
import { bookFile, bookOf } from './book-file.ts'

test('a cap of $0.10 admits seven requests of $0.0133 at once', () => {
  const ledger = createLedger(0.1)
  const admitted = Array.from({ length: 16 }, (_, index) => ledger.reserve(`${index}`, 0.0133))
  expect(admitted.filter(Boolean).length).toBe(7)
})

test('spent and reserved never pass the cap while bills keep to their reservations', () => {
  const step = fc.record({
    usd: fc.double({ min: 0, max: 3, noNaN: true }),
    billedShare: fc.double({ min: 0, max: 1, noNaN: true }),
    settles: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.double({ min: 0, max: 10, noNaN: true }), fc.array(step, { maxLength: 60 }), (capUsd, steps) => {
      const ledger = createLedger(capUsd)
      const open: { id: string; usd: number; share: number }[] = []
      steps.forEach(({ usd, billedShare, settles }, index) => {
        if (ledger.reserve(`${index}`, usd)) open.push({ id: `${index}`, usd, share: billedShare })
        const done = settles ? open.shift() : undefined
        if (done !== undefined) ledger.settle(done.id, done.usd * done.share)
        expect(ledger.spentUsd + ledger.reservedUsd).toBeLessThanOrEqual(capUsd + 1e-9)
      })
    }),
  )
})

test('a bill above its reservation is recorded and ends admission', () => {
  const ledger = createLedger(10)
  ledger.reserve('a', 1)
  ledger.settle('a', 1.5)
  expect(ledger.overruns).toEqual([{ attempt: 'a', reservedUsd: 1, billedUsd: 1.5 }])
  expect(ledger.reserve('b', 0.01)).toBe(false)
})

test('without a cap everything is admitted and summed', () => {
  const ledger = createLedger(null)
  expect(ledger.reserve('a', 1000)).toBe(true)
  ledger.settle('a', 999)
  expect(ledger.spentUsd).toBe(999)
})

test('a refusal says that it was the cap of the run', () => {
  const ledger = createLedger(1)
  expect(ledger.fullCap).toBeNull()
  ledger.reserve('a', 0.7)
  expect(ledger.fullCap).toBeNull()
  ledger.reserve('b', 0.7)
  expect(ledger.fullCap).toBe('run')
})

describe('with a spend book', () => {
  test('the cap of the month refuses what the cap of the run would admit, and says so', () => {
    const { file } = bookFile()
    const ledger = createLedger(10, bookOf({ file, capUsd: 1 }))
    expect(ledger.reserve('a', 0.7)).toBe(true)
    expect(ledger.reserve('b', 0.7)).toBe(false)
    expect(ledger.fullCap).toBe('month')
    ledger.settle('a', 0.2)
    expect(ledger.reserve('b', 0.7)).toBe(true)
  })

  test('what the cap of the run refuses is not in the book', () => {
    const { file, lines } = bookFile()
    const ledger = createLedger(0.5, bookOf({ file, capUsd: 10 }))
    expect(ledger.reserve('a', 0.7)).toBe(false)
    expect(lines()).toEqual([])
  })

  test('what costs nothing is not in the book; what is billed unforeseen is, and ends admission', () => {
    const { file, lines } = bookFile()
    const ledger = createLedger(null, bookOf({ file, capUsd: 10 }))
    ledger.reserve('free', 0)
    ledger.settle('free', 0)
    expect(lines()).toEqual([])
    ledger.reserve('dear', 0)
    ledger.settle('dear', 0.5)
    expect(lines()).toMatchObject([{ kind: 'settled', attempt: 'dear', usd: 0.5 }])
    expect(ledger.overruns.map(({ attempt }) => attempt)).toEqual(['dear'])
    expect(ledger.reserve('next', 0)).toBe(false)
  })

  test('a settlement that cannot be written ends the run only at the next reservation, and the reservation stays', () => {
    const { file, lines } = bookFile()
    const ledger = createLedger(null, bookOf({ file, capUsd: 10 }))
    ledger.reserve('a', 1)
    appendFileSync(file, 'damage\n')
    ledger.settle('a', 0.1)
    expect(ledger.spentUsd).toBe(0.1)
    expect(() => ledger.reserve('b', 1)).toThrow(/:2 is no entry/)
    expect(lines()[0]).toMatchObject({ kind: 'reserved', attempt: 'a', usd: 1 })
  })
})

test('what a resumed run had spent before counts against its cap', () => {
  const ledger = createLedger(10, null, { spentUsd: 7, overruns: [] })
  expect(ledger.reserve('a', 3.5)).toBe(false)
  expect(ledger.fullCap).toBe('run')
  expect(ledger.reserve('a', 3)).toBe(true)
  ledger.settle('a', 1)
  expect(ledger.spentUsd).toBe(8)
})

test('a bill above its reservation ends admission for good, even when the run is resumed', () => {
  const overrun = { attempt: 'a', reservedUsd: 1, billedUsd: 1.5 }
  const ledger = createLedger(10, null, { spentUsd: 1.5, overruns: [overrun] })
  expect(ledger.reserve('b', 0.01)).toBe(false)
  expect(ledger.overruns).toEqual([overrun])
})
