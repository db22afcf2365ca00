import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/engine/engine.ts'
import { resourceLimits } from '../../../src/engine/sandbox/resource-limits.ts'

const limits = { wallMs: 1500, outputBytes: 1, memoryBytes: 1024 ** 3 }

test('processor time lasts for the whole wall time on all cores', () => {
  expect(resourceLimits(['vox'], limits).cpu).toBe(3 * availableParallelism())
})

test('addresses are limited for all commands but Node', () => {
  expect(resourceLimits(['vox'], limits).as).toBe(5 * 1024 ** 3)
  expect(resourceLimits([process.execPath, 'engine.js'], limits).as).toBeNull()
})

test('Node may reserve room for code on top of what a program gets', () => {
  expect(resourceLimits(['vox'], limits).data).toBe(1024 ** 3)
  expect(resourceLimits([process.execPath, 'engine.js'], limits).data).toBe(2 * 1024 ** 3)
})

test.skipIf(process.platform !== 'linux')('Node starts under the limits of a default call', () => {
  const { data } = resourceLimits([process.execPath], DEFAULT_LIMITS)
  const { status, stderr } = spawnSync('prlimit', [`--data=${data}`, process.execPath, '-e', '0'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
