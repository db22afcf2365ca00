import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { atExit } from '../../src/engine/at-exit.ts'
import { chooseServerIsolation } from '../../src/engine/server-isolation.ts'
import { type ModelServer, type ServerOptions, startModelServer } from '../../src/models/model-server.ts'
import { buildEntry } from '../engine/built-worker.ts'
import { never } from './sample-request.ts'
import { folderWith } from './temp-folder.ts'

const script = path.join(import.meta.dirname, 'model-server-script.mjs')
const harnessFile = await buildEntry('../test/models/model-server-harness.ts')
const PATH = process.env.PATH ?? ''
const isolation = await chooseServerIsolation({ PATH })
const isIsolated = isolation.kind === 'process namespace'
const wrap: ServerOptions['isolate'] = isIsolated ? isolation.wrap : (command) => command
const plain: ServerOptions['isolate'] = (command) => command
const here = isIsolated ? '' : ' (skipped: no process namespace works here)'

type Given = Readonly<Record<string, string | number>>

const wordsOf = (given: Given) => Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)])

function options(given: Given, changes: Partial<ServerOptions> = {}): ServerOptions {
  return {
    commandFor: (port) => [process.execPath, script, '--port', String(port), ...wordsOf(given)],
    env: { PATH },
    isolate: wrap,
    atExit,
    readyMs: 20_000,
    stopMs: 1000,
    model: 'mens/nova',
    signal: never,
    ...changes,
  }
}

async function started(given: Given, changes: Partial<ServerOptions> = {}): Promise<ModelServer> {
  const result = await startModelServer(options(given, changes))
  if (result.kind !== 'ready') throw new Error(JSON.stringify(result))
  onTestFinished(() => result.server.stop())
  return result.server
}

async function failure(given: Given, changes: Partial<ServerOptions> = {}): Promise<string> {
  const result = await startModelServer(options(given, changes))
  if (result.kind !== 'failed') throw new Error(`it is ${result.kind}`)
  return result.message
}

async function isUp({ baseUrl }: { readonly baseUrl: string }): Promise<boolean> {
  return fetch(`${baseUrl}/models`).then(
    () => true,
    () => false,
  )
}

/** Whether a file goes on growing. */
async function grows(file: string): Promise<boolean> {
  const before = statSync(file).size
  await sleep(300)
  return statSync(file).size > before
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 400) throw new Error('it never came to that')
    await sleep(25)
  }
}

describe('ready', () => {
  test('once the models are listed and the health is no longer 503', async () => {
    const server = await started({ unhealthy: 2 })
    expect(await isUp(server)).toBe(true)
    expect(server.failure()).toBeNull()
  })

  test.each([
    { list: 'its-own-name', model: 'its-own-name', what: 'the only model that is listed is asked for by its name' },
    { list: 'other,mens/nova', model: 'mens/nova', what: 'ours among several is asked for by ours' },
  ])('$what', async ({ list, model }) => {
    expect((await started({ list })).model).toBe(model)
  })

  test('several models without ours are refused at once, and the server is stopped', async () => {
    const log = path.join(folderWith({}), 'log')
    const message = await failure({ list: 'one,two', log })
    expect(message).toContain('the server lists no model "mens/nova", but: one, two')
    expect(readFileSync(log, 'utf8')).toMatch(/stop server\n$/)
  })
})

describe('not ready', () => {
  test('in time: the state, the command and the end of the output are told, and it is stopped', async () => {
    const log = path.join(folderWith({}), 'log')
    const message = await failure({ 'no-models': 1, say: 'loading shard 1\\n', log }, { readyMs: 1500 })
    expect(message).toMatch(/^the server was not ready within 1.5 s: GET \/v1\/models gives status 503\n/)
    expect(message).toMatch(/\ncommand: \S+ \S+model-server-script.mjs --port \d+ --no-models 1 --say 'loading/)
    expect(message).toMatch(/\nThe end of its output:\n {2}loading shard 1$/)
    expect(readFileSync(log, 'utf8')).toMatch(/stop server\n$/)
  })

  test('since it ended: exit code and the last 20 lines, without escape codes', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\\n')
    const message = await failure({ say: `${lines}\\n\\e[31mno such weights\\e[0m\\n`, exit: 3 })
    expect(message).toMatch(/^the server ended with exit code 3 before it was ready\n/)
    expect(message.split('\n').slice(3)).toEqual([
      ...Array.from({ length: 19 }, (_, index) => `  line ${index + 11}`),
      '  no such weights',
    ])
  })

  test('since a signal ended it: the signal', async () => {
    const command = ['/bin/sh', '-c', 'kill -SEGV $$; : {port}']
    expect(await failure({}, { commandFor: () => command })).toMatch(/^the server was ended by signal 11 before/)
  })

  test('since there is no such program', async () => {
    const message = await failure({}, { commandFor: () => ['no-such-server', '--port', '1'] })
    expect(message).toMatch(/^the server ended with exit code 127 \(there is no such program\) before it was ready\n/)
    expect(message).toContain('command: no-such-server --port 1')
  })

  const lists = `require('node:http').createServer((request, response) => response.end('{"data":[{"id":"a"},{"id":"b"}]}')).listen(Number(process.argv[1]), '127.0.0.1')`
  test.each([
    { what: 'was not ready within 2 s', program: 'setInterval(() => {}, 1000)' },
    { what: 'lists no model "mens/nova"', program: lists },
  ])('since it $what: what the shell around it writes when we stop it is not told', async ({ what, program }) => {
    const commandFor = (port: number) => [process.execPath, '-e', program, String(port)]
    const message = await failure({}, { commandFor, readyMs: 2000 })
    expect(message).toContain(`the server ${what}`)
    expect(message).toMatch(/\nIt wrote nothing\.$/)
  })

  test('since it was cancelled: nothing is left', async () => {
    const log = path.join(folderWith({}), 'log')
    const cancel = new AbortController()
    const starting = startModelServer(options({ 'no-models': 1, log }, { signal: cancel.signal }))
    await until(() => existsSync(log))
    cancel.abort()
    expect(await starting).toEqual({ kind: 'cancelled' })
    expect(readFileSync(log, 'utf8')).toMatch(/stop server\n$/)
  })
})

