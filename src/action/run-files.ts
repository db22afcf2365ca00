import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { OutputFolder } from '../sweep/output-folder.ts'

/** The files of a run that are published, of those that are there. */
export function runFiles({ folder, report, journal }: Pick<OutputFolder, 'folder' | 'report' | 'journal'>): string[] {
  const names = ['summary.md', 'report.html', 'leaderboard.json', 'scoreboard.json']
  return [journal, report, ...names.map((name) => path.join(folder, name))].filter(isOwnFile)
}

/** The files of a comparison. */
export function comparisonFiles(folder: string): string[] {
  return ['comparison.json', 'comparison.md'].map((name) => path.join(folder, name)).filter(isOwnFile)
}

/** What a link points to is not of this run. */
function isOwnFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}
