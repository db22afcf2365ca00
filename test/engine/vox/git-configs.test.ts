import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { gitFilesOf } from '../../../src/engine/vox/git-configs.ts'
import { commitAll, temporaryFolder } from './vox-workspace.ts'

function repository(): string {
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, 'a.txt'), 'a')
  commitAll(folder)
  return folder
}

test('a configuration is replaced by what git must know to read the repository', async () => {
  const tree = temporaryFolder()
  const git = path.join(tree, '.git')
  mkdirSync(git)
  const text =
    '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n[http]\n\textraheader = token\n'
  writeFileSync(path.join(git, 'config'), text)
  const { readable, replaced } = await gitFilesOf(tree, temporaryFolder())
  expect([readable, replaced.map(({ file }) => file)]).toEqual([[], [path.join(git, 'config')]])
  expect(readFileSync(replaced[0]?.by ?? '', 'utf8')).toBe(
    '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n',
  )
})

test('a linked worktree may be read with its repository', async () => {
  const main = repository()
  const linked = path.join(temporaryFolder(), 'linked')
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', linked], { cwd: main })
  const { readable, replaced } = await gitFilesOf(linked, temporaryFolder())
  const git = realpathSync(path.join(main, '.git'))
  expect([readable, replaced.map(({ file }) => file)]).toEqual([[git], [path.join(git, 'config')]])
})

test('a tree that names the repository of somebody else may not read it', async () => {
  const git = path.join(repository(), '.git')
  const [byFile, byLink, byFake] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  writeFileSync(path.join(byFile, '.git'), `gitdir: ${git}\n`)
  symlinkSync(git, path.join(byLink, '.git'))
  mkdirSync(path.join(byFake, 'fake'))
  writeFileSync(path.join(byFake, '.git'), 'gitdir: ./fake\n')
  writeFileSync(path.join(byFake, 'fake', 'gitdir'), `${byFake}/.git\n`)
  writeFileSync(path.join(byFake, 'fake', 'commondir'), git)
  for (const tree of [byFile, byLink, byFake]) {
    expect((await gitFilesOf(tree, temporaryFolder())).readable).toEqual([])
  }
})

test('without a repository there is nothing to replace', async () => {
  const tree = temporaryFolder()
  expect(await gitFilesOf(tree, temporaryFolder())).toEqual({ readable: [], replaced: [] })
  execFileSync('mkfifo', [path.join(tree, '.git')])
  expect(await gitFilesOf(tree, temporaryFolder())).toEqual({ readable: [], replaced: [] })
})
