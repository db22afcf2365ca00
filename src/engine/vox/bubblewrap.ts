import { existsSync } from 'node:fs'
import { hiddenFolders, KERNEL_SETTINGS, ownPaths, type Place, shownFolders } from './isolated-place.ts'

/** Sockets in them (a key agent, a container service, a service manager) would start processes outside. */
const SHARED = ['/tmp', '/run']
/** Files that name resolution reads; /etc/resolv.conf is a link to one of them. */
const RESOLVER_FOLDERS = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager', '/run/current-system']

/**
 * A command in bubblewrap: processes of its own, homes that are empty, and the whole file system read-only but for `writable`. The network
 * stays open.
 */
export function inBubblewrap(command: readonly string[], place: Place): readonly string[] {
  const { cwd, readable, writable, replaced = [] } = place
  const hidden = [...SHARED.filter((folder) => existsSync(folder)), ...hiddenFolders(place)]
  const shown = new Set([
    ...RESOLVER_FOLDERS.flatMap(ownPaths),
    ...shownFolders(place, hidden),
    ...readable.flatMap(ownPaths),
  ])
  return [
    ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...KERNEL_SETTINGS.flatMap(ownPaths).flatMap((file) => ['--ro-bind', file, file]),
    ...[...shown].flatMap((folder) => ['--ro-bind', folder, folder]),
    ...writable.flatMap(ownPaths).flatMap((folder) => ['--bind', folder, folder]),
    ...replaced.flatMap(({ file, by }) => ['--ro-bind', by, file]),
    // Root could otherwise mount all of it writable again.
    ...['--cap-drop', 'ALL'],
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session', '--chdir', cwd, '--'],
    ...command,
  ]
}
