import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withFileLock } from '../../src/generate/file-lock.ts'

vi.setConfig({ testTimeout: 120_000 })

function lockIn(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'lock')
}

/** The number of a process that has ended. */
function endedPid(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

test('a lock names its process while it is held and is gone after, even when what was done in it failed', () => {
  const lock = lockIn()
  expect(withFileLock(lock, () => readFileSync(lock, 'utf8'))).toBe(`${process.pid} ${hostname()}`)
  expect(existsSync(lock)).toBe(false)
  const failing = () =>
    withFileLock(lock, () => {
      throw new Error('inside')
    })
  expect(failing).toThrow('inside')
  expect(existsSync(lock)).toBe(false)
})

test('the lock of a process that is gone is broken', () => {
  const lock = lockIn()
  writeFileSync(lock, `${endedPid()} ${hostname()}`)
  expect(withFileLock(lock, () => 'done')).toBe('done')
  expect(existsSync(`${lock}.breaking`)).toBe(false)
})

test('the lock of an earlier process with the number of this one is broken', () => {
  const lock = lockIn()
  writeFileSync(lock, `${process.pid} ${hostname()}`)
  expect(withFileLock(lock, () => 'done', 200)).toBe('done')
})

test('the lock of a process that lives, or of another machine, is kept, and the error says who has it', () => {
  for (const owner of [`${process.ppid} ${hostname()}`, `${endedPid()} another-machine`]) {
    const lock = lockIn()
    writeFileSync(lock, owner)
    expect(() => withFileLock(lock, () => 'done', 200)).toThrow(
      expect.objectContaining({ code: 'infra/lock', message: expect.stringContaining(owner) }),
    )
    expect(readFileSync(lock, 'utf8')).toBe(owner)
  }
})

test('a lock whose folder is missing is an error, not a wait', () => {
  const lock = path.join(lockIn(), 'lock')
  expect(() => withFileLock(lock, () => 'done')).toThrow(expect.objectContaining({ code: 'infra/lock' }))
})

test('a process that was killed while it broke a lock keeps nobody out', () => {
  const file = lockIn()
  const gone = endedPid()
  writeFileSync(file, `${gone} ${hostname()}`)
  writeFileSync(`${file}.breaking`, `${gone} ${hostname()}`)
  expect(withFileLock(file, () => 'done', 5000)).toBe('done')
  expect(readdirSync(path.dirname(file))).toEqual([])
})
