import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ownName } from '../../../src/engine/vox/leftovers.ts'
import { inTargetFolder } from '../../../src/engine/vox/target-folder.ts'
import { entriesOf, temporaryFolder } from './vox-workspace.ts'

const identity = { tree: 'tree', state: 'b', variant: 'x' }

/** A work folder with target folders, and marks of whom they are in use by. */
function workFolderWith(targets: readonly string[], users: readonly string[] = []): string {
  const folder = temporaryFolder()
  for (const name of targets) mkdirSync(path.join(folder, 'targets', name), { recursive: true })
  mkdirSync(path.join(folder, 'targets-in-use'))
  for (const name of users) writeFileSync(path.join(folder, 'targets-in-use', name), '')
  return folder
}

function ofDeadProcess(name: string): string {
  const { pid } = spawnSync('true')
  return ownName(name).replace(`-${process.pid}-`, `-${pid}-`)
}

test('other states of the tree go first, but for what another process builds; other trees stay', async () => {
  const [live, dead] = [ownName('tree-a-live'), ofDeadProcess('tree-a-dead')]
  const left = ['tree-a-old', 'tree-a-live', 'tree-a-dead', 'tree-b-y', 'other-a-x', ofDeadProcess('tree-b-x')]
  const folder = workFolderWith(left, [live, dead])
  const seen = await inTargetFolder(identity, folder, async (target) => {
    mkdirSync(target)
    return entriesOf(path.join(folder, 'targets')).sort()
  })
  expect(seen).toEqual(['other-a-x', 'tree-a-live', 'tree-b-x', 'tree-b-y'])
  expect(readdirSync(path.join(folder, 'targets')).sort()).toEqual(['other-a-x', 'tree-a-live', 'tree-b-y'])
  expect(readdirSync(path.join(folder, 'targets-in-use'))).toEqual([live])
})

test('a target folder stays when what it is for fails', async () => {
  const folder = workFolderWith([])
  const failing = inTargetFolder(identity, folder, async (target) => {
    mkdirSync(target)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(readdirSync(path.join(folder, 'targets'))).toEqual(['tree-b-x'])
  expect(readdirSync(path.join(folder, 'targets-in-use'))).toEqual([])
})

test('the last of two users of a target folder removes it', async () => {
  const folder = workFolderWith([])
  const targets = path.join(folder, 'targets')
  await inTargetFolder(identity, folder, async (target) => {
    mkdirSync(target)
    await inTargetFolder(identity, folder, async () => {})
    expect(readdirSync(targets)).toEqual(['tree-b-x'])
  })
  expect(readdirSync(targets)).toEqual([])
})
