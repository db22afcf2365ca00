import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createProcessExec } from '../../../src/cli/process-exec.ts'
import { sourceState } from '../../../src/engine/vox/source-state.ts'
import { openSourceTree } from '../../../src/engine/vox/source-tree.ts'
import { commitAll, temporaryFolder, testDeps } from './vox-workspace.ts'

vi.setConfig({ testTimeout: 120_000 })

const tools = { exec: createProcessExec(), env: { PATH: process.env.PATH ?? '' } }

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

async function statesAfter(folder: string, changes: readonly (() => void)[]): Promise<string[]> {
  const states: string[] = []
  for (const change of changes) {
    change()
    states.push(await sourceState(folder, tools))
  }
  return states
}

test('a clean repository is its commit', async () => {
  const folder = folderOf({ 'a.txt': 'a' })
  const commit = commitAll(folder)
  expect(await sourceState(folder, tools)).toBe(commit)
})

test('local changes mark the commit, each by its content', async () => {
  const folder = folderOf({ 'a.txt': 'a', 'b.txt': 'b' })
  const commit = commitAll(folder)
  const states = new Set<string>()
  const changes = [
    () => writeFileSync(path.join(folder, 'a.txt'), 'changed'),
    () => writeFileSync(path.join(folder, 'a.txt'), 'other'),
    () => writeFileSync(path.join(folder, 'new.txt'), 'one'),
    () => writeFileSync(path.join(folder, 'new.txt'), 'two'),
    () => rmSync(path.join(folder, 'b.txt')),
  ]
  for (const change of changes) {
    change()
    const state = await sourceState(folder, tools)
    expect(state).toMatch(new RegExp(`^${commit}\\+dirty\\.[0-9a-f]{12}$`))
    states.add(state)
  }
  expect(states.size).toBe(changes.length)
})

test('changes in an untracked repository within mark the commit by their content', async () => {
  const folder = folderOf({ 'a.txt': 'a' })
  const commit = commitAll(folder)
  const nested = path.join(folder, 'vendor', 'nested')
  mkdirSync(path.join(nested, 'src'), { recursive: true })
  execFileSync('git', ['init', '--quiet'], { cwd: nested })
  const states = await statesAfter(folder, [
    () => writeFileSync(path.join(nested, 'src', 'lib.rs'), 'one'),
    () => writeFileSync(path.join(nested, 'src', 'lib.rs'), 'two'),
    () => writeFileSync(path.join(nested, 'src', 'other.rs'), 'two'),
  ])
  for (const state of states) expect(state).toMatch(new RegExp(`^${commit}\\+dirty\\.`))
  expect(new Set(states).size).toBe(states.length)
})

test('changes in a submodule mark the commit by their content, whatever the repository says of them', async () => {
  const library = folderOf({ 'src/lib.rs': 'committed' })
  commitAll(library)
  const folder = folderOf({ 'a.txt': 'a' })
  commitAll(folder)
  const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor/library']
  execFileSync('git', add, { cwd: folder })
  execFileSync('git', ['config', '-f', '.gitmodules', 'submodule.vendor/library.ignore', 'all'], { cwd: folder })
  const commit = commitAll(folder)
  expect(await sourceState(folder, tools)).toBe(commit)
  const submodule = path.join(folder, 'vendor', 'library')
  const states = await statesAfter(folder, [
    () => writeFileSync(path.join(submodule, 'src', 'lib.rs'), 'one'),
    () => writeFileSync(path.join(submodule, 'src', 'lib.rs'), 'two'),
    () => writeFileSync(path.join(submodule, 'new.rs'), 'one'),
    () => writeFileSync(path.join(submodule, 'new.rs'), 'two'),
  ])
  for (const state of states) expect(state).toMatch(new RegExp(`^${commit}\\+dirty\\.`))
  expect(new Set(states).size).toBe(states.length)
})

