import { homedir } from 'node:os'
import { hiddenFolders, KERNEL_SETTINGS, ownPaths, type Place, shownFolders } from './isolated-place.ts'

const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
/** Dies with us even when we are killed; `unshare` alone would leave its child behind. */
const DIE_WITH_US = ['setpriv', '--pdeathsig', 'KILL']
/** Neither sudo nor what is left of root's rights can undo what was done. */
const POWERLESS = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all']

/** Services by whose sockets a process outside could be started. */
const SOCKETS = ['/run/docker.sock', '/run/containerd/containerd.sock', '/run/podman/podman.sock']

/**
 * Makes every mounted file system read-only, but for places that are marked `w:`; `k:` marks what is left alone, `r:` what is read-only in
 * such places, `h:` a folder that is empty but for marked places in it, `m:` a file in whose place is the one of the last `s:`. Of marks
 * that hold for one place the last counts. It fails where something else can still be written. Then runs what follows.
 */
const PREPARE = `set -e
# What is hidden stays in reach in a stash until all of it that is shown is in its place.
stash=
stashed() {
  printf %s "$stash/"
  printf %s "$1" | tr / _
}
hide() {
  if [ -z "$stash" ]; then
    stash=$(mktemp -d /tmp/vox-hidden-XXXXXX)
    mount -t tmpfs -o mode=700 tmpfs "$stash"
  fi
  # One that lies in another is gone by now.
  mkdir -p "$place" "$(stashed "$place")"
  mount --rbind "$place" "$(stashed "$place")"
  mount -t tmpfs -o mode=1777 tmpfs "$place"
}
# Sets $source to where the first argument is to be found now, by the marks after it.
find_source() {
  source=$1
  for mark; do
    case $mark in
      --) break ;;
      h:*) case $1 in "\${mark#?:}"/*) source=$(stashed "\${mark#?:}")\${1#"\${mark#?:}"}; break ;; esac ;;
    esac
  done
}
show() {
  find_source "$place" "$@"
  if [ -d "$source" ]; then mkdir -p "$place"
  elif [ ! -e "$place" ]; then mkdir -p "\${place%/*}"; : > "$place"; fi
  mount --rbind "$source" "$place"
}
replace() {
  [ -e "$place" ] || return 0
  find_source "$replacement" "$@"
  mount --bind "$source" "$place"
}
for each; do
  place=\${each#?:}
  case $each in
    --) break ;;
    h:*) hide ;;
    w:* | r:*) show "$@" ;;
    s:*) replacement=$place ;;
    m:*) replace "$@" ;;
  esac
done
if [ -n "$stash" ]; then
  umount -l "$stash"
  rmdir "$stash"
fi

# Calls the first argument for each mount, by $point and $options, that the marks after it do not leave alone.
for_others() {
  act=$1
  shift
  printf '%s\\n' "$table" | while read -r _ _ _ _ point options _; do
    # A blank is written as \\040.
    point=$(printf %b "$point")
    kind=r
    for mark; do
      [ "$mark" != -- ] || break
      case $mark in s:*) continue ;; esac
      case $point/ in "\${mark#?:}"/*) kind=\${mark%%:*} ;; esac
    done
    case $kind in r | m) $act ;; esac
  done
}
close() {
  flags=ro
  for flag in nosuid nodev noexec noatime nodiratime relatime; do
    case ,$options, in *,$flag,*) flags=$flags,$flag ;; esac
  done
  # One that another is mounted over cannot be reached.
  mount -o "remount,bind,$flags" "$point" 2>/dev/null || :
}
demand_closed() {
  if { [ -d "$point" ] || [ -f "$point" ]; } && [ -w "$point" ]; then
    echo "$point cannot be made read-only" >&2
    exit 1
  fi
}
table=$(cat /proc/self/mountinfo)
for_others close "$@"
for_others demand_closed "$@"

while [ "$1" != -- ]; do shift; done
cd "$2"
shift 2
exec "$@"`

/** For root: processes of its own, and file systems that are read-only like bubblewrap's, but with /tmp, /run and /dev of the machine. */
export function inNamespaceAsRoot(command: readonly string[], place: Place): readonly string[] {
  return [...DIE_WITH_US, ...UNSHARE, '--', ...prepared(place), 'setpriv', ...POWERLESS, ...command]
}

/** For users where the system allows it: processes of its own, and no more. */
export function inNamespaceAsUser(command: readonly string[]): readonly string[] {
  return [...DIE_WITH_US, ...UNSHARE, '--user', '--map-current-user', '--', ...command]
}

/**
 * What of root's rights a model server keeps: those over files and processes it needs to work as it would without a namespace, none by
 * which it could mount, trace or leave what it is in.
 */
const RIGHTS_OF_SERVERS = `-all,${['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'ipc_lock', 'sys_nice'].map((right) => `+${right}`).join(',')}`

/** For root: processes of its own. File systems and devices stay as they are. */
export function inBareNamespaceAsRoot(command: readonly string[]): readonly string[] {
  const rights = ['--no-new-privs', '--inh-caps=-all', `--bounding-set=${RIGHTS_OF_SERVERS}`]
  return [...DIE_WITH_US, ...UNSHARE, '--', 'setpriv', ...rights, ...command]
}

/** As `inNamespaceBySudo`, but file systems and devices stay as they are, with the groups of our user that may use them. */
export function inBareNamespaceBySudo(command: readonly string[], { env }: Pick<Place, 'env'>): readonly string[] {
  const groups = process.getgroups?.() ?? []
  return [
    ...['sudo', '-n', ...UNSHARE, '--', 'setpriv', '--reuid', String(process.getuid?.())],
    ...['--regid', String(process.getgid?.())],
    ...(groups.length === 0 ? ['--clear-groups'] : ['--groups', groups.join(',')]),
    ...POWERLESS,
    // sudo drops some that it thinks unsafe, such as LD_LIBRARY_PATH, whatever it is told to keep.
    ...['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
    ...command,
  ]
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

function prepared(place: Place): readonly string[] {
  const { cwd, readable, writable, replaced = [] } = place
  const hidden = hiddenFolders(place)
  const marked = (mark: string, files: readonly string[]) => files.flatMap(ownPaths).map((file) => `${mark}:${file}`)
  return [
    ...['sh', '-c', PREPARE, 'prepare'],
    ...marked('k', ['/proc', '/dev']),
    ...marked('r', KERNEL_SETTINGS),
    // Writable folders come after read-only ones, as they may lie in them; /tmp has users that do not ask for TMPDIR.
    ...marked('w', ['/tmp']),
    ...marked('h', hidden),
    ...marked('r', [...shownFolders(place, hidden), ...readable]),
    ...marked('w', writable),
    ...['s:/dev/null', ...marked('m', SOCKETS)],
    ...replaced.flatMap(({ file, by }) => [`s:${by}`, `m:${file}`]),
    ...['--', cwd],
  ]
}
