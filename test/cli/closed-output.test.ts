import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { folderWith } from '../models/temp-folder.ts'
import { temporaryFolder } from '../sweep/small-corpus.ts'
import { buildCli } from './built-cli.ts'
import { repository, startNode } from './cli-process.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const corpus = path.join(repository, 'corpus')
const CANARY = '5c1d2f0e-8c1b-4e0f-9a55-6d0b7f3a41ce'

let cli: string
beforeAll(async () => {
  cli = path.join(await buildCli(), 'cli.js')
})

/** Nobody reads what the command says, from its start on. */
async function runUnread(...args: string[]) {
  const { child, result } = startNode([cli, ...args])
  child.stdout?.destroy()
  const { code, stderr } = await result
  return { code, stderr }
}

test.each([
  ['one text', ['--version']],
  ['a long text', ['run', '--help']],
  ['several texts', ['corpus', 'audit', '--corpus', corpus]],
])('a command that writes %s for nobody ends as it would', async (_what, args) => {
  expect(await runUnread(...args)).toEqual({ code: 0, stderr: '' })
})

test.each([
  ['clean', 'nothing of interest', 0],
  ['canary', CANARY, 1],
])('what is %s keeps its exit code and its file', async (kind, text, code) => {
  const output = path.join(temporaryFolder(), 'training-data.json')
  const data = folderWith({ 'a.txt': text })
  const ended = await runUnread('mens', 'check-data', data, '--corpus', corpus, '--output', output)
  expect(ended.code).toBe(code)
  expect(ended.stderr).not.toContain('EPIPE')
  expect(JSON.parse(readFileSync(output, 'utf8')).kind).toBe(kind)
})

test('what is wrong is still told', async () => {
  const { code, stderr } = await runUnread('extract', 'missing.txt')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: .*\nhint: .*\ncode: .*\n$/)])
})

/** What a command does whose results go to a full disk. */
function runOnFullDisk(...args: string[]) {
  const { status, stderr } = spawnSync('sh', ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, cli, ...args])
  return { code: status, stderr: String(stderr) }
}

test.runIf(existsSync('/dev/full'))('results that a full disk did not take are told once, and end with 3', () => {
  const { code, stderr } = runOnFullDisk('corpus', 'audit', '--corpus', corpus)
  expect(code).toBe(3)
  expect(stderr).toMatch(/^error: standard output cannot be written: ENOSPC.*\n$/)
})

test.runIf(existsSync('/dev/full'))('a full disk does not hide that the gate says no', () => {
  const data = folderWith({ 'a.txt': CANARY })
  const { code, stderr } = runOnFullDisk('mens', 'check-data', data, '--corpus', corpus)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: standard output cannot be written: ENOSPC.*\n$/m)
  expect(stderr).not.toContain('    at ')
})
