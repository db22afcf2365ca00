import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { DEFAULT_LIMITS } from '../../src/engine/engine.ts'
import type { ProcessEngineOptions } from '../../src/engine/process-engine.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { noSandbox } from '../../src/engine/sandbox/sandbox.ts'
import { buildEntry } from './built-worker.ts'
import { NO_ABILITIES, STAND_IN_IDENTITY } from './stand-in.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
const engines: Engine[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vox-stand-in-'))
})
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  await rm(folder, { recursive: true })
})

/** An engine whose command is this shell script; `$@` are the arguments it was given. */
async function engineOf(script: string, options: Partial<ProcessEngineOptions> = {}): Promise<Engine> {
  const file = path.join(folder, `${engines.length}.sh`)
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
  const engine = await createProcessEngine({
    command: [file],
    identity: STAND_IN_IDENTITY,
    abilities: NO_ABILITIES,
    sandbox: noSandbox,
    slots: 2,
    ...options,
  })
  engines.push(engine)
  return engine
}

/** A killed process whose parent is gone may stay as a zombie until init reaps it. */
async function isRunning(pid: string): Promise<boolean> {
  expect(pid).toMatch(/^\d+$/)
  const state = await promisify(execFile)('ps', ['-o', 'stat=', '-p', pid]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
  return state !== '' && !state.startsWith('Z')
}

test('the program reaches the command as a file in a private folder', async () => {
  const engine = await engineOf('echo "$@"; cat program.vox; pwd >&2')
  const outcome = await engine.run('fn main() { }\n')
  if (outcome.kind !== 'exited') throw new Error(outcome.kind)
  expect(outcome.stdout.head).toBe('run --mode interp program.vox\nfn main() { }\n')
  const place = outcome.stderr.lastLine
  await expect(readdir(place)).rejects.toThrow('ENOENT')
})

test('another user can read the program whatever the umask', async () => {
  const engine = await engineOf('stat -c %a program.vox . ..')
  const umask = process.umask(0o077)
  const outcome = await engine.run('').finally(() => process.umask(umask))
  if (outcome.kind !== 'exited') throw new Error(outcome.kind)
  expect(outcome.stdout.head).toBe('444\n755\n711\n')
})

test('nothing of the environment reaches the command but the search path', async () => {
  vi.stubEnv('VOX_TEST_SECRET', 'hush')
  vi.stubEnv('RUST_BACKTRACE', '1')
  const engine = await engineOf('env')
  const outcome = await engine.run('')
  vi.unstubAllEnvs()
  if (outcome.kind !== 'exited') throw new Error(outcome.kind)
  const names = outcome.stdout.head.split('\n').map((line) => line.split('=')[0])
  expect(names).toContain('PATH')
  expect(names).not.toContain('VOX_TEST_SECRET')
  expect(names).not.toContain('RUST_BACKTRACE')
})

test('exit codes and both streams come back', async () => {
  const engine = await engineOf('echo out; echo err >&2; exit 78')
  expect(await engine.run('')).toMatchObject({
    kind: 'exited',
    code: 78,
    stdout: { lastLine: 'out' },
    stderr: { lastLine: 'err' },
  })
})

test('a signal is a crash', async () => {
  const engine = await engineOf('kill -SEGV $$')
  expect(await engine.run('')).toMatchObject({ kind: 'crashed', signal: 'SIGSEGV' })
  expect(await engine.check('')).toMatchObject({ kind: 'crashed', signal: 'SIGSEGV' })
})

test('a timeout kills the whole process group', async () => {
  const engine = await engineOf('sleep 60 & echo $!; sleep 60', { limits: { ...DEFAULT_LIMITS, wallMs: 300 } })
  const outcome = await engine.run('')
  if (outcome.kind !== 'timeout') throw new Error(outcome.kind)
  await expect.poll(() => isRunning(outcome.stdout.lastLine)).toBe(false)
})

test('a child left behind by a command that ended is killed too, and does not hold the call up', async () => {
  const engine = await engineOf('sleep 60 & echo $!')
  const startedAt = performance.now()
  const outcome = await engine.run('')
  if (outcome.kind !== 'exited') throw new Error(outcome.kind)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  await expect.poll(() => isRunning(outcome.stdout.lastLine)).toBe(false)
})

test('endless output ends at the limit, in bounded memory', async () => {
  const engine = await engineOf('yes 0123456789')
  const outcome = await engine.run('')
  if (outcome.kind !== 'output-limit') throw new Error(outcome.kind)
  expect(outcome.stdout.head.length + outcome.stdout.tail.length).toBeLessThanOrEqual(131_072)
})

test('300 KB of output pass', async () => {
  const engine = await engineOf('head -c 300000 /dev/zero | tr "\\0" x; echo; echo done')
  expect(await engine.run('')).toMatchObject({ kind: 'exited', code: 0, stdout: { bytes: 300_006, lastLine: 'done' } })
})

test('check reads diagnostics from text on either stream, colours removed', async () => {
  const engine = await engineOf(
    "printf '\\033[31merror[E0001]\\033[0m: Undefined variable: q at program.vox:2:7\\n' >&2; echo 'Error: Check failed' >&2; exit 1",
  )
  expect(await engine.check('')).toMatchObject({
    kind: 'rejected',
    diagnostics: [{ severity: 'error', code: null, message: 'Undefined variable: q', line: 2, column: 7 }],
  })
  const accepting = await engineOf('echo "Check passed with 0 warning(s)"')
  expect(await accepting.check('')).toEqual({ kind: 'accepted', warnings: [] })
})

test('check asks for JSON where the binary can give it, and falls back to the text', async () => {
  const json = JSON.stringify([
    { severity: 'Error', error_code: 'E0001', message: 'Expected (', span: { start_line: 1, start_col: 4 } },
  ])
  const abilities = { ...NO_ABILITIES, jsonDiagnostics: true }
  const engine = await engineOf(
    `[ "$2 $3" = "--output-format json" ] && echo '${json}'; echo 'Error: Parsing failed'; exit 1`,
    { abilities },
  )
  expect(await engine.check('')).toMatchObject({
    kind: 'rejected',
    diagnostics: [{ code: 'E0001', line: 1, column: 4 }],
  })
  const broken = await engineOf(`echo 'error[parse] Expected ('; echo ' --> program.vox:3:1'; exit 1`, { abilities })
  expect(await broken.check('')).toMatchObject({ diagnostics: [{ code: 'E0001', message: 'Expected (', line: 3 }] })
})

test('a command says by its own exit code that a program is outside what it knows', async () => {
  const engine = await engineOf('echo "unsupported: dec" >&2; exit 64', {
    abilities: { ...NO_ABILITIES, unsupportedExit: 64 },
  })
  expect(await engine.check('')).toEqual({ kind: 'unsupported', reason: 'unsupported: dec' })
  expect(await engine.run('')).toEqual({ kind: 'unsupported', reason: 'unsupported: dec' })
})

test('a command that cannot be started is named', async () => {
  const engine = await createProcessEngine({
    command: ['/no/such/vox'],
    identity: STAND_IN_IDENTITY,
    abilities: NO_ABILITIES,
    sandbox: noSandbox,
  })
  engines.push(engine)
  await expect(engine.run('')).rejects.toThrow(/cannot be started: \/no\/such\/vox/)
})

test('a process that ends with calls under way leaves neither folders nor children behind', async () => {
  const script = path.join(folder, 'crashing.mjs')
  const module = await buildEntry('engine/process-engine.ts')
  const sandboxes = await buildEntry('engine/sandbox/sandbox.ts')
  await writeFile(
    script,
    `import { createProcessEngine } from ${JSON.stringify(module)}
import { noSandbox } from ${JSON.stringify(sandboxes)}
const engine = await createProcessEngine({
  command: ['sh', '-c', 'echo $$ > ${folder}/pid; exec sleep 60'],
  identity: ${JSON.stringify(STAND_IN_IDENTITY)},
  abilities: ${JSON.stringify(NO_ABILITIES)},
  sandbox: noSandbox,
})
engine.run('')
const { existsSync, readFileSync } = await import('node:fs')
setInterval(() => {
  if (existsSync('${folder}/pid') && readFileSync('${folder}/pid', 'utf8') !== '') throw new Error('a bug')
}, 10)
`,
  )
  const temporary = await mkdtemp(path.join(folder, 'tmp-'))
  const ended = promisify(execFile)(process.execPath, [script], { env: { ...process.env, TMPDIR: temporary } })
  await expect(ended).rejects.toThrow('a bug')
  expect(await readdir(temporary)).toEqual([])
  const pid = (await readFile(path.join(folder, 'pid'), 'utf8')).trim()
  await expect.poll(() => isRunning(pid)).toBe(false)
})
