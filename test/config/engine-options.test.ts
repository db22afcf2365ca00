import { expect, test } from 'vitest'
import { BenchError } from '../../src/bench-error.ts'
import { parseEngineOptions } from '../../src/config/engine-options.ts'
import type { GivenOptions } from '../../src/config/read-flags.ts'

const SHA256 = 'a'.repeat(64)

function problemsOf(given: GivenOptions): string {
  try {
    parseEngineOptions(given, (name) => `--${name}`)
  } catch (error) {
    if (error instanceof BenchError) return error.message
    throw error
  }
  throw new Error('no problem was found')
}

test('nothing given is the embedded engine, with the best sandbox there is', () => {
  const options = parseEngineOptions({}, (name) => name)
  expect(options).toMatchObject({ sandbox: 'best', 'vox-profile': 'release', 'source-gate': 'off' })
  expect(options.engine).toBeUndefined()
})

test('overrides and features are lists', () => {
  const options = parseEngineOptions(
    { 'vox-source': '../vox', 'vox-overrides': 'opt-level=1, lto=off', 'vox-features': 'a' },
    (name) => name,
  )
  expect(options['vox-overrides']).toEqual(['opt-level=1', 'lto=off'])
  expect(options['vox-features']).toEqual(['a'])
})

test.each([
  [{ engine: 'vox' }, /--engine: is "vox", but nothing says where to get it/],
  [{ engine: 'embedded', vox: 'bin/vox' }, /--vox: the engine is "embedded"/],
  [{ engine: 'wasm' }, /--engine: must be embedded or vox/],
  [{ vox: 'a', 'vox-source': 'b' }, /--vox-source: vox comes from "vox" already/],
  [{ 'vox-archive': 'https://example.com/vox.tgz' }, /--vox-archive: needs "vox-sha256"/],
  [{ 'vox-sha256': SHA256 }, /--vox-sha256: is of a "vox-archive"/],
  [{ 'vox-archive': 'a.tgz', 'vox-sha256': 'abc' }, /--vox-sha256: must be 64 hexadecimal digits/],
  [{ 'vox-source': '../vox', 'vox-ref': 'main' }, /--vox-ref: is of a "vox-source" that is a git URL/],
  [{ 'vox-source': 'https://example.com/vox.git', 'vox-ref': '--upload-pack=x' }, /--vox-ref: must be a branch/],
  [{ 'vox-source': '../vox', 'vox-overrides': 'rustflags' }, /--vox-overrides: must be written like opt-level=1/],
  [{ 'source-gate': 'require' }, /--source-gate: is of a "vox-source"/],
  [{ vox: 'a', 'vox-profile': 'dev' }, /--vox-profile: is of a "vox-source"/],
  [{ 'vox-overrides': 'lto=off' }, /--vox-overrides: is of a "vox-source"/],
  [{ 'vox-sccache': true }, /--vox-sccache: is of a "vox-source"/],
  [{ sandbox: 'on' }, /--sandbox: must be require or best or off, got "on"\.$/],
  [{ sandbox: 'none' }, /--sandbox: must be require or best or off/],
  [{ vox: '' }, /--vox: is present but empty/],
] as const)('%o is refused', (given, problem) => {
  expect(problemsOf(given)).toMatch(problem)
})

test('all problems are listed at once', () => {
  const text = problemsOf({ 'vox-jobs': '0', sandbox: 'maybe', 'vox-profile': 'fast' })
  expect(text).toContain('3 problems')
  for (const name of ['vox-jobs', 'sandbox', 'vox-profile']) expect(text).toContain(`--${name}:`)
})
