import { expect, test } from 'vitest'
import { countPackages, createBuildProgress, formatDuration } from '../../../src/engine/vox/build-progress.ts'
import { chooseExecutable } from '../../../src/engine/vox/cargo-build.ts'

function artifact(id: string, kind: string, executable: string | null = null): string {
  const target = { name: executable?.split('/').at(-1) ?? id, kind: [kind] }
  return `${JSON.stringify({ reason: 'compiler-artifact', package_id: id, target, executable })}\n`
}

test('a package counts once, however many artifacts it has', () => {
  const progress = createBuildProgress()
  progress.add(Buffer.from(artifact('a', 'lib') + artifact('a', 'bin', '/t/a') + artifact('b', 'proc-macro')))
  expect(progress.cratesDone()).toBe(2)
})

test('a build script alone does not make its package done', () => {
  const progress = createBuildProgress()
  expect(progress.add(Buffer.from(artifact('a', 'custom-build')))).toBe(false)
  expect(progress.add(Buffer.from(artifact('a', 'lib')))).toBe(true)
})

test('messages are read across pieces that are cut anywhere', () => {
  const text = artifact('a', 'lib') + artifact('b', 'bin', '/été/vox')
  const progress = createBuildProgress()
  for (const byte of Buffer.from(text)) progress.add(Buffer.of(byte))
  expect([progress.cratesDone(), progress.executables().get('vox')]).toEqual([2, '/été/vox'])
})

test('what build scripts print between messages is passed over', () => {
  const progress = createBuildProgress()
  progress.add(Buffer.from(`hello\n{broken\n${artifact('a', 'lib')}`))
  expect(progress.cratesDone()).toBe(1)
})

test('packages of cargo tree are counted without their repetitions', () => {
  const tree =
    'vox-cli v0.1.0 (/src/crates/vox-cli)\nserde v1.0.1\nserde v1.0.1 (*)\nserde v0.9.0\nm v1.0.0 (proc-macro)\n\n'
  expect(countPackages(tree)).toBe(4)
})

test('durations read in seconds and minutes', () => {
  expect([12_400, 250_000, 3_600_000].map(formatDuration)).toEqual(['12 s', '4 min 10 s', '60 min 0 s'])
})

test('the executable named vox is taken among several', () => {
  expect(
    chooseExecutable(
      new Map([
        ['vox-compilerd', '/t/d'],
        ['vox', '/t/vox'],
      ]),
    ),
  ).toBe('/t/vox')
})

test('a lone executable is taken whatever its name', () => {
  expect(chooseExecutable(new Map([['voxc', '/t/voxc']]))).toBe('/t/voxc')
})

test('several executables without a vox are an error that lists them', () => {
  expect(() =>
    chooseExecutable(
      new Map([
        ['b', '/t/b'],
        ['a', '/t/a'],
      ]),
    ),
  ).toThrow(/a, b/)
})
