import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'

/** Where a run puts its files. */
export interface OutputFolder {
  readonly folder: string
  /** Path of the report; other outputs lie in the same folder. */
  readonly report: string
  readonly journal: string
  /**
   * Makes room for a new journal and gives its path. The files of an earlier run are set aside whole, in a folder
   * `earlier-N`: its answers may have cost money, and its report would be taken for that of the new run.
   */
  startJournal(): string
}

/**
 * Makes the folder for `--output`: a folder, or the `.json` file of the report.
 * @throws BenchError `output/unwritable` before anything was written.
 */
export async function prepareOutput(target: string): Promise<OutputFolder> {
  const isFile = target.endsWith('.json')
  const folder = path.resolve(isFile ? path.dirname(target) : target)
  const report = isFile ? path.resolve(target) : path.join(folder, 'report.json')
  const journal = path.join(folder, 'attempts.jsonl')
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
    if (rendered.includes(path.basename(report))) throw new Error(`another output of a run has that name`)
    if (await isFolder(report)) throw new Error(`${report} is a folder`)
  } catch (error) {
    throw new BenchError({
      code: 'output/unwritable',
      message: `The output ${target} cannot be written: ${(error as Error).message}.`,
      hint: 'Give --output a folder that can be made and written, or a file ending in .json inside one.',
      cause: error,
    })
  }
  return {
    folder,
    report,
    journal,
    startJournal() {
      const earlier = [journal, report, ...rendered.map((name) => path.join(folder, name))].filter(existsSync)
      if (earlier.length > 0) {
        const aside = freeName(folder)
        mkdirSync(aside)
        for (const file of earlier) renameSync(file, path.join(aside, path.basename(file)))
      }
      return journal
    },
  }
}

/** Files of a run beside its journal and report; the report cannot have their names. */
const rendered = ['leaderboard.json', 'scoreboard.json', 'summary.md', 'report.html']

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() ?? false
}

function freeName(folder: string): string {
  for (let number = 1; ; number++) {
    const name = path.join(folder, `earlier-${number}`)
    if (!existsSync(name)) return name
  }
}
