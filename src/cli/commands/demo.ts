import path from 'node:path'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import type { Command } from '../command.ts'
import { eventsOption } from '../event-sink.ts'
import { textOption } from '../options.ts'
import { readConfig } from '../read-config.ts'
import { sweepAndReport } from '../sweep-and-report.ts'

export const demo: Command = {
  usage: 'demo [--output DIR]',
  about: `A whole sweep on this machine, without network or keys: recorded answers of two real models are replayed
through a loopback endpoint, and every program is checked and run by the embedded engine.
It is "run" over the sweep file corpus/recorded/demo.yml, called a demonstration in every output.`,
  options: [{ name: 'output', value: 'DIR', help: 'folder for all files [out/demo]' }, eventsOption],
  positionals: [],
  examples: ['', '--output /tmp/demo'],
  async run({ options, terminal, signal, finishOnSignal }) {
    const config = await readConfig(
      {
        config: path.join(shippedCorpus(), 'recorded', 'demo.yml'),
        output: textOption(options, 'output') ?? path.join('out', 'demo'),
      },
      terminal,
    )
    const events = textOption(options, eventsOption.name)
    return sweepAndReport(
      { ...config, purpose: 'demo' },
      { terminal, signal, finishOnSignal, env: process.env, events },
    )
  },
}
