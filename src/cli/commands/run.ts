import { BenchError } from '../../bench-error.ts'
import { parseConfig } from '../../config/parse-config.ts'
import type { Command } from '../command.ts'
import { readNamedFile, shippedCorpus, sweepOptions, textOption } from '../options.ts'
import { sweepAndReport } from '../sweep-and-report.ts'

export const run: Command = {
  usage: 'run [--config sweep.yml] [options]',
  about: `Asks each model for a program for every problem under every condition, verifies each program, and writes
report.json, summary.md, report.html, leaderboard.json, scoreboard.json and attempts.jsonl. Before anything is asked,
the preflight shows that every reference passes and every planted bad program fails. One subject is described by
options; several stand in a sweep file, in the same words. Exits 4 when attempts are missing.`,
  options: [
    { name: 'config', value: 'FILE', help: 'sweep file (YAML) with subjects and any of the options below' },
    ...sweepOptions(),
  ],
  positionals: [],
  examples: [
    '--model vendor/model --condition C0,C1 --prompt-usd-per-m 0.15 --completion-usd-per-m 0.6 --max-spend-usd 2',
    '--model mens/nova --checkpoint 1200 --base-url http://127.0.0.1:8080/v1 --n 10 --k 1,5 --temperature 0.8',
    '--from-dir answers/ --harness my-agent --condition C0',
    '--config sweep.yml --output out/report.json',
  ],
  async run({ options, terminal, signal, finishOnSignal }) {
    const { config: configPath, ...given } = options
    if (configPath === true)
      throw new BenchError({
        code: 'usage/empty',
        message: '--config needs a file.',
        hint: 'Give the path of a sweep file.',
      })
    const path = textOption(options, 'config')
    const file = path === undefined ? null : { path, text: await readNamedFile(path) }
    const { config, warnings } = parseConfig({ given, file, nameOption: (name) => `--${name}` })
    for (const warning of warnings) terminal.note(`warning: ${warning}`)
    const corpusDir = config.corpus ?? shippedCorpus()
    return sweepAndReport(config, config.smoke ? 'smoke' : config.purpose, corpusDir, {
      terminal,
      signal,
      finishOnSignal,
      env: process.env,
    })
  },
}
