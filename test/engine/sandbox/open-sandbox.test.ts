import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { BenchError } from '../../../src/bench-error.ts'
import { findTool } from '../../../src/engine/sandbox/host-tools.ts'
import { openSandbox, type SandboxOptions } from '../../../src/engine/sandbox/open-sandbox.ts'
import { noSandbox } from '../../../src/engine/sandbox/sandbox.ts'
import { PROMISES } from '../../../src/engine/sandbox/sandbox-level.ts'
import { buildDriver, driveSandbox } from './driven-sandbox.ts'

vi.setConfig({ testTimeout: 120_000 })

const { platform, arch } = process
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform })
  Object.defineProperty(process, 'arch', { value: arch })
})

async function refusalOf(options: Omit<SandboxOptions, 'readable'>): Promise<BenchError> {
  const error = await openSandbox({ ...options, readable: [] }).catch((error: unknown) => error)
  if (error instanceof BenchError) return error
  throw new Error('it was not refused')
}

test('"off" is no sandbox, whatever could be had', async () => {
  expect(await openSandbox({ mode: 'off', readable: [] })).toBe(noSandbox)
})

test('"require" refuses where there is no sandbox, and says how to go on', async () => {
  const error = await refusalOf({ mode: 'require', levels: ['none'] })
  expect(error.code).toBe('infra/sandbox-refused')
  expect(error.hint).toContain('"best"')
  expect(error.hint).toContain('embedded engine')
})

test('every level must close the network', () => {
  for (const promised of Object.values(PROMISES)) expect(promised).toEqual(expect.arrayContaining(['tcp', 'udp']))
})

test.skipIf(platform !== 'linux' || findTool('perl') === null)('"require" takes landlock', async () => {
  const { report } = await openSandbox({ mode: 'require', readable: [], levels: ['landlock'] })
  expect(report).toMatchObject({ level: 'landlock', closed: { tcp: true, udp: true } })
})

test.skipIf(platform !== 'linux' || findTool('perl') === null)(
  'a processor whose system calls are not known has no level',
  async () => {
    Object.defineProperty(process, 'arch', { value: 'riscv64' })
    const { report } = await openSandbox({ mode: 'best', readable: [], levels: ['landlock'] })
    expect(report.passedOver).toEqual([
      { level: 'landlock', reason: 'the system calls of this processor, riscv64, are not known' },
    ])
  },
)

test('"best" without any level goes on with a loud warning', async () => {
  const lines: string[] = []
  const { report } = await openSandbox({ mode: 'best', readable: [], levels: [], log: (line) => lines.push(line) })
  expect(report).toEqual(noSandbox.report)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^WARNING: candidates run without a sandbox/)
})

test.skipIf(platform !== 'linux' || findTool('sudo') !== null)(
  'the report says which levels were passed over and what they lack',
  async () => {
    const { report } = await openSandbox({ mode: 'best', readable: [], levels: ['bubblewrap-sudo'] })
    expect(report.passedOver).toEqual([{ level: 'bubblewrap-sudo', reason: 'sudo is not installed' }])
  },
)

test.skipIf(process.getuid?.() !== 0 || findTool('bwrap') === null)(
  'a level that cannot be set up is passed over with what it says',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vox-scratch-'))
    await chmod(folder, 0o777)
    const driver = await buildDriver(folder)
    const env = { PATH: process.env.PATH ?? '', TMPDIR: folder }
    const sandbox = await driveSandbox(driver, { level: 'bubblewrap-root', uid: 1001, readable: [], env })
    await sandbox.close()
    await rm(folder, { recursive: true })
    expect(sandbox.report.level).toBe('none')
    expect(sandbox.report.passedOver).toEqual([
      { level: 'bubblewrap-root', reason: expect.stringMatching(/^setpriv: |^the sandbox could not start/) },
    ])
  },
)

test('Windows is refused in every mode, with the embedded engine as the way', async () => {
  Object.defineProperty(process, 'platform', { value: 'win32' })
  for (const mode of ['require', 'best', 'off'] as const) {
    const error = await refusalOf({ mode })
    expect(error.message).toBe('vox processes run on Linux and macOS only.')
    expect(error.hint).toContain('embedded engine')
  }
})

test.skipIf(process.platform !== 'linux')('a strict umask costs no level', async () => {
  const usual = await openSandbox({ mode: 'best', readable: [] })
  const umask = process.umask(0o077)
  const strict = await openSandbox({ mode: 'best', readable: [] }).finally(() => process.umask(umask))
  expect(strict.report).toEqual(usual.report)
})

test.skipIf(process.platform !== 'linux')('a temporary folder that is not there is named', async () => {
  vi.stubEnv('TMPDIR', '/no/such/folder')
  await expect(openSandbox({ mode: 'best', readable: [] })).rejects.toMatchObject({
    code: 'infra/temporary-folder',
    message: expect.stringContaining('/no/such/folder'),
  })
  vi.unstubAllEnvs()
})
