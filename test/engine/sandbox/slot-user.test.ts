import { expect, test } from 'vitest'
import { firstUserOf, slotUser } from '../../../src/engine/sandbox/slot-user.ts'

const HOST = '         0          0 4294967295\n'

test('harnesses on one machine have users of their own, as many as slots', () => {
  const [one, other] = [firstUserOf(1000, HOST), firstUserOf(1001, HOST)]
  expect(Math.abs(one - other)).toBeGreaterThanOrEqual(256)
  expect(firstUserOf(4_194_303, HOST) + 255).toBeLessThan(2 ** 32 - 1)
})

test('a container with few ids gets one that it has', () => {
  expect(firstUserOf(1000, '         0     100000      65536\n')).toBeLessThan(65_536 - 256)
  expect(firstUserOf(1000, '')).toBeLessThan(65_536 - 256)
})

test('no slot runs as root, and no two as one user', () => {
  const users = [0, 1, 2, 3].map(slotUser)
  expect(users).not.toContain(0)
  expect(new Set(users).size).toBe(4)
})
