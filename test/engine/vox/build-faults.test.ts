import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { BenchError } from '../../../src/bench-error.ts'
import { keepBuild } from '../../../src/engine/vox/cached-build.ts'
import { chooseIsolation } from '../../../src/engine/vox/isolation.ts'
import { resolveVox, type VoxBuildOptions, type VoxDeps } from '../../../src/engine/vox/resolve-vox.ts'
import {
  copyWorkspace,
  entriesOf,
  hasCargo,
  isInstalled,
  needsCargo,
  pathWithout,
  pathWithScript,
  quickBuild,
  runProgram,
  temporaryFolder,
  testDeps,
} from './vox-workspace.ts'

vi.setConfig({ testTimeout: 180_000 })

/** What a build of `tree` fails with. */
async function failureOf(tree: string, deps: VoxDeps, change: Partial<VoxBuildOptions> = {}): Promise<BenchError> {
  const resolved = resolveVox({ source: { location: tree }, build: { ...quickBuild, ...change } }, deps)
  return await resolved.then(
    () => expect.unreachable('the build should have failed'),
    (error: BenchError) => error,
  )
}

/** How the killed compiler below finds out how many jobs the cargo that started it has. macOS has no such thing: skipped there. */
const hasProc = existsSync('/proc/self/cmdline')

/** A compiler that is killed, as the kernel kills for lack of memory, while cargo has more jobs than `most`. */
function killedCompiler(most: number): Record<string, string> {
  return {
    '.cargo/config.toml': '[build]\njobs = 24\nrustc-wrapper = "./killed.sh"\n',
    'killed.sh': `#!/bin/sh
jobs=$(tr '\\0' ' ' < /proc/$PPID/cmdline | sed -n 's/.* -j \\([0-9]*\\).*/\\1/p')
case "$*" in
  *"--crate-name vox_eval"*) [ "$jobs" -gt ${most} ] && kill -9 $$ ;;
esac
exec "$@"
`,
  }
}

test('a build that finds no room for what it made says so, and keeps no half of it', async ({ skip }) => {
  const disk = mountSmallDisk()
  if (typeof disk === 'string') return skip(disk)
  const executable = path.join(temporaryFolder(), 'vox')
  writeFileSync(executable, Buffer.alloc(2 * 1024 * 1024, 1))
  const { deps } = testDeps({ workFolder: disk.folder })
  const facts = { version: 'vox 0.0.1', sourceCommit: 'abc', toolchain: '1.92.0', profile: 'release' }
  await expect(keepBuild('key', executable, facts, deps)).rejects.toMatchObject({ code: 'infra/vox-disk' })
  expect(entriesOf(path.join(disk.folder, 'builds'))).toEqual([])
})

