import { existsSync, renameSync, rmSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'

/** Where a run puts its files. */
export interface OutputFolder {
  readonly folder: string
  /** Path of the report; other outputs lie in the same folder. */
  readonly report: string
  readonly journal: string
  /** Makes room for a new journal and gives its path. */
  startJournal(): string
}

/**
 * Makes the folder for `--output`: a folder, or the `.json` file of the report.
 * With `keepsEarlier` the journal of an earlier run is set aside under a number: its answers may have cost money.
 * @throws BenchError `output/unwritable` before anything was written.
 */
export async function prepareOutput(
  target: string,
  { keepsEarlier }: { keepsEarlier: boolean },
): Promise<OutputFolder> {
  const isFile = target.endsWith('.json')
  const folder = path.resolve(isFile ? path.dirname(target) : target)
  const report = isFile ? path.resolve(target) : path.join(folder, 'report.json')
  const journal = path.join(folder, 'attempts.jsonl')
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
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
      if (existsSync(journal)) {
        if (keepsEarlier) renameSync(journal, freeName(folder))
        else rmSync(journal)
      }
      return journal
    },
  }
}

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() ?? false
}

function freeName(folder: string): string {
  for (let number = 1; ; number++) {
    const name = path.join(folder, `attempts.${number}.jsonl`)
    if (!existsSync(name)) return name
  }
}
