import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createProcessExec } from '../../../src/cli/process-exec.ts'
import { buildEntry } from '../built-worker.ts'
import { temporaryFolder } from './vox-workspace.ts'

const exec = createProcessExec()
const env = { PATH: process.env.PATH ?? '' }

test('both streams and the exit code come back', async () => {
  const result = await exec.run(['sh', '-c', 'echo out; echo err >&2; exit 3'], { env })
  expect(result).toEqual({ kind: 'exited', code: 3, stdout: 'out\n', stderr: 'err\n' })
})

test('a program that is not there is an outcome', async () => {
  expect(await exec.run(['no-such-program'], { env })).toEqual({ kind: 'not-found' })
})

test('a working folder that is not there is an error', async () => {
  await expect(exec.run(['sh'], { env, cwd: '/no/such/folder' })).rejects.toThrow(/ENOENT/)
})

test('a signal that ends the program is told', async () => {
  expect(await exec.run(['sh', '-c', 'kill -9 $$'], { env })).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' })
})

test('output goes to the listener piece by piece when there is one', async () => {
  const pieces: string[] = []
  const onOutput = (piece: Buffer, stream: string) => pieces.push(`${stream}:${piece}`)
  const result = await exec.run(['sh', '-c', 'echo out; echo err >&2'], { env, onOutput })
  expect(pieces.sort()).toEqual(['stderr:err\n', 'stdout:out\n'])
  expect(result).toMatchObject({ stdout: '', stderr: '' })
})

test('nothing of our environment is added', async () => {
  const result = await exec.run(['env'], { env: { PATH: env.PATH, A: '1' } })
  expect(result).toMatchObject({ stdout: `PATH=${env.PATH}\nA=1\n` })
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s to this process ends what it runs, and then itself', async (signal) => {
  const folder = temporaryFolder()
  const mark = path.join(folder, 'pid')
  const module = pathToFileURL(await buildEntry('cli/process-exec.ts')).href
  const script = path.join(folder, 'host.mjs')
  const command = JSON.stringify(['sh', '-c', `sleep 300 & echo $! > ${mark}; wait`])
  writeFileSync(
    script,
    `import { createProcessExec } from '${module}'
await createProcessExec().run(${command}, { env: { PATH: process.env.PATH } })`,
  )
  const host = spawn(process.execPath, [script], { stdio: 'ignore' })
  const ended = once(host, 'exit')
  while (!existsSync(mark) || readFileSync(mark, 'utf8').trim() === '') await sleep(20)
  host.kill(signal)
  expect(await ended).toEqual([null, signal])
  const pid = Number(readFileSync(mark, 'utf8'))
  while (isAlive(pid)) await sleep(20)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A killed process that nobody has waited for yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
