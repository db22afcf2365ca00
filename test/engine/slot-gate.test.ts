import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlotGate } from '../../src/engine/slot-gate.ts'

test('never more tasks than slots, and none beside one that runs alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (slots, kinds) => {
        const gate = createSlotGate(slots)
        let running = 0
        let alone = 0
        let most = 0
        await Promise.all(
          kinds.map((isAlone) => {
            const task = async () => {
              running++
              if (isAlone) alone++
              most = Math.max(most, running)
              expect(alone === 0 || running === 1).toBe(true)
              await sleep(0)
              expect(alone === 0 || running === 1).toBe(true)
              running--
              if (isAlone) alone--
            }
            return isAlone ? gate.alone(task) : gate.shared(task)
          }),
        )
        expect(most).toBeLessThanOrEqual(slots)
        expect(running).toBe(0)
      },
    ),
    { numRuns: 30 },
  )
})

test('a task that throws gives its slot back', async () => {
  const gate = createSlotGate(1)
  await expect(gate.shared(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(gate.alone(() => Promise.resolve('yes'))).resolves.toBe('yes')
})

test('a closed gate refuses what waits and whatever comes, and is closed once nothing runs', async () => {
  const gate = createSlotGate(1)
  let end = () => {}
  const running = gate.shared(() => new Promise<string>((resolve) => (end = () => resolve('done'))))
  const waiting = [gate.shared(async () => 'late'), gate.alone(async () => 'late')]
  let isClosed = false
  const closing = gate.close().then(() => (isClosed = true))
  for (const task of [...waiting, gate.shared(async () => 'later')]) {
    await expect(task).rejects.toMatchObject({ code: 'engine/closed' })
  }
  expect(isClosed).toBe(false)
  end()
  expect(await running).toBe('done')
  await closing
  await gate.close()
})
