import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { takeFileLock, withFileLock } from '../../src/generate/file-lock.ts'
import { ownerWords } from './lock-owner.ts'

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
  const owner = withFileLock(lock, () => readFileSync(lock, 'utf8'))
  expect(owner.startsWith(`${process.pid} ${hostname()} `)).toBe(true)
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
  writeFileSync(lock, ownerWords({ pid: endedPid() }))
  expect(withFileLock(lock, () => 'done')).toBe('done')
  expect(readdirSync(path.dirname(lock))).toEqual([])
})

test('the lock of an earlier process with the number of this one is broken', () => {
  const lock = lockIn()
  writeFileSync(lock, ownerWords({ mark: 'earlier' }))
  expect(withFileLock(lock, () => 'done', 200)).toBe('done')
})

test.runIf(process.platform === 'linux')('the lock of a process whose number another one has by now is broken', () => {
  const lock = lockIn()
  writeFileSync(lock, ownerWords({ pid: process.ppid, start: '1' }))
  expect(withFileLock(lock, () => 1, 100)).toBe(1)
})

test.each([
  ['a process that lives', () => ownerWords({ pid: process.ppid })],
  ['another machine', () => ownerWords({ pid: endedPid(), host: 'another-machine' })],
  ['another machine of that name', () => ownerWords({ pid: endedPid(), boot: 'another-boot' })],
  ['another container of that name', () => ownerWords({ pid: endedPid(), numbers: 'pid:[1]' })],
])('the lock of %s is kept, and the error says who has it', (_, ownerOf) => {
  const lock = lockIn()
  const owner = ownerOf()
  const [pid, host] = owner.split(' ')
  writeFileSync(lock, owner)
  expect(() => withFileLock(lock, () => 'done', 200)).toThrow(
    expect.objectContaining({ code: 'infra/lock', message: expect.stringContaining(`process ${pid} of ${host}`) }),
  )
  expect(readFileSync(lock, 'utf8')).toBe(owner)
})

test('an empty lock is kept: its owner may be about to fill it', () => {
  const lock = lockIn()
  writeFileSync(lock, '')
  expect(takeFileLock(lock, 0)).toMatchObject({ kind: 'held' })
  expect(readFileSync(lock, 'utf8')).toBe('')
})

test('a lock that is taken is held against this process, too, until it is released', () => {
  const lock = lockIn()
  const first = takeFileLock(lock, 0)
  expect(takeFileLock(lock, 0)).toEqual({ kind: 'held', owner: `process ${process.pid} of ${hostname()}` })
  if (first.kind === 'taken') first.release()
  expect(takeFileLock(lock, 0).kind).toBe('taken')
})

test('a release leaves the lock of another owner alone', () => {
  const lock = lockIn()
  const first = takeFileLock(lock, 0)
  const other = ownerWords({ pid: process.ppid })
  writeFileSync(lock, other)
  if (first.kind === 'taken') first.release()
  expect(readFileSync(lock, 'utf8')).toBe(other)
})

test('a lock whose folder is missing is an error, not a wait', () => {
  const lock = path.join(lockIn(), 'lock')
  expect(() => withFileLock(lock, () => 'done')).toThrow(expect.objectContaining({ code: 'infra/lock' }))
})

test('a process that was killed while it broke a lock keeps nobody out', () => {
  const file = lockIn()
  const gone = endedPid()
  writeFileSync(file, ownerWords({ pid: gone }))
  writeFileSync(`${file}.breaking`, ownerWords({ pid: gone }))
  expect(withFileLock(file, () => 'done', 5000)).toBe('done')
  expect(readdirSync(path.dirname(file))).toEqual([])
})
