import { homedir } from 'node:os'
import { ownPaths, type Place } from './isolated-place.ts'

const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
/** Dies with us even when we are killed; `unshare` alone would leave its child behind. */
const DIE_WITH_US = ['setpriv', '--pdeathsig', 'KILL']
/** Neither sudo nor what is left of root's rights can undo what was done. */
const POWERLESS = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all']

/** Services by whose sockets a process outside could be started. */
const SOCKETS = ['/run/docker.sock', '/run/containerd/containerd.sock', '/run/podman/podman.sock']

/**
 * Makes the root file system read-only, but for folders that are marked `w:`; `r:` marks what is read-only in them, `m:` what is empty.
 * Then runs what follows.
 */
const PREPARE = `set -e
while [ "$1" != -- ]; do
  place=\${1#?:}
  case $1 in
    w:*) mount --rbind "$place" "$place" ;;
    r:*) mount --bind "$place" "$place"; mount -o remount,bind,ro "$place" ;;
    m:*) mount --bind /dev/null "$place" ;;
  esac
  shift
done
shift
mount -o remount,bind,ro /
cd "$1"
shift
exec "$@"`

/** For root: processes of its own, and a file system that is read-only like bubblewrap's, but without hidden folders. */
export function inNamespaceAsRoot(command: readonly string[], place: Place): readonly string[] {
  return [...DIE_WITH_US, ...UNSHARE, '--', ...prepared(place), 'setpriv', ...POWERLESS, ...command]
}

/** For users where the system allows it: processes of its own, and no more. */
export function inNamespaceAsUser(command: readonly string[]): readonly string[] {
  return [...DIE_WITH_US, ...UNSHARE, '--user', '--map-current-user', '--', ...command]
}

/** For hosted runners, which have no namespaces for users and a sudo without a password. The command is our user again. */
export function inNamespaceBySudo(command: readonly string[], place: Place): readonly string[] {
  const { PATH = '', HOME = homedir(), ...rest } = place.env
  const user = ['--reuid', String(process.getuid?.()), '--regid', String(process.getgid?.()), '--clear-groups']
  return [
    ...['sudo', '-n', `--preserve-env=${Object.keys(rest).join(',')}`, ...UNSHARE, '--', ...prepared(place)],
    // sudo sets a PATH and a HOME of its own.
    ...['setpriv', ...user, ...POWERLESS, 'env', `PATH=${PATH}`, `HOME=${HOME}`],
    ...command,
  ]
}

function prepared({ cwd, readable, writable, guarded = [], masked = [] }: Place): readonly string[] {
  const marked = (mark: string, files: readonly string[]) => files.flatMap(ownPaths).map((file) => `${mark}:${file}`)
  return [
    ...['sh', '-c', PREPARE, 'prepare'],
    // Writable folders come after read-only ones, as they may lie in them; /tmp has users that do not ask for TMPDIR.
    ...marked('w', ['/tmp']),
    ...marked('r', readable),
    ...marked('w', writable),
    ...marked('r', guarded),
    ...marked('m', [...masked, ...SOCKETS]),
    ...['--', cwd],
  ]
}
