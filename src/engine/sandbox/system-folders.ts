import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../../is-inside.ts'

const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']
/** What programs of the system need besides: where libraries are, which of several programs is meant, how Node's OpenSSL is set up. */
const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/ssl/openssl.cnf']
/** Where a checkout or an installed package, ours with its references, may lie within the system's folders. */
const FOREIGN_FOLDERS = ['/usr/src', '/usr/local/src', '/usr/lib/node_modules', '/usr/local/lib/node_modules']

/** Folders of this machine that hold the system's programs and libraries; some are symbolic links. */
export function systemFolders(): string[] {
  return SYSTEM_FOLDERS.filter((folder) => existsSync(folder))
}

/** Files and folders there besides the system's folders. */
export function systemFiles(): string[] {
  return SYSTEM_FILES.filter((file) => existsSync(file))
}

/** Folders within them that programs of the system do not need. */
export function hiddenFolders(): string[] {
  return FOREIGN_FOLDERS.filter((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)
}

/** The system's folders without the hidden ones, as a list of folders and files that may be seen whole. */
export function visibleFolders(): string[] {
  const hidden = hiddenFolders()
  function split(folder: string): string[] {
    if (hidden.includes(folder)) return []
    if (!hidden.some((other) => isInside(other, folder))) return [folder]
    return readdirSync(folder).flatMap((name) => split(path.join(folder, name)))
  }
  const roots = new Set(systemFolders().map((folder) => realpathSync(folder)))
  const outermost = [...roots].filter((root) => ![...roots].some((other) => other !== root && isInside(root, other)))
  return outermost.flatMap(split)
}

/** Whether a file is seen by all that see the system's folders without the hidden ones. */
export function isVisible(file: string): boolean {
  return (
    systemFolders().some((folder) => isInside(file, folder)) &&
    !hiddenFolders().some((folder) => isInside(file, folder))
  )
}
