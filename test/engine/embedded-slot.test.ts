import { expect, test } from 'vitest'
import { createEmbeddedWorker } from '../../src/engine/embedded-slot.ts'

const workerOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)

test('a worker that ends before it listens is an error, not a slot in which programs time out', async () => {
  await expect(createEmbeddedWorker(workerOf('process.exit(3)'), 2 ** 26)).rejects.toThrow('ended with 3')
})

test('a worker that does not load is an error', async () => {
  await expect(createEmbeddedWorker(workerOf('throw new TypeError("broken")'), 2 ** 26)).rejects.toThrow('broken')
})
