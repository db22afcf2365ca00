import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { shortHash } from './cache-key.ts'
import type { Replacement } from './isolated-place.ts'

/** What a build may read of the repository that its tree is of. */
export interface GitFiles {
  /** Folders outside of the tree: a linked worktree has its repository there. */
  readonly readable: readonly string[]
  /** Configurations, which may hold tokens, each by one that says no more than git must know to read the repository. */
  readonly replaced: readonly Replacement[]
}

const CONFIGS = new Set(['config', 'config.worktree'])
/** Settings without which git cannot read a repository of its kind. */
const FORMAT = /^[ \t]*(objectformat|refstorage)[ \t]*=[ \t]*(\w+)/gim

/** @param store folder for the other configurations; nothing that is built may write to it */
export async function gitFilesOf(tree: string, store: string): Promise<GitFiles> {
  const repository = await findRepository(tree)
  if (repository === null) return { readable: [], replaced: [] }
  const replaced: Replacement[] = []
  for (const file of await configsOf(repository.folder)) {
    const text = safeConfig(await readFile(file, 'utf8'))
    const by = path.join(store, shortHash(text))
    await mkdir(store, { recursive: true })
    await writeFile(by, text)
    replaced.push({ file, by })
  }
  return { readable: repository.isOfWorktree ? [repository.folder] : [], replaced }
}

/** The folder that all worktrees of a repository share. A tree may name any folder; only one that names the tree in turn is its own. */
async function findRepository(tree: string): Promise<{ folder: string; isOfWorktree: boolean } | null> {
  const git = path.join(tree, '.git')
  const stats = await stat(git).catch(() => null)
  if (stats?.isDirectory()) return { folder: await realpath(git), isOfWorktree: false }
  const [, named] = (stats?.isFile() && /^gitdir: (.+)$/m.exec(await readFile(git, 'utf8'))) || []
  if (named === undefined) return null
  const own = path.resolve(tree, named)
  const [common, worktree] = await Promise.all(['commondir', 'gitdir'].map((name) => readLink(path.join(own, name))))
  const folder = common === undefined ? own : path.resolve(own, common)
  if (!existsSync(folder)) return null
  const isOfWorktree = path.join(folder, 'worktrees', path.basename(own)) === own && worktree === git
  return { folder: await realpath(folder), isOfWorktree }
}

async function readLink(file: string): Promise<string | undefined> {
  const stats = await stat(file).catch(() => null)
  return stats?.isFile() ? (await readFile(file, 'utf8')).trim() : undefined
}

/** Of the repository, its worktrees and its submodules. */
async function configsOf(folder: string): Promise<string[]> {
  const configs = [...CONFIGS].map((name) => path.join(folder, name))
  for (const inner of ['worktrees', 'modules']
    .map((name) => path.join(folder, name))
    .filter((name) => existsSync(name))) {
    const files = await readdir(inner, { recursive: true })
    configs.push(...files.filter((file) => CONFIGS.has(path.basename(file))).map((file) => path.join(inner, file)))
  }
  const found = await Promise.all(configs.map(async (file) => existsSync(file) && (await stat(file)).isFile()))
  return await Promise.all(configs.filter((_, index) => found[index]).map((file) => realpath(file)))
}

function safeConfig(text: string): string {
  const format = [...text.matchAll(FORMAT)].map(([, name, value]) => `\t${name} = ${value}\n`)
  const version = format.length === 0 ? 0 : 1
  return `[core]\n\trepositoryformatversion = ${version}\n${format.length === 0 ? '' : `[extensions]\n${format.join('')}`}`
}
