import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { renderComparison } from '../compare/comparison-markdown.ts'
import type { Comparison } from '../compare/comparison-schema.ts'

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
  try {
    await mkdir(folder, { recursive: true })
    for (const [file, text] of files) {
      const part = `${file}.part`
      // Made anew, so that a link of that name is not followed.
      await rm(part, { force: true })
      await writeFile(part, text, { flag: 'wx' })
      await rename(part, file)
    }
  } catch (error) {
    throw new BenchError({
      code: 'infra/unwritable',
      message: `The comparison cannot be written to ${folder}: ${(error as Error).message}.`,
      hint: 'Give --output a folder that can be made and written to.',
      cause: error,
    })
  }
  return files.map(([file]) => file)
}
