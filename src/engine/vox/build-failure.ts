import { BenchError } from '../../bench-error.ts'

export function isDiskFull(output: string): boolean {
  return /No space left on device|os error 28\b|not enough space on the disk/.test(output)
}

/**
 * Whether cargo lacks a dependency, for the network or what is at its other end; as it says so itself, for a source's gate prints
 * diffs that may have such words.
 */
export function isUnfetched(output: string): boolean {
  return /^error: failed to (?:download|fetch|get)|spurious network error|Could not resolve host/m.test(output)
}

export function memoryTrouble(tail: string): BenchError {
  return new BenchError({
    code: 'infra/vox-memory',
    message: `the build of vox ran out of memory, even with 1 job.\n${tail}`,
    hint: 'Build on a machine with more memory, or with cheaper settings: --vox-overrides lto=off,opt-level=1.',
  })
}

interface Reason {
  readonly sign: RegExp
  readonly code: string
  message(match: RegExpExecArray): string
  readonly hint: string
}

/** What cargo says, and what it means here. The first that matches counts. */
const REASONS: readonly Reason[] = [
  {
    sign: /package ID specification `vox-cli` did not match any packages/,
    code: 'vox/no-vox-cli',
    message: () => 'the source tree has no package vox-cli.',
    hint: 'Give the root of a vox checkout.',
  },
  {
    sign: /cannot update the lock file|lock file .* needs to be updated but --locked/,
    code: 'vox/lock-outdated',
    message: () => "the tree's Cargo.lock does not fit its manifests, and building never changes the tree.",
    hint: 'Run `cargo update --workspace` in the tree and commit the lock file.',
  },
  {
    sign: /requires rustc ([\d.]+)/,
    code: 'vox/toolchain-old',
    message: ([, needed]) => `the compiler is too old for the tree, which needs Rust ${needed}.`,
    hint: 'Install a newer toolchain with rustup and name it with --vox-toolchain.',
  },
  {
    sign: /toolchain '([^']+)' is not installed/,
    code: 'vox/toolchain-missing',
    message: ([, name]) => `the toolchain ${name} is not installed.`,
    hint: 'Install it with `rustup toolchain install`, or name another with --vox-toolchain.',
  },
  {
    sign: /does not (?:have|contain) (?:this|the) feature|the package '[^']+' does not contain this feature|none of the selected packages contains (?:this|these) feature/,
    code: 'vox/no-feature',
    message: () => 'vox-cli does not have a feature that was asked for.',
    hint: 'Check --vox-features against crates/vox-cli/Cargo.toml.',
  },
  {
    sign: /linker `([^`]+)` not found/,
    code: 'vox/no-linker',
    message: ([, name]) => `the linker ${name} is not installed.`,
    hint: "Install a C toolchain, e.g. the distribution's build-essential.",
  },
  {
    sign: /(?:failed to (?:download|fetch|get)|spurious network error|Could not resolve host)/,
    code: 'infra/vox-download',
    message: () => 'cargo could not fetch what vox depends on.',
    hint: 'Check the network and proxies, then run again.',
  },
  {
    sign: /Read-only file system/,
    code: 'vox/build-writes-tree',
    message: () => 'a step of the build tried to write outside its target folder, which is not allowed.',
    hint: 'Building must leave the tree as it is; let the build script write to OUT_DIR.',
  },
  {
    sign: /couldn't read `?([^`:\n]+)`?: No such file|failed to (?:load|read) (?:manifest|source)[^\n]*/,
    code: 'vox/tree-incomplete',
    message: ([line, file]) => `a file of the tree is missing: ${file ?? line}`,
    hint: 'Check that the checkout is complete (`git status`, submodules, large files).',
  },
]

/** The error for a build, by `command`, that failed for another reason than memory or disk. */
export function buildFailure(command: readonly string[], output: string, tail: string): BenchError {
  for (const { sign, code, message, hint } of REASONS) {
    const match = sign.exec(output)
    if (match === null) continue
    return new BenchError({ code, message: `vox cannot be built: ${message(match)}\n${tail}`, hint })
  }
  return new BenchError({
    code: 'vox/build-failed',
    message: `cargo could not build vox.\n${tail}`,
    hint: `See the whole log; the same command in the tree is \`${command.join(' ')}\`.`,
  })
}
