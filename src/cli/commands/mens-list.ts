import { sweepFileSchema } from '../../config/sweep-config.ts'
import { listMensRuns } from '../../models/mens-runs.ts'
import { fileSize, plural } from '../../report/format.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { type Command, exitCodes } from '../command.ts'
import { sweepOptions, textOption } from '../options.ts'

const defaultFolder = sweepFileSchema.shape['mens-runs'].parse(undefined)

export const mensList: Command = {
  usage: 'mens list [--mens-runs DIR]',
  about: `Lists the training runs in a folder with their checkpoints in the order of training: what to give as model and
checkpoint, the id of the row, and the size of the files. What lies there and is neither run nor checkpoint is told with the
reason. Without a checkpoint a run stands for its last one.`,
  options: [
    ...sweepOptions(['mens-runs']),
    { name: 'json', value: '', help: 'print {folder, runs: [{model, checkpoints}], leftOut} as JSON' },
  ],
  positionals: [],
  examples: ['', '--mens-runs ../training/mens/runs --json'],
  async run({ options, terminal }) {
    const folder = textOption(options, 'mens-runs') ?? defaultFolder
    const { runs, leftOut } = await listMensRuns(folder)
    if (options.json === true) {
      const shown = runs.map(({ model, checkpoints }) => ({
        model,
        checkpoints: checkpoints.map(({ name, bytes }) => ({ name, id: `${model}@${name}`, bytes })),
      }))
      terminal.out(plainJson({ folder, runs: shown, leftOut }, 2))
      return exitCodes.fine
    }
    for (const { model, checkpoints } of runs) {
      const width = Math.max(...checkpoints.map(({ name }) => name.length))
      terminal.out(`${model}  ${plural(checkpoints.length, 'checkpoint')}`)
      for (const { name, bytes } of checkpoints) {
        terminal.out(`  ${name.padEnd(width)}  ${fileSize(bytes).padStart(9)}  ${model}@${name}`)
      }
    }
    for (const { name, reason } of leftOut) terminal.note(plainText(`left out: ${name} ${reason}`))
    if (runs.length === 0) terminal.out(plainText(`There is no training run in ${folder}.`))
    return exitCodes.fine
  },
}
