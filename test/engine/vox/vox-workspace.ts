import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { createFolderCache } from '../../../src/cli/folder-cache.ts'
import { createProcessExec } from '../../../src/cli/process-exec.ts'
import type { VoxBuildOptions, VoxDeps } from '../../../src/engine/vox/resolve-vox.ts'

/** Whether a program answers to `--version`. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}

export const hasCargo = isInstalled('cargo')
/** Tests of builds fail where cargo is broken and are skipped, for the reason in their title, where there is none. */
export const needsCargo = hasCargo ? '' : ' (skipped: there is no cargo on PATH)'

/** A folder of this test alone. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vox-build-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A copy of the small vox workspace, with other files in or over it. */
export function copyWorkspace(files: Readonly<Record<string, string>> = {}): string {
  const folder = path.join(temporaryFolder(), 'tree')
  cpSync(path.join(import.meta.dirname, 'workspace'), folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 })
  }
  return folder
}

/** Fast to build, small on disk. */
export const quickBuild: VoxBuildOptions = {
  profile: 'release',
  overrides: { 'opt-level': '0' },
  features: [],
  memoryPerJobGb: 0.25,
  minDiskGb: 0.1,
  useSccache: false,
  sourceGate: 'off',
}

/** Real exec and cache over one folder, and what was logged. */
export function testDeps(overrides: Partial<VoxDeps> = {}) {
  const root = temporaryFolder()
  const lines: string[] = []
  const progress: string[] = []
  const cacheFolder = path.join(root, 'cache')
  const deps: VoxDeps = {
    exec: createProcessExec(),
    cache: createFolderCache(cacheFolder),
    workFolder: path.join(root, 'work'),
    // A toolchain that is missing must not be fetched by a test.
    env: { ...process.env, RUSTUP_AUTO_INSTALL: '0' },
    log: (line, isProgress) => (isProgress ? progress : lines).push(line),
    ...overrides,
  }
  return { deps, lines, progress, cacheFolder }
}

/** Names of the entries of a folder, which need not exist. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** What a vox prints for a program. */
export function runProgram(executable: string, program: string): string {
  const file = path.join(temporaryFolder(), 'program.vox')
  writeFileSync(file, program)
  return execFileSync(executable, ['run', '--mode', 'interp', file], { encoding: 'utf8' })
}

/** Makes a folder a repository with one commit; returns the commit. */
export function commitAll(folder: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  if (!existsSync(path.join(folder, '.git'))) git('init', '--quiet', '--initial-branch', 'main')
  git('add', '--all', '--force')
  git('commit', '--quiet', '--message', 'state')
  return git('rev-parse', 'HEAD')
}

const mirrors = new Map<string, string>()
afterAll(() => {
  for (const mirror of mirrors.values()) rmSync(mirror, { recursive: true, force: true })
})

/** A PATH with all that is on the real one, but for these programs. Nothing may be written there. */
export function pathWithout(...programs: string[]): string {
  const known = mirrors.get(programs.join())
  if (known !== undefined) return known
  const mirror = realpathSync(mkdtempSync(path.join(tmpdir(), 'vox-build-path-')))
  mirrors.set(programs.join(), mirror)
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of entriesOf(folder)) {
      // The first on the PATH counts.
      if (!programs.includes(name) && !existsSync(path.join(mirror, name))) {
        symlinkSync(path.join(folder, name), path.join(mirror, name))
      }
    }
  }
  return mirror
}

/** The same, with a shell script in the place of one of them. */
export function pathWithScript(name: string, script: string, ...without: string[]): string {
  const bin = path.join(temporaryFolder(), 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return [bin, pathWithout(name, ...without)].join(path.delimiter)
}
