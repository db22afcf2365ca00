import { mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Place } from './isolated-place.ts'

/**
 * Where cargo works: it writes the target folder, its own home and what else is named, and reads the rest. A build script must not be
 * able to change the tools that are run after it, nor read the tokens of registries.
 */
export async function cargoPlace(
  tree: string,
  writable: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Place> {
  const home = env.CARGO_HOME ?? path.join(env.HOME ?? '/', '.cargo')
  await mkdir(home, { recursive: true })
  const inHome = (name: string) => path.join(home, name)
  return {
    cwd: await realpath(tree),
    readable: [tree],
    writable: [...writable, home],
    guarded: ['bin', 'config.toml', 'config', 'env'].map(inHome),
    masked: ['credentials.toml', 'credentials'].map(inHome),
    env,
  }
}
