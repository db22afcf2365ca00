import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { resolveVox } from '../../../src/engine/vox/resolve-vox.ts'
import { sourceState } from '../../../src/engine/vox/source-state.ts'
import { openVoxEngine } from '../../../src/engine/vox-engine.ts'
import {
  commitAll,
  copyWorkspace,
  entriesOf,
  hasCargo,
  needsCargo,
  quickBuild,
  runProgram,
  temporaryFolder,
  testDeps,
} from './vox-workspace.ts'

vi.setConfig({ testTimeout: 180_000 })

const PROGRAM = `fn double(n: int) to int {
    return n * 2
}

fn main() to str {
    assert(double(21) is 42)
    assert([1, 2][5].is_none())
    return "fine"
}
`

test('an executable at a path is used as it is', async () => {
  const executable = path.join(temporaryFolder(), 'vox')
  writeFileSync(executable, '')
  const { deps, lines } = testDeps()
  expect(await resolveVox({ path: executable, build: quickBuild }, deps)).toEqual({
    executable,
    provenance: 'path',
    sourceCommit: null,
    toolchain: null,
    profile: null,
    sourceGate: null,
  })
  expect(lines).toEqual([`vox: using ${executable}`])
})

test.each(['/no/such/vox', '/'])('a path without an executable is refused: %s', async (given) => {
  const { deps } = testDeps()
  await expect(resolveVox({ path: given, build: quickBuild }, deps)).rejects.toMatchObject({
    code: 'vox/no-executable',
  })
})

test('a path wins over a source', async () => {
  const { deps } = testDeps()
  const request = { path: process.execPath, source: { location: '/no/such/tree' }, build: quickBuild }
  expect(await resolveVox(request, deps)).toMatchObject({ provenance: 'path' })
})

test('a request that names nothing is refused', async () => {
  await expect(resolveVox({ build: quickBuild }, testDeps().deps)).rejects.toMatchObject({ code: 'vox/nothing-asked' })
})

const noWorkspaces = ['/no/such/tree', path.join(import.meta.dirname, 'workspace', 'crates')]
test.each(noWorkspaces)('a source that is no workspace is refused: %s', async (location) => {
  const { deps } = testDeps()
  const refused = resolveVox({ source: { location }, build: quickBuild }, deps)
  await expect(refused).rejects.toMatchObject({ code: 'vox/no-source' })
})

test('a work folder in the tree it is to build is refused', async () => {
  const tree = copyWorkspace()
  const { deps } = testDeps({ workFolder: path.join(tree, 'out', 'work') })
  const refused = resolveVox({ source: { location: tree }, build: quickBuild }, deps)
  await expect(refused).rejects.toMatchObject({ code: 'vox/work-in-tree' })
})

