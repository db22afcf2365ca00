import { expect, test } from 'vitest'
import { buildEnvironment, profileVariables, secretNames } from '../../../src/engine/vox/build-environment.ts'

const env = {
  PATH: '/bin',
  HOME: '/home/me',
  CARGO_HOME: '/home/me/.cargo',
  CARGO_NET_OFFLINE: 'true',
  CARGO_NET_TOKEN: 'abc',
  CARGO_REGISTRIES_MINE_TOKEN: 'abc',
  CARGO_REGISTRY_TOKEN: 'abc',
  https_proxy: 'http://127.0.0.1:1',
  VOX_SOURCE_TOKEN: 'abc',
  OPENAI_API_KEY: 'abc',
  EMPTY_TOKEN: '',
  RUSTFLAGS: '-C target-cpu=native',
  SCCACHE_DIR: '/cache',
}

test('cargo gets what it needs and no keys', () => {
  expect(buildEnvironment(env)).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    CARGO_HOME: '/home/me/.cargo',
    CARGO_NET_OFFLINE: 'true',
    https_proxy: 'http://127.0.0.1:1',
  })
})

test('settings of sccache pass only where it is asked for', () => {
  expect(buildEnvironment(env, true).SCCACHE_DIR).toBe('/cache')
})

test('what looks like a key is named, empty ones left out', () => {
  expect(secretNames(env)).toEqual([
    'CARGO_NET_TOKEN',
    'CARGO_REGISTRIES_MINE_TOKEN',
    'CARGO_REGISTRY_TOKEN',
    'OPENAI_API_KEY',
    'VOX_SOURCE_TOKEN',
  ])
})

test.each([
  'DB_PASS',
  'DB_PASSWD',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GITHUB_PAT',
  'GITHUB_PAT_2',
  'PAT',
  'SIGNING_PASSPHRASE',
  'AWS_SECRET_ACCESS_KEY',
  'npm_config__authToken',
  'REGISTRY_AUTH',
  'HTTP_AUTHORIZATION',
  'DB_CREDS',
  'SESSION_COOKIE',
  'SENTRY_DSN',
  'PRIVATE_PEM',
])('%s looks like a key', (name) => {
  expect(secretNames({ [name]: 'abc' })).toEqual([name])
})

test.each([
  ...['GPG_KEY', 'SSH_AUTH_SOCK', 'GIT_ASKPASS', 'SUDO_ASKPASS', 'PATH', 'CARGO_PATH', 'PATTERN', 'XAUTHORITY'],
  ...['GIT_AUTHOR_EMAIL', 'AUTHORS', 'WINDSN'],
])('%s is public', (name) => {
  expect(secretNames({ [name]: 'abc' })).toEqual([])
})

test.each(['https://me:abc@127.0.0.1/x', 'postgres://me:abc@db', 'see redis://:abc@127.0.0.1'])(
  'a URL with a password looks like a key: %s',
  (value) => {
    expect(secretNames({ DATABASE: value })).toEqual(['DATABASE'])
  },
)

test.each(['https://127.0.0.1:8080/@x', 'http://me@127.0.0.1', 'unix:path=/run/bus', 'https://[::1]:80/a?b=c:d@e'])(
  'a URL without a password is public: %s',
  (value) => {
    expect(secretNames({ DATABASE: value })).toEqual([])
  },
)

test('settings of a profile reach cargo by its variables', () => {
  expect(profileVariables('release', { 'opt-level': '1', lto: 'off' })).toEqual({
    CARGO_PROFILE_RELEASE_OPT_LEVEL: '1',
    CARGO_PROFILE_RELEASE_LTO: 'off',
  })
  expect(profileVariables('dev', { debug: '0' })).toEqual({ CARGO_PROFILE_DEV_DEBUG: '0' })
})

test('a setting that cargo would pass over is refused', () => {
  expect(() => profileVariables('release', { 'opt-levle': '1' })).toThrow(/opt-levle/)
})