describe.skipIf(!hasCargo)(`a build${needsCargo}`, () => {
  test.skipIf(!hasProc)('that runs out of memory is tried again with half the jobs, and says why', async () => {
    const { deps, lines } = testDeps()
    const request = { source: { location: copyWorkspace(killedCompiler(1)) }, build: { ...quickBuild, jobs: 4 } }
    const vox = await resolveVox(request, deps)
    expect(runProgram(vox.executable, 'fn main() to int { return 7 }')).toBe('7\n')
    expect(lines.filter((line) => line.includes('ran out of memory'))).toEqual([
      'vox: the build with 4 jobs ran out of memory (that was the cause, not the code); again with 2',
      'vox: the build with 2 jobs ran out of memory (that was the cause, not the code); again with 1',
    ])
  })

  test.skipIf(!hasProc)('that runs out of memory with one job fails for that reason, and nothing is kept', async () => {
    const { deps, cacheFolder } = testDeps()
    const error = await failureOf(copyWorkspace(killedCompiler(0)), deps, { jobs: 2 })
    expect(error).toMatchObject({ code: 'infra/vox-memory' })
    expect(error.message).toContain('SIGKILL')
    expect(entriesOf(cacheFolder)).toEqual([])
  })

  test('of wrong code is not tried again; the end of the output is shown and the whole is in a file', async () => {
    const { deps, lines, cacheFolder } = testDeps()
    const error = await failureOf(copyWorkspace({ 'crates/vox-eval/src/value.rs': 'pub enum Value {' }), deps)
    expect(error).toMatchObject({ code: 'vox/build-failed' })
    expect(error.message).toContain('unclosed delimiter')
    expect(error.hint).toContain('`cargo build --release -p vox-cli --locked`')
    expect(lines.filter((line) => line.startsWith('vox: building'))).toHaveLength(1)
    expect(entriesOf(cacheFolder)).toEqual([])
    const [, file] = /The end of (.+):\n/.exec(error.message) ?? []
    expect(readFileSync(file ?? '', 'utf8')).toContain('unclosed delimiter')
  })

  test('that fails names the command as it was, for the dev profile too', async () => {
    const tree = copyWorkspace({ 'crates/vox-cli/src/main.rs': 'fn main() {' })
    const error = await failureOf(tree, testDeps().deps, { profile: 'dev', overrides: {} })
    expect(error.hint).toContain('`cargo build -p vox-cli --locked`')
  })

  test('is refused where the disk has too little room', async () => {
    const { deps, lines } = testDeps()
    const error = await failureOf(copyWorkspace(), deps, { minDiskGb: 1_000_000 })
    expect(error.code).toBe('infra/vox-disk')
    expect(error.message).toMatch(/needs 1000000 GiB of free disk for .+; there are [\d.]+ GiB/)
    expect(lines.some((line) => line.startsWith('vox: building'))).toBe(false)
  })

  test('that fills the disk while it compiles says so', async ({ skip }) => {
    const disk = mountSmallDisk()
    if (typeof disk === 'string') return skip(disk)
    const { deps, cacheFolder } = testDeps({ workFolder: path.join(disk.folder, 'work') })
    const error = await failureOf(copyWorkspace(), deps, { minDiskGb: 0 })
    expect(error.code).toBe('infra/vox-disk')
    expect(error.message).toContain(`filled the disk that holds ${disk.folder}`)
    expect(entriesOf(cacheFolder)).toEqual([])
  })

  test.skipIf(!isInstalled('rustup'))('with a toolchain that is not installed names how to install it', async () => {
    const tree = copyWorkspace({ 'rust-toolchain.toml': '[toolchain]\nchannel = "1.60.0"\n' })
    const error = await failureOf(tree, testDeps().deps)
    expect(error).toMatchObject({ code: 'vox/toolchain-missing' })
    expect(error.message).toContain("the tree's toolchain file asks for Rust 1.60.0")
    expect(error.hint).toContain('rustup toolchain install 1.60.0')
    expect(error.hint).toContain('--vox-toolchain')
  })

  test.skipIf(!isInstalled('rustup'))('takes the toolchain it is told instead of the one of the tree', async () => {
    const tree = copyWorkspace({ 'rust-toolchain.toml': '[toolchain]\nchannel = "1.60.0"\n' })
    const { stdout } = spawnSync('rustup', ['show', 'active-toolchain'], { encoding: 'utf8' })
    const build = { ...quickBuild, toolchain: stdout.split(' ')[0] ?? '' }
    const vox = await resolveVox({ source: { location: tree }, build }, testDeps().deps)
    expect(vox.toolchain).toMatch(/^\d+\.\d+\.\d+/)
  })

  test.each([
    ['rust-toolchain.toml', '[toolchain]\npath = "./compiler"\n'],
    ['rust-toolchain.toml', 'toolchain = { path = "./compiler" }\n'],
    ['rust-toolchain.toml', '["toolchain"]\n"path" = "./compiler"\n'],
    ['rust-toolchain.toml', 'toolchain.path = "./compiler"\n'],
    ['rust-toolchain', '[toolchain]\n\'path\' = "./compiler"\n'],
  ])('with a %s that names a folder is refused: %j', async (file, text) => {
    expect(await failureOf(copyWorkspace({ [file]: text }), testDeps().deps)).toMatchObject({
      code: 'vox/toolchain-in-tree',
    })
  })

  test.each([
    ['rust-toolchain.toml', 'toolchain = { channel = "./compiler" }\n'],
    ['rust-toolchain.toml', 'toolchain.channel = "/compiler"\n'],
    ['rust-toolchain.toml', 'toolchain = {\n'],
    ['rust-toolchain.toml', '[toolchain]\nchannel = 1\n'],
    ['rust-toolchain', './compiler\n'],
  ])('with a %s that names no toolchain is refused: %j', async (file, text) => {
    expect(await failureOf(copyWorkspace({ [file]: text }), testDeps().deps)).toMatchObject({
      code: 'vox/toolchain-file',
    })
  })

  test.skipIf(!isInstalled('rustup')).each([
    ['rust-toolchain.toml', 'toolchain = { "channel" = "1.60.0" }\n'],
    ['rust-toolchain', '1.60.0\n'],
  ])('with a missing toolchain in a %s never installs it: %j', async (file, text) => {
    const { deps } = testDeps()
    const { RUSTUP_AUTO_INSTALL: _, ...env } = deps.env
    const error = await failureOf(copyWorkspace({ [file]: text }), { ...deps, env })
    expect(error).toMatchObject({ code: 'vox/toolchain-missing' })
    expect(error.hint).toContain('rustup toolchain install 1.60.0')
  })

  test('leaves its target folder only when it failed, and to no other state of the tree', async () => {
    const script = (text: string) => `fn main() {
    let mark = std::path::Path::new(&std::env::var("CARGO_TARGET_DIR").unwrap()).join("planted");
    ${text}
}
`
    const hostile = script('std::fs::write(mark, "").unwrap(); panic!("stop");')
    const tree = copyWorkspace({ 'crates/vox-cli/build.rs': hostile })
    const { deps } = testDeps()
    const targets = path.join(deps.workFolder, 'targets')
    await failureOf(tree, deps)
    const [left = '', ...others] = entriesOf(targets)
    expect([entriesOf(path.join(targets, left, 'build')).includes('planted'), others]).toEqual([true, []])
    writeFileSync(path.join(tree, 'crates/vox-cli/build.rs'), script('assert!(!mark.exists()); panic!("clean");'))
    expect((await failureOf(tree, deps)).message).toContain('clean')
    expect(entriesOf(targets)).toHaveLength(1)
    expect(entriesOf(targets)).not.toContain(left)
    writeFileSync(path.join(tree, 'crates/vox-cli/build.rs'), script('let _ = mark;'))
    await resolveVox({ source: { location: tree }, build: quickBuild }, deps)
    expect(entriesOf(targets)).toEqual([])
    expect(entriesOf(path.join(deps.workFolder, 'targets-in-use'))).toEqual([])
  })

  test('of a tree whose lock file could be read for ever is refused', async () => {
    const tree = copyWorkspace()
    rmSync(path.join(tree, 'Cargo.lock'))
    spawnSync('mkfifo', [path.join(tree, 'Cargo.lock')])
    expect(await failureOf(tree, testDeps().deps)).toMatchObject({ code: 'vox/no-source' })
  })

  test('without cargo says what to install', async () => {
    const { deps } = testDeps()
    const env = { ...deps.env, PATH: pathWithout('cargo') }
    const error = await failureOf(copyWorkspace(), { ...deps, env })
    expect(error).toMatchObject({ code: 'vox/no-cargo' })
    expect(error.hint).toContain('rustup')
  })

  test('of a tree that needs a newer compiler names its version', async () => {
    const manifest = readFileSync(path.join(import.meta.dirname, 'workspace/crates/vox-eval/Cargo.toml'), 'utf8')
    const newer = manifest.replace('[package]\n', '[package]\nrust-version = "1.999"\n')
    const error = await failureOf(copyWorkspace({ 'crates/vox-eval/Cargo.toml': newer }), testDeps().deps)
    expect(error).toMatchObject({ code: 'vox/toolchain-old' })
    expect(error.message).toContain('needs Rust 1.999')
  })

  test('of a workspace without vox-cli is refused', async () => {
    const tree = copyWorkspace({ 'Cargo.toml': '[workspace]\nmembers = ["crates/vox-syntax"]\n' })
    writeFileSync(path.join(tree, 'Cargo.lock'), 'version = 4\n\n[[package]]\nname = "vox-syntax"\nversion = "0.0.1"\n')
    writeFileSync(
      path.join(tree, 'crates/vox-syntax/Cargo.toml'),
      '[package]\nname = "vox-syntax"\nversion = "0.0.1"\nedition = "2021"\n',
    )
    expect(await failureOf(tree, testDeps().deps)).toMatchObject({ code: 'vox/no-vox-cli' })
  })

  test('with a lock file that does not fit is refused rather than the lock file changed', async () => {
    const lock = 'version = 4\n\n[[package]]\nname = "vox-cli"\nversion = "0.0.1"\n'
    const tree = copyWorkspace({ 'Cargo.lock': lock })
    expect(await failureOf(tree, testDeps().deps)).toMatchObject({ code: 'vox/lock-outdated' })
    expect(readFileSync(path.join(tree, 'Cargo.lock'), 'utf8')).toBe(lock)
  })

  test('with a feature that is not there is refused', async () => {
    const error = await failureOf(copyWorkspace(), testDeps().deps, { features: ['telepathy'] })
    expect(error).toMatchObject({ code: 'vox/no-feature' })
  })

  test('of a tree that lacks a file names it', async () => {
    const source = 'const TEXT: &str = include_str!("missing.txt");\nfn main() { println!("{TEXT}") }\n'
    const error = await failureOf(copyWorkspace({ 'crates/vox-cli/src/main.rs': source }), testDeps().deps)
    expect(error).toMatchObject({ code: 'vox/tree-incomplete' })
    expect(error.message).toContain('missing.txt')
  })

  test('whose script writes to the tree is stopped, or seen to have changed it', async () => {
    const script = 'fn main() { std::fs::write("generated.rs", "// new\\n").unwrap() }\n'
    const { deps } = testDeps()
    const { kind } = await chooseIsolation(deps.exec, { PATH: process.env.PATH ?? '' })
    const error = await failureOf(copyWorkspace({ 'crates/vox-cli/build.rs': script }), deps)
    if (kind === 'bubblewrap') expect(error.code).toBe('vox/build-writes-tree')
    else expect(['vox/build-writes-tree', 'vox/tree-changed']).toContain(error.code)
  })

  test('of something that does not answer like vox is an error, and is not kept', async () => {
    const { deps, cacheFolder } = testDeps()
    const tree = copyWorkspace({ 'crates/vox-cli/src/main.rs': 'fn main() { println!("hello 1.0") }\n' })
    const error = await failureOf(tree, deps)
    expect(error).toMatchObject({ code: 'vox/smoke-test-failed' })
    expect(error.message).toContain('it calls itself "hello 1.0"')
    expect(entriesOf(cacheFolder)).toEqual([])
  })

  test('asked to use sccache goes through it where it is there', async () => {
    const { deps, lines } = testDeps()
    // It starts the compiler it is given, as sccache does, and shows that it was asked.
    const PATH = pathWithScript('sccache', 'echo asked >> "$SCCACHE_DIR/asked"; exec "$@"')
    const store = path.join(temporaryFolder(), 'store')
    const request = { source: { location: copyWorkspace() }, build: { ...quickBuild, useSccache: true } }
    await resolveVox(request, { ...deps, env: { ...deps.env, PATH, SCCACHE_DIR: store } })
    expect(lines).toContain('vox: compiling through sccache')
    expect(readFileSync(path.join(store, 'asked'), 'utf8')).toMatch(/^(asked\n)+$/)
  })

  test('asked to use sccache where there is none says so and goes on', async () => {
    const { deps, lines } = testDeps()
    const env = { ...deps.env, PATH: pathWithout('sccache') }
    const request = { source: { location: copyWorkspace() }, build: { ...quickBuild, useSccache: true } }
    expect(await resolveVox(request, { ...deps, env })).toMatchObject({ provenance: 'built' })
    expect(lines.some((line) => line.includes('sccache was asked for and is not on PATH'))).toBe(true)
  })
})

/** Mounts a file system of 1 MiB; a text is why it cannot be. */
function mountSmallDisk(): { folder: string } | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a small disk needs root on Linux'
  const folder = temporaryFolder()
  const options = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]
  const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' })
  if (status !== 0) return stderr.trim()
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]))
  return { folder }
}
