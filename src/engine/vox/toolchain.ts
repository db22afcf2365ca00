import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'
import { BenchError } from '../../bench-error.ts'
import type { Exec } from '../ports.ts'
import { findProgram } from './find-program.ts'
import type { Isolation } from './isolation.ts'

/**
 * The compiler that the tree is built with, as `1.92.0 x86_64-unknown-linux-gnu (ded5c06cf 2025-12-08)`.
 * @param deps `env` has what `toolchainVariables` gives
 * @throws BenchError `vox/no-cargo`, `vox/toolchain-missing`, `vox/toolchain-broken`
 */
export async function readToolchain(
  tree: string,
  deps: { readonly exec: Exec; readonly isolation: Isolation; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const { exec, isolation, env } = deps
  for (const program of ['cargo', 'rustc']) {
    if ((await findProgram(program, env)) === null) throw noCargo(program)
  }
  const place = { cwd: tree, readable: [tree], writable: [], env }
  const result = await exec.run(isolation.wrap(['rustc', '-Vv'], place), { cwd: tree, env })
  if (result.kind === 'exited' && result.code === 0) {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(result.stdout)?.[1] ?? 'unknown'
    const commit = `${field('commit-hash').slice(0, 9)} ${field('commit-date')}`
    return `${field('release')} ${field('host')} (${commit})`
  }
  const isOfTree = (await readChannel(tree).catch(() => null)) === env.RUSTUP_TOOLCHAIN
  throw toolchainMissing(result.kind === 'not-found' ? 'rustc cannot be run' : result.stderr, isOfTree)
}

/**
 * What has rustup take one installed toolchain: `override`, or else the channel that the tree's toolchain file names. Rustup itself never
 * follows that file, which may also name a compiler by its path, or be worded so that rustup installs things.
 * @throws BenchError `vox/toolchain-in-tree`, `vox/toolchain-file`
 */
export async function toolchainVariables(tree: string, override: string | undefined): Promise<Record<string, string>> {
  const channel = override ?? (await readChannel(tree))
  return { RUSTUP_AUTO_INSTALL: '0', ...(channel === null ? {} : { RUSTUP_TOOLCHAIN: channel }) }
}

const CHANNEL = /^[A-Za-z0-9][\w.+-]{0,127}$/
const toolchainFileSchema = z.object({
  toolchain: z.object({ channel: z.string().optional(), path: z.unknown().optional() }),
})

/** The first of both files counts, as with rustup; null where there is none, or one that names no channel. */
async function readChannel(tree: string): Promise<string | null> {
  const names = ['rust-toolchain', 'rust-toolchain.toml'].map((name) => path.join(tree, name))
  const file = names.find((name) => existsSync(name))
  if (file === undefined) return null
  if (!(await stat(file)).isFile()) throw badToolchainFile(file, 'it is no file')
  const text = (await readFile(file, 'utf8')).trim()
  if (CHANNEL.test(text)) return text
  const { channel, path: compiler } = parseToolchainFile(file, text)
  if (compiler !== undefined) throw ownCompiler(file)
  if (channel === undefined) return null
  if (CHANNEL.test(channel)) return channel
  throw badToolchainFile(file, `its channel ${JSON.stringify(channel)} names no toolchain`)
}

function parseToolchainFile(file: string, text: string) {
  try {
    return toolchainFileSchema.parse(parse(text)).toolchain
  } catch (error) {
    const why =
      error instanceof TomlError ? (error.message.split('\n')[0] ?? '') : 'it has no [toolchain] with a channel'
    throw badToolchainFile(file, why)
  }
}

function ownCompiler(file: string): BenchError {
  return new BenchError({
    code: 'vox/toolchain-in-tree',
    message: `${file} names a compiler by its path; such a one is not used.`,
    hint: 'Name an installed toolchain with --vox-toolchain.',
  })
}

function badToolchainFile(file: string, why: string): BenchError {
  return new BenchError({
    code: 'vox/toolchain-file',
    message: `${file} cannot be followed: ${why}.`,
    hint: 'Mend the file, or name an installed toolchain with --vox-toolchain.',
  })
}

function noCargo(program: string): BenchError {
  return new BenchError({
    code: 'vox/no-cargo',
    message: `vox cannot be built: there is no ${program} on PATH.`,
    hint: 'Install Rust with rustup (rustup.rs), or give a vox binary by its path or as an archive.',
  })
}

function toolchainMissing(stderr: string, isOfTree: boolean): BenchError {
  // Before 1.28, rustup tries to fetch it, and cannot.
  const [, full] = /(?:toolchain|channel updates for) '([^']+)'(?: is not installed)?$/m.exec(stderr) ?? []
  // `1.92.0-x86_64-unknown-linux-gnu` is installed as `1.92.0`.
  const name = full?.replace(/-(?:x86_64|aarch64|i686|arm\w*|riscv64\w*|powerpc\w*|s390x)-.+$/, '')
  const who = isOfTree ? "the tree's toolchain file asks for" : 'asked for was'
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
