import { loadCorpus } from '../../corpus/load-corpus.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { preflightTable } from '../../sweep/preflight-table.ts'
import { preflightLine } from '../../sweep/run-sweep.ts'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import { createRunKey } from '../../verify/run-key.ts'
import { type Command, exitCodes } from '../command.ts'
import { openCliEngine } from '../engine.ts'
import { corpusOption, engineOptions, engineOptionsOf, textOption } from '../options.ts'

export const oracle: Command = {
  usage: 'oracle [options]',
  about: `Proves that this engine and this corpus tell good programs from bad: every reference must pass as if a model had
written it, with nothing flagged, and every planted bad program (stub, early exit, rebinding, forged output, endless
loop, one that knows the asserted answers by heart) must fail for the right reason. Exits 1 when any does not.`,
  options: [
    corpusOption,
    ...engineOptions,
    { name: 'json', value: '', help: 'print {engine, sandbox, references, saboteurs, failures} as JSON' },
  ],
  positionals: [],
  examples: [
    '',
    '--vox dist/vox-embedded.js',
    '--corpus ../vox/contracts/eval/humaneval-vox --vox ../vox/target/release/vox',
  ],
  async run({ options, terminal }) {
    const { fixtures } = await loadCorpus(textOption(options, 'corpus') ?? shippedCorpus())
    const engine = await openCliEngine(engineOptionsOf(options), terminal)
    try {
      const { kind: _, ...line } = await preflightLine(engine, createRunKey(), fixtures)
      const flagged = line.failures.filter((failure) => failure.planted === 'reference').length
      if (options.json === true) {
        terminal.out(plainJson(line, 2))
      } else {
        if (line.failures.length > 0) {
          for (const row of preflightTable(line.failures).split('\n')) terminal.out(plainText(row))
          terminal.out('')
        }
        terminal.out(`${line.references - flagged} of ${line.references} references pass`)
        const untried = flagged === 0 ? '' : `; none were tried on the ${flagged} above`
        terminal.out(
          `${line.saboteurs - (line.failures.length - flagged)} of ${line.saboteurs} planted bad programs caught${untried}`,
        )
        terminal.out(
          `engine: ${plainText(engine.identity.version)}${engine.identity.official ? '' : ' (not an official vox)'}, sandbox: ${line.sandbox.level}, ${(line.elapsedMs / 1000).toFixed(1)} s`,
        )
      }
      if (line.failures.length > 0) {
        terminal.note(
          'This engine and this corpus do not tell good programs from bad. Each failure with its reason: --json.',
        )
      }
      return line.failures.length === 0 ? exitCodes.fine : exitCodes.gateSaysNo
    } finally {
      await engine.close()
    }
  },
}
