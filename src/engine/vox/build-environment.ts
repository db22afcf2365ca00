import { BenchError } from '../../bench-error.ts'

/** What tools that find and build vox may know of our environment. Registry tokens and other keys are not in it. */
const ALLOWED = new Set(
  [
    ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'USERPROFILE', 'RUNNER_TEMP'],
    ...['CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'RUSTUP_AUTO_INSTALL', 'RUSTUP_DIST_SERVER'],
    ...['RUSTUP_UPDATE_ROOT', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
    // Where native libraries and their tools are.
    ...['CC', 'CXX', 'AR', 'PKG_CONFIG_PATH', 'LIBCLANG_PATH', 'PROTOC', 'OPENSSL_DIR'],
  ].map((name) => name.toUpperCase()),
)
const ALLOWED_PREFIXES = ['CARGO_NET_', 'CARGO_HTTP_']
const SCCACHE = new Set(['SCCACHE_DIR', 'SCCACHE_CACHE_SIZE', 'SCCACHE_CONF', 'SCCACHE_IDLE_TIMEOUT'])

const SECRET = /KEY|TOKEN|SECRET|PASS|CRED|COOKIE|PRIVATE|AUTH(?!OR(?!I))|(?:^|_)(?:PAT|DSN)(?:_|$)/i
/** Named like secrets: the fingerprint of a key, programs that ask for passwords, a socket and a file. */
const PUBLIC = /^GPG_KEY$|^SSH_AUTH_SOCK$|^XAUTHORITY$|ASKPASS$/i
const URL_WITH_PASSWORD = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:[^\s/?#]+@/i

const isSecret = (name: string) => SECRET.test(name) && !PUBLIC.test(name)

/**
 * The environment of git, cargo and rustc: an allowlist over ours, in which nothing that is named like a secret passes. A proxy passes as
 * it is, with the user and password that its URL may have: without them nothing could be fetched.
 */
export function buildEnvironment(env: NodeJS.ProcessEnv, hasSccache = false): Record<string, string> {
  const isAllowed = (name: string) =>
    ALLOWED.has(name.toUpperCase()) ||
    ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    (hasSccache && SCCACHE.has(name))
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && isAllowed(name) && !isSecret(name) ? [[name, value]] : [],
    ),
  )
}

/** What Cargo.toml knows of a profile; cargo passes over other names without a word. */
const PROFILE_SETTINGS = new Set([
  ...['opt-level', 'debug', 'split-debuginfo', 'strip', 'debug-assertions', 'overflow-checks', 'lto', 'panic'],
  ...['incremental', 'codegen-units', 'rpath'],
])

/**
 * The variables by which cargo takes settings of a profile in the place of those of the tree.
 * @throws BenchError `vox/unknown-override`
 */
export function profileVariables(
  profile: 'release' | 'dev',
  overrides: Readonly<Record<string, string>>,
): Record<string, string> {
  const unknown = Object.keys(overrides).filter((name) => !PROFILE_SETTINGS.has(name))
  if (unknown.length > 0) {
    throw new BenchError({
      code: 'vox/unknown-override',
      message: `a build profile has no ${unknown.join(', ')}.`,
      hint: `Settings are named as in Cargo.toml: ${[...PROFILE_SETTINGS].join(', ')}.`,
    })
  }
  const variable = (name: string) => `CARGO_PROFILE_${profile}_${name}`.toUpperCase().replaceAll('-', '_')
  return Object.fromEntries(Object.entries(overrides).map(([name, value]) => [variable(name), value]))
}

/** Names of variables with a value that are named like secrets, or hold a URL with a password. */
export function secretNames(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env)
    .flatMap(([name, value = '']) => ((value !== '' && isSecret(name)) || URL_WITH_PASSWORD.test(value) ? [name] : []))
    .sort()
}
