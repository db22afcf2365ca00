import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'

/** What an isolated command works in and may see and change. */
export interface Place {
  readonly cwd: string
  /** Folders it can read even where what lies around them is hidden from it. */
  readonly readable: readonly string[]
  /** The only folders it can write, where the kind of isolation can tell. */
  readonly writable: readonly string[]
  /** Files in whose place it reads others. */
  readonly replaced?: readonly Replacement[]
  readonly env: Readonly<Record<string, string>>
}

export interface Replacement {
  readonly file: string
  readonly by: string
}

/**
 * Settings of the whole machine, which root writes without any capability: a program that the kernel starts outside can be named in one.
 * Bubblewrap leaves some of them open.
 */
export const KERNEL_SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus']

/** Where homes of users who own no keys lie: those of the system's services. */
const SYSTEM = ['/bin', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys', '/usr']

/** Values of the environment by which tools of a build find their files. */
const FILES_OF_TOOLS = [
  ...[
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'CARGO_HTTP_CAINFO',
    'LIBCLANG_PATH',
    'PROTOC',
    'OPENSSL_DIR',
    'CC',
    'CXX',
    'AR',
  ],
]

/** Programs that may be on PATH as links to elsewhere. */
const TOOLS = ['cargo', 'rustc', 'rustup', 'sccache', 'git', 'cc']

/** A path as given and as it really is, where it exists. */
export function ownPaths(file: string): string[] {
  return existsSync(file) ? [...new Set([realpathSync(file), file])].filter((name) => name !== '/') : []
}

/**
 * Folders where people and runners keep keys in files, outermost first; none that the place is in. What `shownFolders` names of them is to
 * be seen all the same.
 */
export function hiddenFolders({ readable, writable, env }: Place): string[] {
  const places = [...readable, ...writable].flatMap(ownPaths)
  const homes = ['/home', '/root', env.HOME, homeOfUser(), env.RUNNER_TEMP]
    .flatMap((home) => (home === undefined || !path.isAbsolute(home) || !isFolder(home) ? [] : [realpathSync(home)]))
    .filter((home) => home !== '/' && ![...SYSTEM, ...places].some((folder) => isWithin(home, folder)))
  return [...new Set(homes)].sort((a, b) => a.length - b.length)
}

/** Programs on PATH, toolchains and what else a build needs of `hidden` folders; never one that holds a whole hidden folder. */
export function shownFolders({ env }: Place, hidden: readonly string[]): string[] {
  const programs = (env.PATH ?? '').split(path.delimiter)
  const files = FILES_OF_TOOLS.flatMap((name) => env[name] ?? [])
  const linked = programs.flatMap((folder) => TOOLS.flatMap((name) => foldersBehind(path.join(folder, name))))
  const shown = [...programs, ...linked, ...files, ...toolchains(env)]
    .filter((file) => path.isAbsolute(file))
    .flatMap(ownPaths)
  const outermost = shown.filter((file) => !shown.some((other) => other !== file && isWithin(file, other)))
  return [...new Set(outermost)].filter(
    (file) => hidden.some((folder) => isWithin(file, folder)) && !hidden.some((folder) => isWithin(folder, file)),
  )
}

/** Folders that a chain of links leads through. */
function foldersBehind(file: string): string[] {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (!stats?.isSymbolicLink() || !existsSync(file)) return []
  const next = path.resolve(path.dirname(file), readlinkSync(file))
  return [path.dirname(next), ...foldersBehind(next)]
}

/** Rustup's folder, and toolchains of other places that are linked from it. */
function toolchains(env: Place['env']): string[] {
  const home = env.RUSTUP_HOME ?? (env.HOME === undefined ? undefined : path.join(env.HOME, '.rustup'))
  if (home === undefined) return []
  const folder = path.join(home, 'toolchains')
  return [home, ...(isFolder(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [])]
}

function homeOfUser(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    // The user of a container may have no entry.
    return undefined
  }
}

const isFolder = (file: string) => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true

/** Whether a file or folder is `folder` or lies in it. */
const isWithin = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`)
