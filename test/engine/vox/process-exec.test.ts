import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createProcessExec } from '../../../src/cli/process-exec.ts'
import { buildEntry } from '../built-worker.ts'
import { temporaryFolder } from './vox-workspace.ts'

vi.setConfig({ testTimeout: 120_000 })

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
  const { pids, end } = await runInHost('', 1, signal)
  expect(end).toEqual([null, signal])
  while (pids.some(isAlive)) await sleep(20)
})

test('a signal ends what several of them run, and then this process', async () => {
  const { pids, end } = await runInHost('', 2, 'SIGTERM')
  expect(end).toEqual([null, 'SIGTERM'])
  while (pids.some(isAlive)) await sleep(20)
})

test('where another listens to a signal, that one decides; what several of them run ends with this process', async () => {
  const { pids, end } = await runInHost("process.on('SIGTERM', () => process.exit(7))", 2, 'SIGTERM')
  expect(end).toEqual([7, null])
  while (pids.some(isAlive)) await sleep(20)
})

test('a signal ends this process as ever once nothing runs', async () => {
  const { listeners } = await runToEnd(2)
  expect(listeners).toBe(0)
})

/** A process in which so many ports each run a program that has a child of its own; it gets `signal` when all of them run. */
async function runInHost(before: string, ports: number, signal: NodeJS.Signals) {
  const folder = temporaryFolder()
  const marks = Array.from({ length: ports }, (_, index) => path.join(folder, `pid${index}`))
  const run = (mark: string) =>
    `createProcessExec().run(${JSON.stringify(['sh', '-c', `sleep 300 & echo $! > ${mark}; wait`])}, { env })`
  const host = await startHost(folder, `${before}\nawait Promise.all([${marks.map(run).join(', ')}])`)
  const ended = once(host, 'exit')
  const read = (mark: string) => (existsSync(mark) ? readFileSync(mark, 'utf8').trim() : '')
  while (marks.some((mark) => read(mark) === '')) await sleep(20)
  host.kill(signal)
  return { end: await ended, pids: marks.map((mark) => Number(read(mark))) }
}

/** How many listen to SIGTERM after so many ports each ran a program. */
async function runToEnd(ports: number): Promise<{ listeners: number }> {
  const runs = Array.from({ length: ports }, () => "createProcessExec().run(['true'], { env })").join(', ')
  const folder = temporaryFolder()
  const text = `await Promise.all([${runs}])\nprocess.exit(process.listenerCount('SIGTERM'))`
  const [listeners] = await once(await startHost(folder, text), 'exit')
  return { listeners }
}

async function startHost(folder: string, text: string) {
  const module = pathToFileURL(await buildEntry('cli/process-exec.ts')).href
  const script = path.join(folder, 'host.mjs')
  writeFileSync(
    script,
    `import { createProcessExec } from '${module}'\nconst env = { PATH: process.env.PATH }\n${text}\n`,
  )
  const host = spawn(process.execPath, [script], { stdio: 'ignore' })
  onTestFinished(() => void host.kill('SIGKILL'))
  return host
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A killed process that nobody has waited for yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
