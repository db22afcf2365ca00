import { expect, test } from 'vitest'
import { fewerJobs, isOutOfMemory, jobsFor } from '../../../src/engine/vox/build-jobs.ts'

const GIB = 2 ** 30

test('memory bounds the jobs where cores would allow more', () => {
  expect(jobsFor({ cores: 24, availableBytes: 7.9 * GIB }, 2)).toBe(3)
})

test('cores bound the jobs where memory would allow more', () => {
  expect(jobsFor({ cores: 2, availableBytes: 64 * GIB }, 2)).toBe(2)
})

test('one job is left on the smallest machine', () => {
  expect(jobsFor({ cores: 8, availableBytes: 0.3 * GIB }, 2)).toBe(1)
})

test('jobs are halved down to one and no further', () => {
  expect([24, 5, 2, 1].map(fewerJobs)).toEqual([12, 2, 1, null])
})

test.each([
  "process didn't exit successfully: `rustc --crate-name x` (signal: 9, SIGKILL: kill)",
  "process didn't exit successfully: `rustc` (exit code: 0xc0000409, STATUS_STACK_BUFFER_OVERRUN)",
  'exit code: 0xC0000409',
  'memory allocation of 1073741824 bytes failed',
  'LLVM ERROR: out of memory',
  'collect2: fatal error: ld terminated with signal 9 [Killed]',
  'could not execute process `rustc`: Cannot allocate memory (os error 12)',
])('out of memory is seen in: %s', (output) => {
  expect(isOutOfMemory(`   Compiling x v0.1.0\n${output}\nwarning: build failed`)).toBe(true)
})

test.each([
  'error[E0308]: mismatched types',
  "process didn't exit successfully: `rustc` (signal: 11, SIGSEGV: invalid memory reference)",
  'error: linking with `cc` failed: exit status: 1',
])('other failures are not taken for a lack of memory: %s', (output) => {
  expect(isOutOfMemory(output)).toBe(false)
})
