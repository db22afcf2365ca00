import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { SandboxLevel } from '../engine.ts'
import type { Launch } from '../launch.ts'
import { filterFile } from './filter-file.ts'
import { findTool } from './host-tools.ts'
import { FILTER_DESCRIPTOR, killMonitor, launchMonitored, STATUS_DESCRIPTOR } from './monitored-launch.ts'
import { type ResourceLimits, resourceLimits, SCRATCH_BYTES } from './resource-limits.ts'
import { type LevelSetup, needsNumbers, needsTool } from './sandbox.ts'
import { slotUser } from './slot-user.ts'
import { systemCallFilter } from './system-call-filter.ts'
import { hiddenFolders, isVisible, systemFiles, systemFolders } from './system-folders.ts'

export type BubblewrapLevel = Extract<SandboxLevel, `bubblewrap${string}`>
/** Where a call's files are inside. */
const WORK_FOLDER = '/candidate'
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin'
const NOBODY = '65534'

/**
 * As root, stands between sudo and bubblewrap: sudo passes on no descriptors, a user cannot signal what sudo started, and the user's
 * end does not end it. So this opens the files, and kills when its input ends. `$1` is the status file, `$2` the filter.
 */
const SUDO_MONITOR = `
status=$1; filter=$2; shift 2
exec 5<&0
"$@" ${STATUS_DESCRIPTOR}>"$status" ${FILTER_DESCRIPTOR}<"$filter" 5<&- </dev/null &
command=$!
( read -r _ <&5; kill -KILL $(cat /proc/$command/task/$command/children) $command ) >/dev/null 2>&1 &
watch=$!
exec 5<&-
wait $command
code=$?
kill -KILL $watch
exit $code
`

/**
 * A launch through bubblewrap: own namespaces, of the host's files only the system's programs and `readable`, a filter of system calls,
 * and limits that count for one slot alone.
 */
export function bubblewrapLaunch(level: BubblewrapLevel, readable: readonly string[]): LevelSetup {
  const isRoot = level !== 'bubblewrap'
  const needed = ['bwrap', 'prlimit', ...(isRoot ? ['setpriv'] : []), ...(level === 'bubblewrap-sudo' ? ['sudo'] : [])]
  const tool = needed.find((name) => findTool(name) === null)
  if (tool !== undefined) return needsTool(tool)
  const filter = systemCallFilter(process.arch)
  if (filter === null) return needsNumbers(process.arch)
  const [bwrap = '', prlimit = '', setpriv = '', sudo = ''] = ['bwrap', 'prlimit', 'setpriv', 'sudo'].map(
    (name) => findTool(name) ?? '',
  )
  const choom = findTool('choom')
  // Came with version 0.7; before, a temporary folder can fill half of the memory.
  const size = execFileSync(bwrap, ['--help'], { encoding: 'utf8' }).includes('--size')
    ? ['--size', String(SCRATCH_BYTES)]
    : []
  const scratch = (folder: string) => [...size, '--perms', '1777', '--tmpfs', folder]
  const before = [
    bwrap,
    ...['--json-status-fd', String(STATUS_DESCRIPTOR), '--seccomp', String(FILTER_DESCRIPTOR)],
    ...(isRoot
      ? ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
      : ['--unshare-all', '--unshare-user', '--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL']),
    ...['--new-session', '--die-with-parent', '--clearenv'],
    ...environmentArguments({ PATH: SEARCH_PATH, HOME: WORK_FOLDER, TMPDIR: '/tmp', LANG: 'C.UTF-8', NO_COLOR: '1' }),
    ...['--proc', '/proc', '--dev', '/dev', ...scratch('/dev/shm'), '--remount-ro', '/dev'],
    ...scratch('/tmp'),
    ...scratch(WORK_FOLDER),
    ...systemArguments(),
    ...readable.flatMap(readableArguments),
  ]
  const after = [...['/', ...hiddenFolders()].flatMap((folder) => ['--remount-ro', folder]), '--chdir', WORK_FOLDER]
  const preferred = choom === null ? [] : [choom, '-n', '1000', '--']

  const launch: Launch = (command, { folder, slot, limits }) => {
    const inside = [
      ...preferred,
      ...(isRoot ? [setpriv, ...privilegeArguments(slotUser(slot))] : []),
      prlimit,
      ...limitArguments(resourceLimits(command, limits)),
      ...command,
    ]
    const outside = [...before, ...fileArguments(folder), ...after, ...inside]
    const place = { cwd: '/', env: { PATH: SEARCH_PATH, LANG: 'C.UTF-8' }, statusFile: `${folder}.status` }
    return level === 'bubblewrap-sudo'
      ? launchMonitored({
          ...place,
          argv: [sudo, '-n', '/bin/sh', '-c', SUDO_MONITOR, 'sh', place.statusFile, filterFile(filter), ...outside],
          files: 'paths',
          input: 'pipe',
          stop: (monitor) => monitor.stdin?.destroy(),
        })
      : launchMonitored({
          ...place,
          argv: outside,
          files: 'descriptors',
          filterFile: filterFile(filter),
          input: 'ignore',
          stop: killMonitor,
        })
  }
  return { kind: 'ready', launch }
}

function environmentArguments(variables: Record<string, string>): string[] {
  return Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])
}

function systemArguments(): string[] {
  const folders = systemFolders().flatMap((folder) =>
    lstatSync(folder).isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder],
  )
  return [
    ...folders,
    ...hiddenFolders().flatMap((folder) => ['--tmpfs', folder]),
    ...systemFiles().flatMap((file) => bindArguments(file, file)),
  ]
}

/** Shown where it really is, and under the name it was given by. */
function readableArguments(file: string): string[] {
  const real = realpathSync(file)
  return [...new Set([real, path.resolve(file)])]
    .filter((name) => !isVisible(name))
    .flatMap((name) => bindArguments(real, name))
}

/** The folders above are made first, because bubblewrap itself makes them for their owner alone. */
function bindArguments(file: string, name: string): string[] {
  const parts = path.dirname(name).split('/').slice(1)
  const parents = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`).filter((folder) => folder !== '/')
  return [...parents.flatMap((folder) => ['--perms', '0755', '--dir', folder]), '--ro-bind', file, name]
}

function fileArguments(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => ['--ro-bind', path.join(folder, name), path.join(WORK_FOLDER, name)])
}

function privilegeArguments(uid: number): string[] {
  const keys = ['--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs']
  return ['--reuid', String(uid), '--regid', String(uid), ...keys]
}

function limitArguments(limits: ResourceLimits): string[] {
  return Object.entries(limits).flatMap(([name, value]) => (value === null ? [] : [`--${name}=${value}`]))
}
