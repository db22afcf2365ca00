import { existsSync } from 'node:fs'
import path from 'node:path'
import { KERNEL_SETTINGS, ownPaths, type Place } from './isolated-place.ts'

/** Sockets in them (a key agent, a container service, a service manager) would start processes outside. */
const HIDDEN = ['/tmp', '/run']
/** Files that name resolution reads; /etc/resolv.conf is a link to one of them. */
const RESOLVER_FOLDERS = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager', '/run/current-system']

/** A command in bubblewrap: processes of its own, and the whole file system read-only but for `writable`. The network stays open. */
export function inBubblewrap(command: readonly string[], place: Place): readonly string[] {
  const { cwd, readable, writable, guarded = [], masked = [], env } = place
  const isHidden = (folder: string) => HIDDEN.some((root) => folder.startsWith(`${root}/`))
  const programs = (env.PATH ?? '').split(path.delimiter)
  const seen = [...programs, env.HOME ?? '', env.CARGO_HOME ?? '', env.RUSTUP_HOME ?? '']
  const shown = new Set([...RESOLVER_FOLDERS, ...seen.filter(isHidden), ...readable].flatMap(ownPaths))
  return [
    ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...HIDDEN.flatMap((root) => (existsSync(root) ? ['--tmpfs', root] : [])),
    ...KERNEL_SETTINGS.flatMap(ownPaths).flatMap((file) => ['--ro-bind', file, file]),
    ...[...shown].flatMap((folder) => ['--ro-bind', folder, folder]),
    ...writable.flatMap(ownPaths).flatMap((folder) => ['--bind', folder, folder]),
    ...guarded.flatMap(ownPaths).flatMap((file) => ['--ro-bind', file, file]),
    ...masked.flatMap(ownPaths).flatMap((file) => ['--ro-bind', '/dev/null', file]),
    // Root could otherwise mount all of it writable again.
    ...['--cap-drop', 'ALL'],
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session', '--chdir', cwd, '--'],
    ...command,
  ]
}
