import type { Command } from '../command.ts'
import { eventsOption } from '../event-sink.ts'
import { sweepOptions, textOption } from '../options.ts'
import { configOption, readConfig } from '../read-config.ts'
import { sweepAndReport } from '../sweep-and-report.ts'

export const run: Command = {
  usage: 'run [--config sweep.yml] [options]',
  about: `Asks each model for a program for every problem under every condition, verifies each program, and writes
report.json, summary.md, report.html, leaderboard.json, scoreboard.json and attempts.jsonl. Before anything is asked,
the preflight shows that every reference passes and every planted bad program fails. One subject is described by
options; several stand in a sweep file, in the same words. Exits 4 when attempts are missing.`,
  options: [configOption, eventsOption, ...sweepOptions()],
  positionals: [],
  examples: [
    '--model vendor/model --condition C0,C1 --prompt-usd-per-m 0.15 --completion-usd-per-m 0.6 --max-spend-usd 2',
    '--model mens/nova --checkpoint 1200 --base-url http://127.0.0.1:8080/v1 --n 10 --k 1,5 --temperature 0.8',
    '--from-dir answers/ --harness my-agent --condition C0',
    '--config sweep.yml --output out/report.json',
  ],
  async run({ options, terminal, signal, finishOnSignal }) {
    const { events: _, ...given } = options
    const events = textOption(options, eventsOption.name)
    const config = await readConfig(given, terminal)
    return sweepAndReport(config, { terminal, signal, finishOnSignal, env: process.env, events })
  },
}
