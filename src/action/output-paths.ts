import path from 'node:path'
import { folderOf, reportPathOf } from '../sweep/output-folder.ts'
import type { Sweeps } from './corpora.ts'

/** The folder that holds the files of all corpora. */
export function rootOf(sweeps: Sweeps): string {
  const folder = folderOf(sweeps[0].config.output)
  return sweeps.length === 1 ? folder : path.dirname(folder)
}

/** Where the report of an output lies within the artifact of all. */
export function reportEntryOf(root: string, output: string): string {
  return path.relative(root, reportPathOf(output)).split(path.sep).join('/')
}
