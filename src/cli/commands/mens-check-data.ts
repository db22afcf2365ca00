import { realpath, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import { isInside } from '../../is-inside.ts'
import { plainText } from '../../report/plain-text.ts'
import { writeWhole } from '../../sweep/report-files.ts'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import { unwritable } from '../../sweep/unwritable.ts'
import { checkData } from '../../training/check-data.ts'
import type { DataCheck } from '../../training/data-check.ts'
import { type DataFiles, listDataFiles } from '../../training/data-files.ts'
import { type Command, exitCodes } from '../command.ts'
import { dataCheckLines } from '../data-check-text.ts'
import { corpusOption, existingFolder, textOption } from '../options.ts'
import { searchProgress } from '../search-progress.ts'

const codes: Readonly<Record<DataCheck['kind'], number>> = {
  clean: exitCodes.fine,
  canary: exitCodes.gateSaysNo,
  overlap: exitCodes.gateSaysNo,
  incomplete: exitCodes.incomplete,
}

export const mensCheckData: Command = {
  usage: 'mens check-data DIR [options]',
  about: `Searches what a model was trained on, every file below DIR or one file, for the canaries of the corpus and for
text of its held-out problems (prompt, reference, tests). Exits 0 when nothing was found in anything, 1 when a canary
or a problem was, 4 when nothing was found but not everything could be searched.
With --output it writes a file that the option --training-data of a sweep takes into the report.`,
  options: [
    corpusOption,
    { name: 'output', value: 'FILE', help: 'write the outcome as JSON, for --training-data; outside of DIR [nowhere]' },
  ],
  positionals: [{ name: 'DIR', isRequired: true }],
  examples: ['mens/data', 'mens/data/train.jsonl.gz --output training-data.json'],
  async run({ options, positionals, terminal }) {
    const output = textOption(options, 'output')
    const data = await listDataFiles(positionals[0] ?? '')
    if (data.files.length === 0 && data.unsearched.length === 0) throw noFiles(positionals[0] ?? '')
    // Before a search that may take hours.
    if (output !== undefined) await refuseUnfit(output, data)
    const progress = searchProgress(terminal)
    const check = await checkData(data, {
      corpusDir: textOption(options, 'corpus') ?? shippedCorpus(),
      now: () => new Date(),
      onProgress: progress.show,
    }).finally(progress.end)
    for (const line of dataCheckLines(check)) terminal.out(plainText(line))
    if (output !== undefined) {
      await write(output, `${JSON.stringify(check, null, 2)}\n`)
      terminal.out(plainText(`Written: ${output}`))
    }
    return codes[check.kind]
  },
}

function noFiles(dir: string): BenchError {
  return new BenchError({
    code: 'training/no-files',
    message: `There is no file below ${dir}, so there is nothing that could be clean.`,
    hint: 'Give the folder, or the file, that the model was trained on.',
  })
}

/** The outcome must not become part of the data. */
async function refuseUnfit(output: string, { folder }: DataFiles): Promise<void> {
  const parent = await existingFolder(path.dirname(output))
  if (folder === null || !isInside(await realpath(parent), folder)) return
  throw new BenchError({
    code: 'training/output-in-data',
    message: `${output} lies in the folder that is searched, and would change its hash.`,
    hint: 'Give --output a place outside of it.',
  })
}

/** Of a search that may have taken hours, what an earlier one found is not lost to a full disk. */
async function write(output: string, text: string): Promise<void> {
  const hint = 'Give --output the path of a file that can be written.'
  const isPlain = (await stat(output).catch(() => null))?.isFile() ?? true
  if (isPlain) return await writeWhole(await realpath(output).catch(() => output), text, hint)
  // A pipe or a device has no other in its place.
  await writeFile(output, text).catch((error) => {
    throw unwritable(output, error, hint)
  })
}
