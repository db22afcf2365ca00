import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { renderComparison } from '../compare/comparison-markdown.ts'
import type { Comparison } from '../compare/comparison-schema.ts'
import { writeWhole } from './report-files.ts'

const HINT = 'Give --output a folder that can be made and written to.'

/**
 * Writes comparison.json and comparison.md to a folder, which is made where there is none; each appears whole or not
 * at all. Gives the paths.
 *
 * @throws BenchError `infra/unwritable`
 */
export async function writeComparison(folder: string, comparison: Comparison): Promise<string[]> {
  const files = [
    [path.join(folder, 'comparison.json'), `${JSON.stringify(comparison, null, 2)}\n`],
    [path.join(folder, 'comparison.md'), renderComparison(comparison)],
  ] as const
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new BenchError({
      code: 'infra/unwritable',
      message: `The folder ${folder} cannot be made: ${error.message}.`,
      hint: HINT,
      cause: error,
    })
  })
  for (const [file, text] of files) await writeWhole(file, text, HINT)
  return files.map(([file]) => file)
}
