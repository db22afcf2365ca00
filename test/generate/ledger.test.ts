import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLedger } from '../../src/generate/ledger.ts'

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
