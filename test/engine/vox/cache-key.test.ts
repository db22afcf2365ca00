import { expect, test } from 'vitest'
import { type BuildIdentity, cacheKey, imageName, profileWords } from '../../../src/engine/vox/cache-key.ts'

const identity: BuildIdentity = {
  image: 'debian-12',
  arch: 'x64',
  commit: '3456cc901b4b44bed8a00966206950544b7999b2',
  lockSha256: 'ab'.repeat(32),
  toolchain: '1.92.0 x86_64-unknown-linux-gnu (ded5c06cf 2025-12-08)',
  profile: 'release',
  overrides: { lto: 'off', 'opt-level': '1' },
  features: ['a', 'b'],
}

test('the key names image, architecture, commit, toolchain and profile for people', () => {
  expect(cacheKey(identity)).toMatch(
    /^vox-debian-12-x64-3456cc901b4b44bed8a00966206950544b7999b2-1\.92\.0-release-[0-9a-f]{32}$/,
  )
})

const changes: readonly Partial<BuildIdentity>[] = [
  { image: 'debian-13' },
  { arch: 'arm64' },
  { commit: `${identity.commit}+dirty.0123456789ab` },
  { lockSha256: null },
  { toolchain: '1.92.0 x86_64-unknown-linux-gnu (000000000 2025-12-08)' },
  { profile: 'dev' },
  { overrides: { lto: 'off' } },
  { features: ['a'] },
]
test.each(changes)('every part changes the key: %o', (change) => {
  expect(cacheKey({ ...identity, ...change })).not.toBe(cacheKey(identity))
})

test('the order of features and overrides makes no difference', () => {
  const reordered = { ...identity, features: ['b', 'a'], overrides: { 'opt-level': '1', lto: 'off' } }
  expect(cacheKey(reordered)).toBe(cacheKey(identity))
})

test('a key fits every cache, whatever its parts hold', () => {
  const key = cacheKey({ ...identity, image: `a,b/${'x'.repeat(600)}`, commit: 'é'.repeat(600) })
  expect(key.length).toBeLessThanOrEqual(512)
  expect(key).toMatch(/^[A-Za-z0-9.+_-]+$/)
})

test('a hosted runner is named by its image, another machine by its system', () => {
  const osRelease = 'PRETTY_NAME="Debian"\nID=debian\nVERSION_ID="12"\n'
  expect(imageName({ ImageOS: 'ubuntu24', ImageVersion: '20260105.1' }, osRelease, 'linux')).toBe('ubuntu24-20260105.1')
  expect(imageName({}, osRelease, 'linux')).toBe('debian-12')
  expect(imageName({}, '', 'darwin')).toBe('darwin')
})

test('a profile is told with its overrides', () => {
  expect(profileWords('release', identity.overrides)).toBe('release (lto=off, opt-level=1)')
  expect(profileWords('dev', {})).toBe('dev')
})