describe.each([
  { where: `in a process namespace${here}`, isolate: wrap, isSkipped: !isIsolated },
  { where: 'without one', isolate: plain, isSkipped: false },
])('stopping $where', ({ isolate, isSkipped }) => {
  test.skipIf(isSkipped)('lets the server end by itself, and it is gone afterwards', async () => {
    const log = path.join(folderWith({}), 'log')
    const server = await started({ log, linger: 400 }, { isolate })
    await server.stop()
    expect(await isUp(server)).toBe(false)
    expect(readFileSync(log, 'utf8').split('\n').slice(1)).toEqual(['term server', 'stop server', ''])
    expect(server.failure()).not.toBeNull()
  })

  test.skipIf(isSkipped)('kills one that does not end', async () => {
    const log = path.join(folderWith({}), 'log')
    const server = await started({ log, 'ignore-term': 1 }, { isolate })
    await server.stop()
    expect(await isUp(server)).toBe(false)
    expect(readFileSync(log, 'utf8')).toMatch(/term server\n$/)
  })

  test.skipIf(isSkipped)('a server that does not end is gone as well when its harness is killed', async () => {
    const harness = startHarness(isolate === wrap, { 'ignore-term': 1 })
    const [{ baseUrl }] = (await once(harness, 'message')) as [{ baseUrl: string }]
    expect(await isUp({ baseUrl })).toBe(true)
    harness.kill('SIGKILL')
    await until(async () => !(await isUp({ baseUrl })))
  })

  test.skipIf(isSkipped)('a server whose harness exits is gone as well', async () => {
    const harness = startHarness(isolate === wrap)
    const [{ baseUrl }] = (await once(harness, 'message')) as [{ baseUrl: string }]
    harness.send('exit')
    await once(harness, 'exit')
    await until(async () => !(await isUp({ baseUrl })))
  })
})

/** A process that starts a server and tells where. */
function startHarness(isIsolated: boolean, given: Given = {}) {
  const harness = spawn(process.execPath, [harnessFile, String(isIsolated), script, ...wordsOf(given)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(() => void harness.kill('SIGKILL'))
  return harness
}

describe.skipIf(!isIsolated)(`in a process namespace${here}`, () => {
  test('a grandchild that left the process group is gone with the server', async () => {
    const file = path.join(folderWith({}), 'ticks')
    const server = await started({ grandchild: file })
    await until(() => existsSync(file))
    expect(await grows(file)).toBe(true)
    await server.stop()
    expect(await grows(file)).toBe(false)
  })

  test('a key of ours is in no environment that can be seen', async () => {
    const canary = `canary-${process.pid}-of-the-server-test`
    const bearer = spawn('sleep', ['600'], { env: { PATH, MODEL_API_KEY: canary } })
    onTestFinished(() => void bearer.kill('SIGKILL'))
    await once(bearer, 'spawn')
    // Without isolation anybody would find it.
    expect(readFileSync(`/proc/${bearer.pid}/environ`, 'utf8')).toContain(canary)
    const file = path.join(folderWith({}), 'scan')
    // In the arguments alone, not in the environment.
    await started({ scan: file, needle: canary })
    const { scanned, found } = JSON.parse(readFileSync(file, 'utf8'))
    expect([scanned > 0, found]).toEqual([true, []])
  })

  test('the proc file system of the machine cannot be laid bare again', async () => {
    const message = await failure(
      {},
      { commandFor: () => ['/bin/sh', '-c', 'umount /proc && echo laid bare; ls /proc | grep -c "^[0-9]*$"; exit 5'] },
    )
    expect(message).toContain('ended with exit code 5')
    expect(message).not.toMatch(/^ {2}laid bare$/m)
  })
})

test('the environment is the one that is given and no more', async () => {
  const file = path.join(folderWith({}), 'environment')
  await started({ environment: file }, { env: { PATH, OMP_NUM_THREADS: '1' } })
  const { _, PWD, SHLVL, OLDPWD, ...env } = JSON.parse(readFileSync(file, 'utf8'))
  expect(env).toEqual({ PATH, OMP_NUM_THREADS: '1' })
})
