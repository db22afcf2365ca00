import { constants, existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownName, whileThere } from './leftovers.ts'
import { sha256Of } from './sha256-of.ts'

/** What one state of a tree is built with. */
export interface CargoFolders {
  readonly root: string
  /** Variables that lead cargo and git there. */
  readonly env: Readonly<Record<string, string>>
  /**
   * All that a build needs to write of `root`. The rest is only for this process to write, so that no build script can leave a
   * link there for it to follow, or change cargo's settings.
   */
  readonly writable: readonly string[]
}

/** Folders of cargo's home that it writes, and the files by which its processes wait for each other. */
const HOME_FOLDERS = ['registry', 'git']
const HOME_LOCKS = ['.package-cache', '.package-cache-mutate']

/**
 * Folders in a target folder, among them a home of cargo with the settings and what the lock file names of the registries of the user's
 * own. Cargo takes sources and archives that are in its home for what they should be, so a home that build scripts write must serve no
 * other state of a tree, let alone the user.
 */
export async function openCargoFolders(
  tree: string,
  targetFolder: string,
  env: Readonly<Record<string, string>>,
): Promise<CargoFolders> {
  const inTarget = (name: string) => path.join(targetFolder, name)
  const [build, temporary, home] = [inTarget('build'), inTarget('tmp'), inTarget('cargo-home')]
  for (const folder of [build, temporary]) await mkdir(folder, { recursive: true })
  const from = env.CARGO_HOME ?? path.join(env.HOME ?? '/', '.cargo')
  const lock = await readLock(tree)
  if (!existsSync(home)) await makeHome(home, from, lock)
  await dropTorn(home, lock)
  await copySettings(from, home)
  return {
    root: targetFolder,
    env: {
      CARGO_HOME: home,
      CARGO_TARGET_DIR: build,
      // On the disk of the target folder: linking needs room that a /tmp in memory may not have.
      TMPDIR: temporary,
      // What of the user's own settings of git says that trees of other users are safe is hidden; that this one is built is decided.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
    writable: [build, temporary, ...[...HOME_FOLDERS, ...HOME_LOCKS].map((name) => path.join(home, name))],
  }
}

async function makeHome(home: string, from: string, lock: Lock): Promise<void> {
  const half = ownName(home)
  await whileThere(half, async () => {
    for (const name of HOME_FOLDERS) await mkdir(path.join(half, name), { recursive: true })
    for (const name of HOME_LOCKS) await writeFile(path.join(half, name), '')
    await copyRegistries(from, half, lock)
    await rename(half, home).catch((error) => {
      // Another process was faster.
      if (!existsSync(home)) throw error
    })
  })
}

/** Settings may have changed since an earlier attempt. Tokens of registries are in another file. */
async function copySettings(from: string, home: string): Promise<void> {
  for (const name of ['config.toml', 'config']) {
    const [file, copy] = [path.join(from, name), path.join(home, name)]
    if (!existsSync(file)) {
      await rm(copy, { force: true })
      continue
    }
    const half = ownName(copy)
    await copyFile(file, half)
    await rename(half, copy)
  }
}

/**
 * Removes archives that are not what the lock file says, so that cargo fetches them again: it takes what a killed build, or a full
 * disk, left of one for the whole.
 */
async function dropTorn(home: string, { archives }: Lock): Promise<void> {
  const cache = path.join(await realpath(home), 'registry', 'cache')
  for (const registry of await foldersIn(cache)) {
    const folder = path.join(cache, registry)
    // Build scripts write here, and a link may lead anywhere.
    if ((await realpath(folder)) !== folder) continue
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      const checksum = archives.get(entry.name) ?? null
      if (checksum !== null && entry.isFile() && (await sha256Of(file)) !== checksum) await rm(file)
    }
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

interface Lock {
  readonly names: ReadonlySet<string>
  /** Names of archives, and their SHA-256; null where the lock file has none. */
  readonly archives: ReadonlyMap<string, string | null>
  readonly hasGit: boolean
}

async function readLock(tree: string): Promise<Lock> {
  const file = path.join(tree, 'Cargo.lock')
  const text = existsSync(file) ? await readFile(file, 'utf8') : ''
  const packages = [
    ...text.matchAll(/^name = "(.+)"\r?\nversion = "(.+)"(?:\r?\nsource = ".+")?(?:\r?\nchecksum = "(.+)")?/gm),
  ]
  return {
    names: new Set(packages.map(([, name = '']) => name)),
    archives: new Map(packages.map(([, name, version, checksum]) => [`${name}-${version}.crate`, checksum ?? null])),
    hasGit: text.includes('"git+'),
  }
}

/** Sources are not copied: cargo unpacks them. */
async function copyRegistries(from: string, to: string, { names, archives, hasGit }: Lock): Promise<void> {
  async function copy(name: string, isNeeded: (file: string) => boolean): Promise<void> {
    if (!existsSync(path.join(from, name))) return
    await cp(path.join(from, name), path.join(to, name), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (file) => isNeeded(file),
    })
  }
  await copy('registry/cache', (file) => !file.endsWith('.crate') || archives.has(path.basename(file)))
  // An entry of a sparse index is a file `.cache/se/rd/serde`.
  const isEntry = /[/\\]\.cache[/\\](?:[^/\\]{1,3}[/\\]){1,2}([^/\\]+)$/
  await copy('registry/index', (file) => {
    const [, name] = isEntry.exec(file) ?? []
    return name === undefined || name.length <= 2 || names.has(name)
  })
  if (hasGit) await copy('git/db', () => true)
}
