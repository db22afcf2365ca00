import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import type { Exec } from '../ports.ts'
import { findProgram } from './find-program.ts'
import type { Isolation } from './isolation.ts'

/**
 * The compiler that the tree is built with, as `1.92.0 x86_64-unknown-linux-gnu (ded5c06cf 2025-12-08)`; rustup honours the tree's own
 * toolchain file, and RUSTUP_TOOLCHAIN in `env` before it.
 * @throws BenchError `vox/no-cargo`, `vox/toolchain-missing`, `vox/toolchain-in-tree`
 */
export async function readToolchain(
  tree: string,
  deps: { readonly exec: Exec; readonly isolation: Isolation; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const { exec, isolation, env } = deps
  for (const program of ['cargo', 'rustc']) {
    if ((await findProgram(program, env)) === null) throw noCargo(program)
  }
  if (env.RUSTUP_TOOLCHAIN === undefined) await refuseOwnCompiler(tree)
  // Rustup may fetch the toolchain here; the build itself only reads it.
  const place = { cwd: tree, readable: [tree], writable: rustupHome(env), env }
  const result = await exec.run(isolation.wrap(['rustc', '-Vv'], place), { cwd: tree, env })
  if (result.kind === 'exited' && result.code === 0) {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(result.stdout)?.[1] ?? 'unknown'
    const commit = `${field('commit-hash').slice(0, 9)} ${field('commit-date')}`
    return `${field('release')} ${field('host')} (${commit})`
  }
  throw toolchainMissing(result.kind === 'not-found' ? 'rustc cannot be run' : result.stderr, env.RUSTUP_TOOLCHAIN)
}

export function rustupHome(env: Readonly<Record<string, string>>): string[] {
  const home = env.RUSTUP_HOME ?? (env.HOME === undefined ? undefined : path.join(env.HOME, '.rustup'))
  return home === undefined ? [] : [home]
}

/** A toolchain file may name a folder whose rustc would be run as it is. */
async function refuseOwnCompiler(tree: string): Promise<void> {
  for (const name of ['rust-toolchain.toml', 'rust-toolchain']) {
    const file = path.join(tree, name)
    if (!existsSync(file) || !/^\s*path\s*=/m.test(await readFile(file, 'utf8'))) continue
    throw new BenchError({
      code: 'vox/toolchain-in-tree',
      message: `${file} names a compiler by its path; such a one is not used.`,
      hint: 'Name an installed toolchain with --vox-toolchain.',
    })
  }
}

function noCargo(program: string): BenchError {
  return new BenchError({
    code: 'vox/no-cargo',
    message: `vox cannot be built: there is no ${program} on PATH.`,
    hint: 'Install Rust with rustup (rustup.rs), or give a vox binary by its path or as an archive.',
  })
}

function toolchainMissing(stderr: string, override: string | undefined): BenchError {
  const [, full] = /toolchain '([^']+)' is not installed/.exec(stderr) ?? []
  // `1.92.0-x86_64-unknown-linux-gnu` is installed as `1.92.0`.
  const name = full?.replace(/-(?:x86_64|aarch64|i686|arm\w*|riscv64\w*|powerpc\w*|s390x)-.+$/, '')
  const who = override === undefined ? "the tree's toolchain file asks for" : 'asked for was'
  if (name === undefined) {
    return new BenchError({
      code: 'vox/toolchain-broken',
      message: `rustc does not work here: ${firstLine(stderr)}`,
      hint: 'Try `rustc -Vv` in the tree and mend the installation, or name another toolchain with --vox-toolchain.',
    })
  }
  return new BenchError({
    code: 'vox/toolchain-missing',
    message: `vox cannot be built: ${who} Rust ${name}, which is not installed.`,
    hint: `Run \`rustup toolchain install ${name}\`, or build with an installed one by --vox-toolchain NAME.`,
  })
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] || 'it says nothing'
}
