import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { resourceLimits } from '../../../src/engine/sandbox/resource-limits.ts'

const limits = { wallMs: 1500, outputBytes: 1, memoryBytes: 1024 ** 3 }

test('processor time lasts for the whole wall time on all cores', () => {
  expect(resourceLimits(['vox'], limits).cpu).toBe(3 * availableParallelism())
})

test('addresses are limited for all commands but Node', () => {
  expect(resourceLimits(['vox'], limits).as).toBe(5 * 1024 ** 3)
  expect(resourceLimits([process.execPath, 'engine.js'], limits).as).toBeNull()
})
