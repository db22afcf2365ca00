import { createWriteStream, existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { BenchError } from '../../bench-error.ts'
import { createCapture, keptText } from '../captured-text.ts'
import type { ExecResult } from '../ports.ts'
import { profileVariables } from './build-environment.ts'
import { buildFailure, isDiskFull, memoryTrouble } from './build-failure.ts'
import { fewerJobs, isOutOfMemory, jobsFor, type Machine, thisMachine } from './build-jobs.ts'
import { countPackages, createBuildProgress, formatDuration } from './build-progress.ts'
import { type CargoFolders, openCargoFolders } from './cargo-folders.ts'
import { cargoPlace } from './cargo-place.ts'
import { demandDisk, diskFull, freeBytes } from './disk-space.ts'
import { findProgram } from './find-program.ts'
import type { Place } from './isolated-place.ts'
import type { Isolation } from './isolation.ts'
import type { VoxBuildOptions, VoxDeps } from './vox-request.ts'

export interface CargoBuild {
  readonly tree: string
  /** Commit of the tree, for the log. */
  readonly commit: string
  readonly targetFolder: string
  readonly options: VoxBuildOptions
  readonly isolation: Isolation
  /** The environment of cargo, without what this build adds. */
  readonly env: Readonly<Record<string, string>>
}

const GIB = 2 ** 30
const TICK_MS = 30_000
/** Locks of cargo's own home are short; these are held for a whole build. */
const WAITS = /waiting for file lock on (?:build|artifact) directory/
const WAIT_CHARACTERS = 100
const DISK_IS_FULL_BYTES = 16 * 2 ** 20

/**
 * Builds `-p vox-cli` and returns the path of its executable in the target folder. What ran out of memory is tried again with half the
 * jobs. Output goes to a log in the work folder.
 * @throws BenchError `infra/vox-disk`, `infra/vox-memory`, `vox/build-failed` and the reasons that `buildFailure` knows
 */
export async function buildWithCargo(build: CargoBuild, deps: VoxDeps): Promise<string> {
  const { options, targetFolder, commit } = build
  const folders = await openCargoFolders(build.tree, targetFolder, build.env)
  await demandDisk(path.join(targetFolder, 'build'), options.profile === 'dev' ? 'debug' : 'release', options.minDiskGb)
  const env = { ...build.env, ...folders.env, ...(await settingsOf(options, build.env, deps)) }
  const place = await placeOf(build.tree, folders, env, deps)
  const total = await countCrates(build, place, deps)
  const machine = thisMachine()
  let jobs = options.jobs ?? jobsFor(machine, options.memoryPerJobGb)
  for (;;) {
    deps.log(`vox: building ${commit} with ${countJobs(jobs)} ${jobWords(machine, options)}`)
    const attempt = await runCargo(build, place, jobs, total, deps)
    if (attempt.kind === 'built') return attempt.executable
    const tail = `The end of ${attempt.logFile}:\n${attempt.tail}`
    if (isDiskFull(attempt.output) || (await freeBytes(targetFolder)) < DISK_IS_FULL_BYTES) {
      throw diskFull(targetFolder, tail)
    }
    const wasKilled =
      attempt.end.kind === 'signalled'
        ? // The Actions toolkit cannot tell the signal.
          ['SIGKILL', 'unknown'].includes(attempt.end.signal)
        : attempt.end.code === 137
    if (!wasKilled && !isOutOfMemory(attempt.output)) {
      throw buildFailure(cargoCommand(build), attempt.output, tail)
    }
    const fewer = fewerJobs(jobs)
    if (fewer === null) throw memoryTrouble(tail)
    deps.log(
      `vox: the build with ${countJobs(jobs)} ran out of memory (that was the cause, not the code); again with ${fewer}`,
    )
    jobs = fewer
  }
}

type Attempt =
  | { readonly kind: 'built'; readonly executable: string }
  | {
      readonly kind: 'failed'
      readonly end: { kind: 'exited'; code: number } | { kind: 'signalled'; signal: string }
      readonly output: string
      readonly tail: string
      readonly logFile: string
    }

async function runCargo(
  build: CargoBuild,
  place: Place,
  jobs: number,
  total: number | null,
  deps: VoxDeps,
): Promise<Attempt> {
  const { tree, targetFolder, isolation } = build
  const startedAt = performance.now()
  const progress = createBuildProgress()
  const capture = createCapture()
  const logFile = path.join(deps.workFolder, 'logs', `${path.basename(targetFolder)}.log`)
  await mkdir(path.dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile)
  // A log that cannot be written, on a full disk for one, must not hide what the build says.
  log.on('error', () => {})

  function tell(): void {
    const done = `${progress.cratesDone()}${total === null ? '' : ` of ${Math.max(total, progress.cratesDone())}`}`
    deps.log(`vox: ${done} crates, ${formatDuration(performance.now() - startedAt)}`, true)
  }
  let isWaitTold = false
  // What cargo says may come in two pieces.
  let lastWords = ''
  const ticking = setInterval(tell, TICK_MS)
  ticking.unref()
  const command = [...cargoCommand(build), '--message-format', 'json-render-diagnostics', '-j', String(jobs)]
  let result: ExecResult
  try {
    result = await deps.exec.run(isolation.wrap(command, place), {
      cwd: tree,
      env: place.env,
      onOutput(piece, stream) {
        if (stream === 'stdout') {
          if (progress.add(piece)) tell()
          return
        }
        log.write(piece)
        capture.add(piece)
        const words = lastWords + piece.toString('latin1')
        lastWords = words.slice(-WAIT_CHARACTERS)
        if (!isWaitTold && WAITS.test(words)) {
          isWaitTold = true
          deps.log('vox: another build of this tree is under way; waiting for it')
        }
      },
    })
  } finally {
    clearInterval(ticking)
    log.end()
    await finished(log).catch(() => {})
  }
  const output = keptText(capture.text())
  if (result.kind === 'exited' && result.code === 0) {
    deps.log(`vox: built ${progress.cratesDone()} crates in ${formatDuration(performance.now() - startedAt)}`)
    return { kind: 'built', executable: chooseExecutable(progress.executables()) }
  }
  const end = result.kind === 'not-found' ? ({ kind: 'exited', code: 127 } as const) : result
  return { kind: 'failed', end, output, tail: output.trimEnd().split('\n').slice(-30).join('\n'), logFile }
}

/**
 * Prefers `vox`; the name of a lone other one does not matter.
 * @throws BenchError `vox/no-executable`
 */
export function chooseExecutable(executables: ReadonlyMap<string, string>): string {
  const only = executables.size === 1 ? [...executables.values()][0] : undefined
  const chosen = executables.get('vox') ?? only
  if (chosen !== undefined) return chosen
  const names = [...executables.keys()].sort().join(', ')
  throw new BenchError({
    code: 'vox/no-executable',
    message: names === '' ? 'vox-cli has no executable.' : `vox-cli has no executable named vox, but ${names}.`,
    hint: 'Check that the source is a tree of vox and that the features build its command line tool.',
  })
}

/** What anybody could type in the tree. */
function cargoCommand({ tree, options }: CargoBuild): string[] {
  const profile = options.profile === 'release' ? ['--release'] : []
  return ['cargo', 'build', ...profile, ...packageArguments(tree, options)]
}

function packageArguments(tree: string, { features }: VoxBuildOptions): string[] {
  return [
    ...['-p', 'vox-cli'],
    ...(features.length > 0 ? ['--features', features.join(',')] : []),
    ...(existsSync(path.join(tree, 'Cargo.lock')) ? ['--locked'] : []),
  ]
}

async function settingsOf(options: VoxBuildOptions, env: Readonly<Record<string, string>>, deps: VoxDeps) {
  return {
    ...profileVariables(options.profile, options.overrides),
    CARGO_TERM_COLOR: 'never',
    ...(options.profile === 'release' ? { CARGO_INCREMENTAL: '0' } : {}),
    ...(options.useSccache ? await sccacheWrapper(env, deps) : {}),
  }
}

async function sccacheWrapper(env: Readonly<Record<string, string>>, deps: VoxDeps): Promise<Record<string, string>> {
  const sccache = await findProgram('sccache', env)
  if (sccache !== null) {
    deps.log('vox: compiling through sccache')
    return { RUSTC_WRAPPER: sccache, CARGO_INCREMENTAL: '0' }
  }
  deps.log('vox: sccache was asked for and is not on PATH; building without it (`cargo install sccache` installs it)')
  return {}
}

/** Best effort: without a total the progress only counts. Fetches what the build needs, so that this is not counted as building. */
async function countCrates(build: CargoBuild, place: Place, deps: VoxDeps): Promise<number | null> {
  const { tree, options, isolation } = build
  const command = ['cargo', 'tree', ...packageArguments(tree, options), '-e', 'normal,build', '--prefix', 'none']
  const result = await deps.exec.run(isolation.wrap(command, place), { cwd: tree, env: place.env })
  return result.kind === 'exited' && result.code === 0 ? countPackages(result.stdout) : null
}

async function placeOf(
  tree: string,
  folders: CargoFolders,
  env: Readonly<Record<string, string>>,
  deps: VoxDeps,
): Promise<Place> {
  if (env.RUSTC_WRAPPER === undefined) return await cargoPlace(tree, folders, [], env, deps.workFolder)
  const store = env.SCCACHE_DIR ?? path.join(env.HOME ?? '/', '.cache', 'sccache')
  await mkdir(store, { recursive: true })
  return await cargoPlace(tree, folders, [store], env, deps.workFolder)
}

function jobWords({ cores, availableBytes }: Machine, { jobs, memoryPerJobGb }: VoxBuildOptions): string {
  const machine = `${cores} core${cores === 1 ? '' : 's'}, ${(availableBytes / GIB).toFixed(1)} GiB free`
  return jobs === undefined ? `(${machine}, ${memoryPerJobGb} GiB a job)` : `(asked for; ${machine})`
}

const countJobs = (jobs: number) => `${jobs} job${jobs === 1 ? '' : 's'}`
