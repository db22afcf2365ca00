import path from 'node:path'
import type { Launch } from '../launch.ts'
import { findTool } from './host-tools.ts'
import { LANDLOCK_SUPERVISOR } from './landlock-supervisor.ts'
import { launchMonitored, STATUS_DESCRIPTOR } from './monitored-launch.ts'
import { type ResourceLimits, resourceLimits } from './resource-limits.ts'
import { type LevelSetup, needsNumbers, needsTool } from './sandbox.ts'
import { slotUser } from './slot-user.ts'
import { systemCallFilter } from './system-call-filter.ts'
import { systemFiles, visibleFolders } from './system-folders.ts'

/** Numbers of setrlimit, the same on all processors the supervisor knows. */
const LIMIT_NUMBERS: Record<keyof ResourceLimits, number> = {
  cpu: 0,
  fsize: 1,
  data: 2,
  core: 4,
  nproc: 6,
  nofile: 7,
  as: 9,
}

/**
 * A launch under Landlock and a filter of system calls: the kernel refuses files outside `readable` and the system's, and all sockets.
 * Needs no right of its own. As root every slot has its user.
 */
export function landlockLaunch(readable: readonly string[]): LevelSetup {
  const perl = findTool('perl')
  if (perl === null) return needsTool('perl')
  const filter = systemCallFilter(process.arch)?.toString('hex')
  if (filter === undefined) return needsNumbers(process.arch)
  const isRoot = process.getuid?.() === 0
  const files = list([...visibleFolders(), ...systemFiles(), ...readable])
  const launch: Launch = (command, { folder, slot, limits }) => {
    const user = isRoot ? slotUser(slot) : -1
    const work = path.join(folder, 'work')
    return launchMonitored({
      argv: [
        ...[perl, '-e', LANDLOCK_SUPERVISOR, '--', process.arch, filter],
        ...[STATUS_DESCRIPTOR, process.pid, user].map(String),
        ...list(limitArguments(resourceLimits(command, limits))),
        ...files,
        ...list(command),
      ],
      cwd: folder,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: work, TMPDIR: work, LANG: 'C.UTF-8', NO_COLOR: '1' },
      statusFile: `${folder}.status`,
      files: 'descriptors',
      input: 'ignore',
      stop: (supervisor) => supervisor.kill('SIGTERM'),
    })
  }
  return { kind: 'ready', launch }
}

function list(items: readonly string[]): string[] {
  return [String(items.length), ...items]
}

function limitArguments(limits: ResourceLimits): string[] {
  return (Object.keys(LIMIT_NUMBERS) as (keyof ResourceLimits)[]).flatMap((name) =>
    limits[name] === null ? [] : [`${LIMIT_NUMBERS[name]}=${limits[name]}`],
  )
}
