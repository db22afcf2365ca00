import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openCargoFolders } from '../../../src/engine/vox/cargo-folders.ts'
import { temporaryFolder } from './vox-workspace.ts'

const LOCK = `version = 4

[[package]]
name = "serde"
version = "1.0.1"
source = "registry+https://index.example/"
checksum = "${createHash('sha256').update('archive').digest('hex')}"
`

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()

test('a build has what its lock file names of the registries, and neither unpacked sources nor tokens', async () => {
  const [user, tree, target] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  write(tree, { 'Cargo.lock': LOCK })
  write(user, {
    'config.toml': '[net]\nretry = 1\n',
    'credentials.toml': 'token',
    'registry/cache/r/serde-1.0.1.crate': 'archive',
    'registry/cache/r/serde-1.0.0.crate': 'other version',
    'registry/index/r/config.json': '{}',
    'registry/index/r/.cache/se/rd/serde': 'entry',
    'registry/index/r/.cache/3/f/foo': 'entry of something else',
    'registry/src/r/serde-1.0.1/lib.rs': 'unpacked',
    'git/db/x/HEAD': 'a repository that nothing needs',
    'bin/cargo': 'program',
  })
  const CARGO_HOME = (await openCargoFolders(tree, target, { CARGO_HOME: user })).env.CARGO_HOME ?? ''
  expect(filesIn(CARGO_HOME)).toEqual([
    '.package-cache',
    '.package-cache-mutate',
    'config.toml',
    'registry/cache/r/serde-1.0.1.crate',
    'registry/index/r/.cache/se/rd/serde',
    'registry/index/r/config.json',
  ])
})

test("what an earlier attempt fetched stays, and the configuration is the user's again", async () => {
  const [user, tree, target] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  write(user, { 'config.toml': 'first' })
  const CARGO_HOME = (await openCargoFolders(tree, target, { CARGO_HOME: user })).env.CARGO_HOME ?? ''
  write(CARGO_HOME, { 'config.toml': 'planted', config: 'planted', 'registry/cache/r/a-1.crate': 'fetched' })
  await openCargoFolders(tree, target, { CARGO_HOME: user })
  expect(filesIn(CARGO_HOME)).toEqual([
    '.package-cache',
    '.package-cache-mutate',
    'config.toml',
    'registry/cache/r/a-1.crate',
  ])
  expect(readFileSync(path.join(CARGO_HOME, 'config.toml'), 'utf8')).toBe('first')
})

test('an archive that is not what the lock file says is not kept: cargo would take half of one for the whole', async () => {
  const [user, tree, target] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  write(tree, { 'Cargo.lock': LOCK })
  write(user, { 'registry/cache/r/serde-1.0.1.crate': 'arch' })
  const open = async () => (await openCargoFolders(tree, target, { CARGO_HOME: user })).env.CARGO_HOME ?? ''
  const archives = async () => filesIn(await open()).filter((file) => file.endsWith('.crate'))
  expect(await archives()).toEqual([])
  write(await open(), { 'registry/cache/r/serde-1.0.1.crate': 'archi' })
  expect(await archives()).toEqual([])
  write(await open(), { 'registry/cache/r/serde-1.0.1.crate': 'archive' })
  expect(await archives()).toEqual(['registry/cache/r/serde-1.0.1.crate'])
  expect(readFileSync(path.join(user, 'registry/cache/r/serde-1.0.1.crate'), 'utf8')).toBe('arch')
})

test('nothing is removed behind a link that a build script left', async () => {
  const [user, tree, target, elsewhere] = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()]
  write(tree, { 'Cargo.lock': LOCK })
  write(elsewhere, { 'serde-1.0.1.crate': 'other', 'r/serde-1.0.1.crate': 'other' })
  const { CARGO_HOME = '' } = (await openCargoFolders(tree, target, { CARGO_HOME: user })).env
  mkdirSync(path.join(CARGO_HOME, 'registry/cache'))
  symlinkSync(elsewhere, path.join(CARGO_HOME, 'registry/cache/r'))
  await openCargoFolders(tree, target, { CARGO_HOME: user })
  rmSync(path.join(CARGO_HOME, 'registry/cache'), { recursive: true })
  symlinkSync(elsewhere, path.join(CARGO_HOME, 'registry/cache'))
  await openCargoFolders(tree, target, { CARGO_HOME: user })
  expect(filesIn(elsewhere)).toEqual(['r/serde-1.0.1.crate', 'serde-1.0.1.crate'])
})

test('of a home, a build needs to write neither settings nor programs', async () => {
  const target = temporaryFolder()
  const { writable } = await openCargoFolders(temporaryFolder(), target, { CARGO_HOME: temporaryFolder() })
  expect(writable.map((file) => path.relative(target, file))).toEqual([
    'build',
    'tmp',
    'cargo-home/registry',
    'cargo-home/git',
    'cargo-home/.package-cache',
    'cargo-home/.package-cache-mutate',
  ])
})
