import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { launchPlainly } from '../../../src/engine/launch.ts'
import { probeLaunch } from '../../../src/engine/sandbox/hostile-probe.ts'

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

test('the probe leaves nothing behind', async () => {
  const ours = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('vox-canary-'))
  await probeLaunch(launchPlainly)
  expect(await ours()).toEqual([])
})
