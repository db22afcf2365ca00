import { expect, test } from 'vitest'
import { whyUnofficial } from '../../src/engine/engine.ts'
import { STAND_IN_IDENTITY } from './stand-in.ts'

const VOX = { ...STAND_IN_IDENTITY, version: 'vox 0.6.0', profile: 'release', sourceCommit: 'a'.repeat(40) }

test('a clean release build that calls itself vox is official', () => {
  expect(whyUnofficial(VOX)).toBeNull()
  expect(whyUnofficial({ ...VOX, profile: null, sourceCommit: null })).toBeNull()
})

test.each([
  [{ version: 'vox-embedded 0.1.0' }, /calls itself vox-embedded/],
  [{ kind: 'embedded' as const }, /embedded engine/],
  [{ profile: 'release (opt-level=0)' }, /profile release \(opt-level=0\)/],
  [{ profile: 'dev' }, /profile dev/],
  [{ sourceCommit: `${'a'.repeat(40)}+dirty.0123456789ab` }, /local changes/],
])('%o is not, and the reason is told', (changes, reason) => {
  expect(whyUnofficial({ ...VOX, ...changes })).toMatch(reason)
})
