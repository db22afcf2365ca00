import { expect, test } from 'vitest'
import { shortlyAfterCancel, untilCancelled } from '../../src/action/job.ts'

const never = () => new Promise<string>(() => {})

test('work that is there in time is taken, cancelled or not', async () => {
  const cancel = new AbortController()
  expect(await shortlyAfterCancel(cancel, Promise.resolve('done'), 'given up')).toBe('done')
  cancel.abort()
  expect(await shortlyAfterCancel(cancel, Promise.resolve('done'), 'given up')).toBe('done')
})

test('a cancelled job waits a few seconds for what it publishes, and no longer', async () => {
  const cancel = new AbortController()
  const waiting = shortlyAfterCancel(cancel, never(), 'given up')
  cancel.abort()
  const begunAt = performance.now()
  expect(await waiting).toBe('given up')
  expect(performance.now() - begunAt).toBeGreaterThan(2000)
})

test('work that fails is told as what it is', async () => {
  await expect(shortlyAfterCancel(new AbortController(), Promise.reject(new Error('broken')), '')).rejects.toThrow(
    'broken',
  )
})

test('other work is given up at once, and not begun in a job that was cancelled', async () => {
  const cancel = new AbortController()
  const waiting = untilCancelled(cancel, never)
  cancel.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'action/cancelled' })
  let isBegun = false
  const begin = async () => {
    isBegun = true
  }
  await expect(untilCancelled(cancel, begin)).rejects.toMatchObject({ code: 'action/cancelled' })
  expect(isBegun).toBe(false)
})
