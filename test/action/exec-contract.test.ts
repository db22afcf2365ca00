import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createActionsExec } from '../../src/action/exec.ts'
import { createProcessExec } from '../../src/cli/process-exec.ts'
import { temporaryFolder } from '../engine/vox/vox-workspace.ts'

vi.setConfig({ testTimeout: 120_000 })

const implementations = [
  { name: 'the process exec', exec: createProcessExec(), signal: 'SIGKILL' },
  { name: 'the Actions exec', exec: createActionsExec(), signal: 'unknown' },
]
const env = { PATH: process.env.PATH ?? '' }

/** A shell script that can be run, in a fresh folder or in a folder below that. */
function programNamed(name: string, script: string): string {
  const file = path.join(temporaryFolder(), name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return file
}

describe.each(implementations)('$name', ({ exec, signal }) => {
  test('gives both streams and the exit code', async () => {
    const result = await exec.run(['sh', '-c', 'echo out; echo err >&2; exit 3'], { env })
    expect(result).toEqual({ kind: 'exited', code: 3, stdout: 'out\n', stderr: 'err\n' })
  })

  test.each(['no-such-program', '/no/such/program', './no-such-program'])('says that %s is not there', async (name) => {
    expect(await exec.run([name], { env })).toEqual({ kind: 'not-found' })
  })

  test('rejects for a working folder that is not there', async () => {
    await expect(exec.run(['sh'], { env, cwd: '/no/such/folder' })).rejects.toThrow(/ENOENT/)
  })

  test('rejects for a working folder that is a file', async () => {
    await expect(exec.run(['sh'], { env, cwd: programNamed('file', '') })).rejects.toThrow(/ENOTDIR/)
  })

  test('rejects for a file that may not be run', async () => {
    const file = programNamed('tool', 'echo ran')
    chmodSync(file, 0o644)
    await expect(exec.run([file], { env })).rejects.toThrow(file)
  })

  test('tells a signal from an exit', async () => {
    const result = await exec.run(['sh', '-c', 'echo out; kill -9 $$'], { env })
    expect(result).toEqual({ kind: 'signalled', signal, stdout: 'out\n', stderr: '' })
  })

  test('gives the output piece by piece to a listener', async () => {
    const pieces: string[] = []
    const onOutput = (piece: Buffer, stream: string) => pieces.push(`${stream}:${piece}`)
    const result = await exec.run(['sh', '-c', 'echo out; echo err >&2'], { env, onOutput })
    expect(pieces.sort()).toEqual(['stderr:err\n', 'stdout:out\n'])
    expect(result).toEqual({ kind: 'exited', code: 0, stdout: '', stderr: '' })
  })

  test('keeps a character whole that comes in two pieces', async () => {
    const result = await exec.run(['sh', '-c', "printf '\\303'; sleep 0.2; printf '\\251'"], { env })
    expect(result).toMatchObject({ stdout: 'é' })
  })

  test('adds nothing of our environment', async () => {
    const result = await exec.run(['env'], { env: { PATH: env.PATH, A: '1' } })
    expect(result).toMatchObject({ stdout: `PATH=${env.PATH}\nA=1\n` })
  })

  test('searches the PATH that it is given', async () => {
    const file = programNamed('vox-tool', 'echo found')
    expect(await exec.run(['vox-tool'], { env: { PATH: path.dirname(file) } })).toMatchObject({ stdout: 'found\n' })
  })

  test('does not search our PATH', async () => {
    expect(await exec.run(['sh'], { env: { PATH: temporaryFolder() } })).toEqual({ kind: 'not-found' })
  })

  test('runs in the working folder, and finds a relative path from there', async () => {
    const file = programNamed('deep/tool', 'pwd')
    const cwd = path.dirname(path.dirname(file))
    expect(await exec.run(['deep/tool'], { env, cwd })).toMatchObject({ stdout: `${cwd}\n` })
  })

  test.each([
    'two words',
    ' edges ',
    '"quoted"',
    "it's",
    'back\\slash',
    'end\\',
    '\\"both\\\\"',
    '$HOME',
    'tab\t',
    '*',
  ])('runs a program at the path <%s>', async (name) => {
    const file = programNamed(path.join(name, name), 'echo ran')
    expect(await exec.run([file], { env })).toMatchObject({ kind: 'exited', stdout: 'ran\n' })
  })

  test('hands every argument on as it is', async () => {
    const args = ['', ' a  b ', '"q"', "it's", '\\', '\\"', '$HOME', '*', 'a\nb', '--', 'é']
    const result = await exec.run(['sh', '-c', 'printf "<%s>" "$@"', 'sh', ...args], { env })
    expect(result).toMatchObject({ stdout: args.map((arg) => `<${arg}>`).join('') })
  })

  test('gives no input', async () => {
    expect(await exec.run(['cat'], { env })).toEqual({ kind: 'exited', code: 0, stdout: '', stderr: '' })
  })

  test('is not harmed by programs that end before they could read', async () => {
    for (let count = 0; count < 30; count++) expect(await exec.run(['true'], { env })).toMatchObject({ code: 0 })
  })

  test('writes nothing to our own output', async () => {
    const writes = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
    try {
      await exec.run(['sh', '-c', 'echo out; echo err >&2; exit 1'], { env })
      await exec.run(['no-such-program'], { env })
      expect(writes.flatMap((write) => write.mock.calls)).toEqual([])
    } finally {
      for (const write of writes) write.mockRestore()
    }
  })
})

test('what a child writes long after the program has ended is waited for, in every implementation', async () => {
  const command = ['sh', '-c', '(sleep 11; echo late) & echo early']
  const results = await Promise.all(implementations.map(({ exec }) => exec.run(command, { env })))
  expect(results.map((result) => 'stdout' in result && result.stdout)).toEqual(['early\nlate\n', 'early\nlate\n'])
})