test('what git notes for itself in a repository within is no change', async () => {
  const folder = folderOf({ 'a.txt': 'a' })
  commitAll(folder)
  const nested = path.join(folder, 'deep', 'nested')
  mkdirSync(nested, { recursive: true })
  writeFileSync(path.join(nested, 'b.txt'), 'b')
  commitAll(nested)
  const [before, after] = await statesAfter(folder, [
    () => {},
    () => writeFileSync(path.join(nested, '.git', 'noted'), 'x'),
  ])
  expect(after).toBe(before)
})

test('asking for the state of a repository writes nothing to it', async () => {
  const folder = folderOf({ 'a.txt': 'a' })
  commitAll(folder)
  // Git would write its index anew to note the times.
  writeFileSync(path.join(folder, 'a.txt'), 'a')
  const { mtimeMs } = statSync(path.join(folder, '.git', 'index'))
  await sourceState(folder, tools)
  expect(statSync(path.join(folder, '.git', 'index')).mtimeMs).toBe(mtimeMs)
})

test('without git the state is of the files, but for the target folder', async () => {
  const folder = folderOf({ 'a.txt': 'a', 'target/x': 'x', 'deep/target/y': 'y' })
  const state = await sourceState(folder, tools)
  expect(state).toMatch(/^tree\.[0-9a-f]{40}$/)
  writeFileSync(path.join(folder, 'target/x'), 'changed')
  expect(await sourceState(folder, tools)).toBe(state)
  const changes = [
    () => writeFileSync(path.join(folder, 'deep/target/y'), 'changed'),
    () => chmodSync(path.join(folder, 'a.txt'), 0o755),
    () => symlinkSync('a.txt', path.join(folder, 'link')),
  ]
  const states = new Set([state])
  for (const change of changes) {
    change()
    states.add(await sourceState(folder, tools))
  }
  expect(states.size).toBe(4)
})

test('a folder within the repository of something else is a tree without git', async () => {
  const outer = folderOf({ 'inner/a.txt': 'a' })
  commitAll(outer)
  expect(await sourceState(path.join(outer, 'inner'), tools)).toMatch(/^tree\./)
})

test('a folder is used in place', async () => {
  const folder = folderOf({ 'Cargo.toml': '' })
  expect((await openSourceTree({ location: folder }, testDeps().deps)).folder).toBe(folder)
})

test.each(['main', 'v1', 'commit', 'default'])('a repository is fetched by %s, one commit deep', async (how) => {
  const folder = folderOf({ 'Cargo.toml': 'first' })
  commitAll(folder)
  writeFileSync(path.join(folder, 'Cargo.toml'), 'second')
  const commit = commitAll(folder)
  execFileSync('git', ['tag', 'v1'], { cwd: folder })
  const { deps } = testDeps()
  const ref = how === 'commit' ? commit : how
  const source = { location: pathToFileURL(folder).href, ...(how === 'default' ? {} : { ref }) }
  const tree = await openSourceTree(source, deps)
  expect(await sourceState(tree.folder, tools)).toBe(commit)
  expect(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: tree.folder, encoding: 'utf8' })).toBe('1\n')
  // The next run uses it again, and nothing else is left.
  expect(await openSourceTree(source, deps)).toEqual(tree)
  expect(readdirSync(path.dirname(tree.folder))).toEqual([commit])
})

test('a ref of a folder is refused, as a folder is built as it lies', async () => {
  const source = { location: folderOf({ 'Cargo.toml': '' }), ref: 'main' }
  await expect(openSourceTree(source, testDeps().deps)).rejects.toMatchObject({ code: 'vox/bad-ref' })
})

test('two that fetch one commit at once get the same clone', async () => {
  const folder = folderOf({ 'Cargo.toml': '' })
  commitAll(folder)
  const { deps } = testDeps()
  const source = { location: pathToFileURL(folder).href }
  const [one, other] = await Promise.all([openSourceTree(source, deps), openSourceTree(source, deps)])
  expect(one).toEqual(other)
})

