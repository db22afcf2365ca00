import path from 'node:path'
import { resumeAndReport, type Surroundings, sweepAndReport } from '../../src/cli/sweep-and-report.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { sweepFileSchema } from '../../src/config/sweep-config.ts'
import { readSweep } from '../../src/sweep/sweep-file.ts'

/** The commands `run` and `resume` under a key that is always the same, so that two runs choose the same controls. */
const [command = '', argument = ''] = process.argv.slice(2)
const surroundings: Surroundings = {
  terminal: createTerminal(process.stdout, process.stderr, process.env),
  signal: new AbortController().signal,
  finishOnSignal() {},
  env: process.env,
  createRunKey: () => '5'.repeat(64),
}
process.exitCode =
  command === 'run'
    ? await sweepAndReport(sweepFileSchema.parse(JSON.parse(argument)), surroundings)
    : await resumeAndReport({ ...readSweep(path.join(argument, 'sweep.json')), output: argument }, surroundings)
