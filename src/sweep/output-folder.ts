import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { takeFileLock } from '../generate/file-lock.ts'

/** For a run that is just about to end. */
const LOCK_PATIENCE_MS = 200

/** Where a run puts its files. */
export interface OutputFolder {
  readonly folder: string
  /** Path of the report; other outputs lie in the same folder. */
  readonly report: string
  readonly journal: string
  /** The configuration of the run, for resuming it. */
  readonly sweep: string
  /** Whether a run writes, or may write, a file of its own at that absolute path. */
  isOwn(file: string): boolean
  /**
   * Takes the folder for this process: of two runs in one folder, each would report what the other journaled.
   * @throws BenchError `output/in-use` while the run that has it is alive.
   */
  claim(): void
  /**
   * Claims the folder, makes room for a new journal and gives its path. The files of an earlier run are set aside whole, in a folder
   * `earlier-N`: its answers may have cost money, and its report would be taken for that of the new run.
   */
  startJournal(): string
  /** Lets other runs have the folder; does nothing when this run never took it. */
  release(): void
}

/** The folder of an output, which is that folder or the `.json` file of the report in it. */
export function folderOf(output: string): string {
  return output.endsWith('.json') ? path.dirname(output) : output
}

/** The report of an output, which is that file or `report.json` in that folder. */
export function reportPathOf(output: string): string {
  return output.endsWith('.json') ? output : path.join(output, 'report.json')
}

/**
 * Makes the folder for `--output`: a folder, or the `.json` file of the report.
 * @throws BenchError `output/unwritable` before anything was written.
 */
export async function prepareOutput(target: string): Promise<OutputFolder> {
  const folder = path.resolve(folderOf(target))
  const report = path.resolve(reportPathOf(target))
  const journal = path.join(folder, 'attempts.jsonl')
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
    if (reserved.includes(path.basename(report))) throw new Error(`another output of a run has that name`)
    for (const name of [path.basename(report), path.basename(journal), ...reserved]) {
      if (await isFolder(path.join(folder, name))) throw new Error(`${name} in it is a folder`)
    }
  } catch (error) {
    throw new BenchError({
      code: 'output/unwritable',
      message: `The output ${target} cannot be written: ${(error as Error).message}.`,
      hint: 'Give --output a folder that can be made and written, or a file ending in .json inside one.',
      cause: error,
    })
  }
  const lock = path.join(folder, '.run.lock')
  const own = [report, journal, lock, ...reserved.map((name) => path.join(folder, name))]
  let free: (() => void) | null = null
  function claim(): void {
    free ??= take(lock, folder)
  }
  return {
    folder,
    report,
    journal,
    sweep: path.join(folder, SWEEP),
    isOwn: (file) => own.includes(file),
    claim,
    startJournal() {
      claim()
      // The journal goes last: a configuration without one is a run that asked nothing yet, and would ask it all again.
      setAside([report, ...reserved.map((name) => path.join(folder, name)), journal].filter(existsSync), folder)
      return journal
    },
    release() {
      free?.()
      free = null
    },
  }
}

/** Gives what releases it. */
function take(file: string, folder: string): () => void {
  const lock = takeFileLock(file, LOCK_PATIENCE_MS)
  if (lock.kind === 'taken') return lock.release
  throw new BenchError({
    code: 'output/in-use',
    message: `Another run (${lock.owner}) is writing to ${folder}.`,
    hint: `Give --output a folder of its own. If no such run exists, delete ${file}.`,
  })
}

const SWEEP = 'sweep.json'

/** Files of a run beside its journal and report; the report cannot have their names. */
const reserved = [
  ...['leaderboard.json', 'scoreboard.json', 'summary.md', 'report.html', 'comparison.json', 'comparison.md'],
  SWEEP,
]

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() ?? false
}

/** Whenever this process is killed, one folder has all of the run. */
function setAside(files: readonly string[], folder: string): void {
  const half = path.join(folder, '.setting-aside')
  rmSync(half, { recursive: true, force: true })
  if (files.length === 0) return
  mkdirSync(half)
  for (const file of files) linkOrCopy(file, path.join(half, path.basename(file)))
  renameSync(half, freeName(folder))
  for (const file of files) rmSync(file)
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Of another user's file a link may be refused.
    copyFileSync(from, to)
  }
}

function freeName(folder: string): string {
  for (let number = 1; ; number++) {
    const name = path.join(folder, `earlier-${number}`)
    if (!existsSync(name)) return name
  }
}