describe.skipIf(!hasCargo)(`a source folder${needsCargo}`, () => {
  test('is built once, comes from the cache after that, and works as an engine', async () => {
    const tree = copyWorkspace()
    const commit = commitAll(tree)
    const { deps, lines, progress, cacheFolder } = testDeps()
    const request = { source: { location: tree }, build: quickBuild }

    const built = await resolveVox(request, deps)
    expect(built).toMatchObject({ provenance: 'built', sourceCommit: commit, profile: 'release (opt-level=0)' })
    expect(built.toolchain).toMatch(/^\d+\.\d+\.\d+\S* \S+ \([0-9a-f]{9} /)
    expect(lines.some((line) => line.startsWith(`vox: building ${commit} with `))).toBe(true)
    expect(lines.some((line) => /^vox: built 4 crates in \d+ s$/.test(line))).toBe(true)
    expect(progress.at(-1)).toMatch(/^vox: 4 of 4 crates, \d+ s$/)
    expect(entriesOf(cacheFolder)).toHaveLength(1)

    // Another machine: the cache is all there is.
    rmSync(deps.workFolder, { recursive: true })
    const restored = await resolveVox(request, deps)
    expect(restored).toEqual({ ...built, provenance: 'cache' })
    expect(lines.at(-1)).toBe(`vox: cached build ${entriesOf(cacheFolder)[0]} restored`)
    expect(existsSync(path.join(deps.workFolder, 'targets'))).toBe(false)

    const engine = await openVoxEngine({
      executable: restored.executable,
      // A build is the same wherever it was kept.
      origin: { ...restored, provenance: 'built' },
      sandbox: 'best',
      env: deps.env,
      log: () => {},
    })
    try {
      expect(engine.identity).toMatchObject({ version: 'vox 0.0.1', sourceCommit: commit })
      expect(await engine.check(PROGRAM)).toEqual({ kind: 'accepted', warnings: [] })
      expect(await engine.check('fn main() to str { return nowhere }')).toMatchObject({ kind: 'rejected' })
      expect(await engine.run(PROGRAM)).toMatchObject({ kind: 'exited', code: 0, stdout: { lastLine: 'fine' } })
      const failing = PROGRAM.replace('is 42', 'is 43')
      expect(await engine.run(failing)).toMatchObject({ kind: 'exited', code: 1 })
    } finally {
      await engine.close()
    }
  })

  test('is not touched by a build', async () => {
    const tree = copyWorkspace()
    const { deps } = testDeps()
    const before = await sourceState(tree, { exec: deps.exec, env: {} })
    await resolveVox({ source: { location: tree }, build: quickBuild }, deps)
    expect(await sourceState(tree, { exec: deps.exec, env: {} })).toBe(before)
    expect(readdirSync(tree)).not.toContain('target')
  })

  test('without a lock file is built with a warning, where that needs no writing to it', async () => {
    const tree = copyWorkspace()
    rmSync(path.join(tree, 'Cargo.lock'))
    const { deps, lines } = testDeps()
    const outcome = await resolveVox({ source: { location: tree }, build: quickBuild }, deps).catch((error) => error)
    expect(lines.some((line) => line.includes('no Cargo.lock'))).toBe(true)
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'vox/build-writes-tree' })
    else expect(outcome).toMatchObject({ provenance: 'built' })
  })

  test('is built anew for other features, profiles and local changes', async () => {
    const tree = copyWorkspace()
    const commit = commitAll(tree)
    const { deps, cacheFolder } = testDeps()
    const build = (change: object) =>
      resolveVox({ source: { location: tree }, build: { ...quickBuild, ...change } }, deps)
    await build({})
    expect(await build({ features: ['extra'] })).toMatchObject({
      provenance: 'built',
      profile: 'release (opt-level=0)',
    })
    expect(await build({ profile: 'dev', overrides: {} })).toMatchObject({ provenance: 'built', profile: 'dev' })
    writeFileSync(path.join(tree, 'notes.txt'), 'a local change')
    const { sourceCommit, provenance } = await build({})
    expect(provenance).toBe('built')
    expect(sourceCommit).toMatch(new RegExp(`^${commit}\\+dirty\\.[0-9a-f]{12}$`))
    expect(entriesOf(cacheFolder)).toHaveLength(4)
  })

  const damages: readonly [string, (entry: string) => void][] = [
    [
      'an executable that was changed',
      (entry) => writeFileSync(path.join(entry, 'vox'), '#!/bin/sh\necho "vox 0.0.1"\n'),
    ],
    ['no executable', (entry) => rmSync(path.join(entry, 'vox'))],
    ['a record that is half written', (entry) => writeFileSync(path.join(entry, 'vox-build.json'), '{"sha256": "')],
    ['a record of another shape', (entry) => writeFileSync(path.join(entry, 'vox-build.json'), '{}')],
    ['an executable that no longer runs here', exchangeExecutable],
  ]
  test('is rebuilt, with a warning, when the cached copy is damaged in any way', async () => {
    const tree = copyWorkspace()
    const { deps, lines, cacheFolder } = testDeps()
    const request = { source: { location: tree }, build: quickBuild }
    await resolveVox(request, deps)
    const entry = path.join(cacheFolder, entriesOf(cacheFolder)[0] ?? '')
    for (const [what, damage] of damages) {
      damage(entry)
      rmSync(path.join(deps.workFolder, 'builds'), { recursive: true })
      lines.length = 0
      expect([what, (await resolveVox(request, deps)).provenance]).toEqual([what, 'built'])
      expect(lines.filter((line) => line.startsWith('vox: warning: the cached build'))).toHaveLength(1)
    }
    rmSync(path.join(deps.workFolder, 'builds'), { recursive: true })
    expect((await resolveVox(request, deps)).provenance).toBe('cache')
  })

  test('is built all the same when the cache is out of order', async () => {
    const { deps, lines } = testDeps({
      cache: {
        restore: () => Promise.reject(new Error('no such service')),
        save: () => Promise.reject(new Error('quota')),
      },
    })
    const vox = await resolveVox({ source: { location: copyWorkspace() }, build: quickBuild }, deps)
    expect(runProgram(vox.executable, PROGRAM)).toBe('fine\n')
    expect(lines.filter((line) => line.startsWith('vox: warning'))).toEqual([
      'vox: warning: the cache cannot be read: no such service',
      'vox: warning: the build is not in the cache: quota',
    ])
  })
})

/** Puts a program in the place of the executable that fits its record and does not work. */
function exchangeExecutable(entry: string): void {
  const text = '#!/no/such/interpreter\n'
  writeFileSync(path.join(entry, 'vox'), text)
  const file = path.join(entry, 'vox-build.json')
  const record = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...record, sha256: createHash('sha256').update(text).digest('hex') }))
}
