import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { resolveVox } from '../../../src/engine/vox/resolve-vox.ts'
import { commitAll, copyWorkspace, quickBuild, temporaryFolder, testDeps } from './vox-workspace.ts'

vi.setConfig({ testTimeout: 120_000 })

const archive = { url: '/no/such', sha256: 'ab'.repeat(32) }

async function failureWith(workFolder: string, request: object = { archive }): Promise<unknown> {
  return await resolveVox({ ...request, build: quickBuild }, testDeps({ workFolder }).deps).catch((error) => error)
}

test('a work folder that is a file, or lies in one, is refused', async () => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  for (const folder of [file, path.join(file, 'work')]) {
    const error = await failureWith(folder)
    expect(error).toMatchObject({ code: 'vox/cache-folder', hint: expect.stringContaining('--vox-cache') })
    expect((error as Error).message).toContain(folder)
  }
})

test.skipIf(process.platform !== 'linux')('a work folder where no folder can be made is refused at once', async () => {
  expect(await failureWith('/proc/self/x')).toMatchObject({ code: 'vox/cache-folder' })
  expect(await failureWith('/proc/self/x/deep/er')).toMatchObject({ code: 'vox/cache-folder' })
})

test('a work folder that is a link to nowhere is refused', async () => {
  const link = path.join(temporaryFolder(), 'link')
  symlinkSync('/no/such/folder', link)
  expect(await failureWith(link)).toMatchObject({ code: 'vox/cache-folder' })
})

test.skipIf(process.platform === 'win32')('a work folder that may not be written is refused', async () => {
  // Nobody, not even root, writes there.
  expect(await failureWith('/proc/sys')).toMatchObject({ code: 'vox/cache-folder' })
})

test.each(['archives', 'sources'])('a file in the place of %s in the work folder is told', async (name) => {
  const workFolder = path.join(temporaryFolder(), 'work')
  mkdirSync(workFolder)
  writeFileSync(path.join(workFolder, name), '')
  const tree = copyWorkspace()
  commitAll(tree)
  const request = name === 'archives' ? { archive } : { source: { location: `file://${tree}` } }
  expect(await failureWith(workFolder, request)).toMatchObject({ code: 'vox/cache-folder' })
})
