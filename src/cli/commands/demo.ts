import path from 'node:path'
import type { Command } from '../command.ts'
import { shippedCorpus, textOption } from '../options.ts'
import { run } from './run.ts'

export const demo: Command = {
  usage: 'demo [--output DIR]',
  about: `A whole sweep on this machine, without network or keys: recorded answers of two real models are replayed
through a loopback endpoint, and every program is checked and run by the embedded engine.
It is "run" over the sweep file corpus/recorded/demo.yml.`,
  options: [{ name: 'output', value: 'DIR', help: 'folder for all files [out/demo]' }],
  positionals: [],
  examples: ['', '--output /tmp/demo'],
  run(invocation) {
    const config = path.join(shippedCorpus(), 'recorded', 'demo.yml')
    const output = textOption(invocation.options, 'output') ?? path.join('out', 'demo')
    return run.run({ ...invocation, options: { config, output } })
  },
}
