import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type BaseFileDeps, listChanged, readTrustedFile } from '../../src/action/base-file.ts'
import { createActionsExec } from '../../src/action/exec.ts'
import { createGitHubApi } from '../../src/action/github-api.ts'
import { startServer } from '../models/loopback-server.ts'

const MAX = 1000

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

/** A repository whose base commit has `sweep.yml` as `base`, checked out with `head` in it. */
function checkout(): BaseFileDeps & { readonly baseSha: string } {
  const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'vox-base-')))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  git(workspace, 'init', '-q')
  writeFileSync(path.join(workspace, 'sweep.yml'), 'base')
  git(workspace, 'add', '.')
  git(workspace, 'commit', '-qm', 'base')
  const baseSha = git(workspace, 'rev-parse', 'HEAD')
  writeFileSync(path.join(workspace, 'sweep.yml'), 'head')
  writeFileSync(path.join(workspace, 'new.yml'), 'head')
  return { exec: createActionsExec(), env: process.env, api: null, workspace, baseSha }
}

test('on a pull request the base has the word', async () => {
  expect(await readTrustedFile('sweep.yml', MAX, checkout())).toEqual({ text: 'base', isChanged: true })
})

test('any other event reads the workspace', async () => {
  expect(await readTrustedFile('sweep.yml', MAX, { ...checkout(), baseSha: null })).toEqual({
    text: 'head',
    isChanged: false,
  })
})

test('a file that the base does not have is refused', async () => {
  await expect(readTrustedFile('new.yml', MAX, checkout())).rejects.toMatchObject({ code: 'action/not-in-base' })
})

test('a link of the pull request to a file elsewhere is not followed', async () => {
  const deps = checkout()
  const secret = path.join(deps.workspace, '..', `${path.basename(deps.workspace)}-secret`)
  writeFileSync(secret, 'secret')
  onTestFinished(() => rmSync(secret))
  symlinkSync(secret, path.join(deps.workspace, 'link.yml'))
  await expect(readTrustedFile('link.yml', MAX, deps)).rejects.toMatchObject({ code: 'action/not-in-base' })
})

test('what an earlier step wrote outside of the workspace is taken as it is', async () => {
  const deps = checkout()
  const file = path.join(deps.workspace, '..', `${path.basename(deps.workspace)}.yml`)
  writeFileSync(file, 'made by a step')
  onTestFinished(() => rmSync(file))
  expect(await readTrustedFile(file, MAX, deps)).toEqual({ text: 'made by a step', isChanged: false })
})

test('where the checkout lacks the commit, GitHub is asked for the file', async () => {
  const server = await startServer((_request, response) => response.writeHead(200).end('from GitHub'))
  const api = createGitHubApi({ url: server.origin, repository: 'acme/models', token: 'planted' })
  const baseSha = 'a'.repeat(40)
  expect(await readTrustedFile('sweep.yml', MAX, { ...checkout(), baseSha, api })).toEqual({
    text: 'from GitHub',
    isChanged: true,
  })
  expect(server.seen.map(({ url }) => url)).toEqual([`/repos/acme/models/contents/sweep.yml?ref=${baseSha}`])
})

test('a commit that is an option of git is never handed to it', async () => {
  await expect(readTrustedFile('sweep.yml', MAX, { ...checkout(), baseSha: '--output=x' })).rejects.toMatchObject({
    code: 'action/not-in-base',
  })
})

test('the repository cannot make git run a program', async () => {
  const deps = checkout()
  const mark = path.join(deps.workspace, 'ran')
  writeFileSync(path.join(deps.workspace, '.gitattributes'), '*.yml diff=evil')
  git(deps.workspace, 'config', 'diff.evil.textconv', `touch ${mark}; cat`)
  git(deps.workspace, 'config', 'diff.external', `touch ${mark}`)
  git(deps.workspace, 'config', 'core.fsmonitor', `touch ${mark}`)
  expect(await readTrustedFile('sweep.yml', MAX, deps)).toMatchObject({ text: 'base' })
  expect(() => realpathSync(mark)).toThrow()
})

test('files of the workspace that the base has otherwise are listed, for pull requests only', async () => {
  const deps = checkout()
  const paths = ['sweep.yml', 'not-there', '/elsewhere']
  expect(await listChanged(paths, deps)).toEqual(['sweep.yml'])
  expect(await listChanged(paths, { ...deps, baseSha: null })).toEqual([])
  expect(await listChanged(paths, { ...deps, baseSha: 'f'.repeat(40) })).toBeNull()
  expect(await listChanged(['sweep.yml\0'], deps)).toBeNull()
})