test('hooks that a repository template brings do not run', async () => {
  const folder = folderOf({ 'Cargo.toml': '' })
  commitAll(folder)
  const home = folderOf({ '.gitconfig': '', 'template/hooks/post-checkout': '#!/bin/sh\ntouch "$HOME/ran"\n' })
  chmodSync(path.join(home, 'template/hooks/post-checkout'), 0o755)
  writeFileSync(path.join(home, '.gitconfig'), `[init]\n\ttemplateDir = ${home}/template\n`)
  const { deps } = testDeps()
  await openSourceTree({ location: pathToFileURL(folder).href }, { ...deps, env: { ...deps.env, HOME: home } })
  expect(existsSync(path.join(home, 'ran'))).toBe(false)
})

test.each(['ext://sh', 'git://127.0.0.1/x', 'http://example.org/x'])(
  'what could run commands or be read on the way is not fetched: %s',
  async (location) => {
    await expect(openSourceTree({ location }, testDeps().deps)).rejects.toMatchObject({ code: 'vox/bad-source-url' })
  },
)

test.each(['ext::sh -c touch% /tmp/x', 'host:path', 'vox:main', 'C:\\vox'])(
  'what has no // behind a scheme is a folder, and never for git: %s',
  async (location) => {
    await expect(openSourceTree({ location }, testDeps().deps)).rejects.toMatchObject({ code: 'vox/no-source' })
  },
)

test.each(['--upload-pack=touch x', 'a b', 'a:b', ''])('a ref that is none is refused: "%s"', async (ref) => {
  const source = { location: 'file:///no/such', ref }
  await expect(openSourceTree(source, testDeps().deps)).rejects.toMatchObject({ code: 'vox/bad-ref' })
})

test('a ref that the repository does not have is told', async () => {
  const folder = folderOf({ 'Cargo.toml': '' })
  commitAll(folder)
  const source = { location: pathToFileURL(folder).href, ref: 'no-such-branch' }
  await expect(openSourceTree(source, testDeps().deps)).rejects.toMatchObject({ code: 'vox/bad-ref' })
})

test('the token goes to the origin of the URL by a header, and into no message or command line', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    response.writeHead(404).end('no such repository')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { deps, lines } = testDeps()
  const commands: string[] = []
  const exec: typeof deps.exec = {
    run(command, options) {
      commands.push(command.join(' '))
      return deps.exec.run(command, options)
    },
  }
  const token = 'a-secret-token'
  const encoded = Buffer.from(`x-access-token:${token}`).toString('base64')
  const error = await openSourceTree(
    { location: `http://127.0.0.1:${port}/acme/vox.git` },
    { ...deps, exec, env: { ...deps.env, VOX_SOURCE_TOKEN: token } },
  ).catch((error) => error)
  expect(error).toMatchObject({ code: 'infra/vox-clone' })
  expect(asked[0]).toBe(`Basic ${encoded}`)
  const said = [...lines, ...commands, error.message, error.hint].join('\n')
  expect(said).not.toContain(token)
  expect(said).not.toContain(encoded)
})

test('a user, password or query in the URL of a repository is in no message or log', async () => {
  const server = createServer((_, response) => response.writeHead(404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { deps, lines } = testDeps()
  const location = `http://SECRET-USER:SECRET@PASSWORD@127.0.0.1:${port}/vox.git?sig=SECRET'QUERY`
  const error = await openSourceTree({ location }, deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'infra/vox-clone' })
  const said = [...lines, error.message, error.hint].join('\n')
  expect(said).toContain(`http://127.0.0.1:${port}/vox.git`)
  expect(said).not.toMatch(/SECRET|PASSWORD|QUERY/)
})

test('a token is sent nowhere where none was given', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { deps } = testDeps()
  const error = await openSourceTree({ location: `http://127.0.0.1:${port}/vox.git` }, deps).catch((error) => error)
  expect(error.hint).toContain('VOX_SOURCE_TOKEN')
  expect(asked).toEqual([undefined])
})
