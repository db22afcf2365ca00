import { createHash } from 'node:crypto'

/** All that a built vox depends on. */
export interface BuildIdentity {
  /** Name and version of the operating system's image. */
  readonly image: string
  readonly arch: string
  /** Commit of the source, with its local changes. */
  readonly commit: string
  readonly lockSha256: string | null
  readonly toolchain: string
  readonly profile: 'release' | 'dev'
  readonly overrides: Readonly<Record<string, string>>
  readonly features: readonly string[]
}

/** Changes when what is kept in an entry changes. */
const ENTRY_VERSION = 1

/**
 * Names a cached build: readable parts for people, then a hash of all parts. At most 512 characters, none of them a comma or a path
 * separator; the order of overrides and features makes no difference.
 */
export function cacheKey(identity: BuildIdentity): string {
  const { image, arch, commit, toolchain, profile } = identity
  const readable = [image, arch, commit, toolchain.split(' ')[0] ?? '', profile].map((part) =>
    part.replaceAll(/[^A-Za-z0-9.+_-]+/g, '_').slice(0, 64),
  )
  const overrides = Object.entries(identity.overrides).sort(([a], [b]) => (a < b ? -1 : 1))
  const features = [...new Set(identity.features)].sort()
  return `vox-${readable.join('-')}-${shortHash([ENTRY_VERSION, { ...identity, overrides, features }], 32)}`
}

/** The first `length` hex digits of the sha256 of a JSON value. */
export function shortHash(value: unknown, length = 16): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, length)
}

/** `release`, or with its overrides `release (lto=off, opt-level=1)`. */
export function profileWords(profile: string, overrides: Readonly<Record<string, string>>): string {
  const parts = Object.entries(overrides).map(([name, value]) => `${name}=${value}`)
  return parts.length === 0 ? profile : `${profile} (${parts.sort().join(', ')})`
}

/**
 * Name of the image of a hosted runner, or of the operating system: `ubuntu24-20260105.1`, `debian-12`, `darwin`.
 * @param osRelease text of /etc/os-release, empty where there is none
 */
export function imageName(env: NodeJS.ProcessEnv, osRelease: string, platform: string): string {
  if (env.ImageOS) return [env.ImageOS, env.ImageVersion].filter(Boolean).join('-')
  const fields = new Map([...osRelease.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)].map(([, name, value]) => [name, value]))
  return [fields.get('ID') ?? platform, fields.get('VERSION_ID')].filter(Boolean).join('-')
}
