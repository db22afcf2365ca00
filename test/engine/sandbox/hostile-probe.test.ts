import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Launch, launchPlainly } from '../../../src/engine/launch.ts'
import { filterFile } from '../../../src/engine/sandbox/filter-file.ts'
import { findTool } from '../../../src/engine/sandbox/host-tools.ts'
import { probeLaunch } from '../../../src/engine/sandbox/hostile-probe.ts'
import { systemCallFilter } from '../../../src/engine/sandbox/system-call-filter.ts'

vi.setConfig({ testTimeout: 120_000 })

test('without a sandbox the hostile program finds everything open', async () => {
  expect(await probeLaunch(launchPlainly)).toEqual({
    kind: 'probed',
    closed: { tcp: false, udp: false, reads: false, writes: false, processes: false, survivors: false },
  })
})

test('a launch in which no program runs is unusable, with the first line it wrote as the reason', async () => {
  const result = await probeLaunch((_, place) =>
    launchPlainly(['/bin/sh', '-c', 'echo "no such sandbox" >&2; exit 1'], place),
  )
  expect(result).toEqual({ kind: 'unusable', reason: 'no such sandbox' })
})

test('a launch in which a program cannot write in its folder is unusable', async () => {
  const answer = JSON.stringify({ secret: null, environ: null, canWriteHere: false })
  const result = await probeLaunch((_, place) => launchPlainly(['/bin/sh', '-c', `echo '${answer}'`], place))
  expect(result).toEqual({ kind: 'unusable', reason: 'a program cannot write in its own folder' })
})

/** Bubblewrap with little more than namespaces, and a filter if there is one. */
function namespaces(filter: Buffer | null): Launch {
  return (command, place) => {
    const { folder } = place
    const files = ['--ro-bind', '/', '/', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp']
    // Node itself may lie below one of these.
    const node = ['--ro-bind', process.execPath, process.execPath]
    const own = [...node, '--bind', folder, folder, '--ro-bind', `${folder}/program.vox`, `${folder}/program.vox`]
    const bwrap = ['bwrap', ...files, ...own, '--unshare-all', '--die-with-parent', '--chdir', folder]
    const seccomp = filter === null ? [] : ['--seccomp', '9']
    const file = filter === null ? '/dev/null' : filterFile(filter)
    return launchPlainly(['/bin/sh', '-c', `exec "$@" 9<${file}`, 'sh', ...bwrap, ...seccomp, ...command], place)
  }
}

/** Whether the kernel takes keys here, as many containers do not let it; this one is gone with the process. */
const hasKeys = (() => {
  if (findTool('bwrap') === null) return false
  const number = process.arch === 'x64' ? 248 : 217
  const script = `my ($type, $name) = ("user", "vox-test"); exit(syscall(${number}, $type, $name, $type, 4, -2) < 0)`
  return spawnSync('perl', ['-e', script], { stdio: 'ignore' }).status === 0
})()

test.skipIf(!hasKeys)('a key that the kernel takes is found as something left behind', async () => {
  const closed = async (launch: Launch) => {
    const result = await probeLaunch(launch)
    return result.kind === 'probed' ? result.closed : result
  }
  const all = {
    tcp: true,
    udp: true,
    reads: expect.any(Boolean),
    writes: true,
    processes: true,
    survivors: expect.any(Boolean),
  }
  expect(await closed(namespaces(null))).toEqual({ ...all, writes: false })
  expect(await closed(namespaces(systemCallFilter(process.arch)))).toEqual(all)
})

test('the probe leaves nothing behind', async () => {
  // A folder of its own: probes of other tests put theirs into the machine's at the same time.
  const folder = await mkdtemp(path.join(tmpdir(), 'vox-probe-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await probeLaunch(launchPlainly)).kind).toBe('probed')
  expect(await readdir(folder)).toEqual([])
})
