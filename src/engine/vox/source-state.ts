import { createHash, type Hash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import type { Exec } from '../ports.ts'

/** Git that changes nothing in a repository and starts nothing it configures. */
const QUIET_GIT = ['git', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/**
 * What a tree holds, as one word: its commit; with local changes `<commit>+dirty.<12 hex>`; without git `tree.<40 hex>` over its files
 * but `target`.
 * @throws BenchError `vox/git-failed`
 */
export async function sourceState(
  tree: string,
  deps: { readonly exec: Exec; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  if (!existsSync(path.join(tree, '.git'))) return `tree.${(await hashFolder(tree)).slice(0, 40)}`

  async function git(...args: string[]): Promise<string> {
    const env = { ...deps.env, GIT_OPTIONAL_LOCKS: '0', GIT_LFS_SKIP_SMUDGE: '1' }
    const result = await deps.exec.run([...QUIET_GIT, ...args], { cwd: tree, env })
    if (result.kind === 'exited' && result.code === 0) return result.stdout
    throw gitFailed(args[0] ?? '', tree, result.kind === 'not-found' ? 'there is no git on PATH' : result.stderr)
  }

  const commit = (await git('rev-parse', 'HEAD')).trim()
  // What lies in the tree is built, so it is read there: a clone may lack the content of what was changed.
  // A repository may be configured to say nothing of what changed in submodules.
  const everything = ['--untracked-files=all', '--ignore-submodules=none']
  const status = await git('status', '--porcelain', '-z', '--no-renames', ...everything)
  if (status === '') return commit
  const hash = createHash('sha256').update(status)
  const changed = status.split('\0').map((entry) => entry.slice('XY '.length))
  for (const name of changed.filter((name) => existsSync(path.join(tree, name))).sort())
    await hashFile(hash, tree, name)
  return `${commit}+dirty.${hash.digest('hex').slice(0, 12)}`
}

/** Of all files but what git keeps for itself and the `target` folder. */
async function hashFolder(root: string): Promise<string> {
  const hash = createHash('sha256')
  async function walk(folder: string): Promise<void> {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name === '.git' || (folder === '' && entry.name === 'target')) continue
      const name = path.join(folder, entry.name)
      if (entry.isDirectory()) await walk(name)
      else await hashFile(hash, root, name)
    }
  }
  await walk('')
  return hash.digest('hex')
}

/** Feeds name, kind and content, each with its length, so that no two trees give the same bytes. */
async function hashFile(hash: Hash, root: string, name: string): Promise<void> {
  const file = path.join(root, name)
  const stats = await lstat(file)
  if (stats.isSymbolicLink()) {
    hash.update(JSON.stringify([name, 'link', await readlink(file)]))
  } else if (stats.isFile()) {
    hash.update(JSON.stringify([name, (stats.mode & 0o100) !== 0, stats.size]))
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer)
  } else if (stats.isDirectory()) {
    // Git names a submodule, or a repository it does not track, without what is in it.
    hash.update(JSON.stringify([name, 'folder', await hashFolder(file)]))
  }
}

function gitFailed(command: string, tree: string, output: string): BenchError {
  return new BenchError({
    code: 'vox/git-failed',
    message: `the state of the source tree ${tree} cannot be told: git ${command}: ${output.trim().split('\n')[0]}`,
    hint: 'Install git and see that `git status` works in the tree.',
  })
}
