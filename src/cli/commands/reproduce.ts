import { BenchError } from '../../bench-error.ts'
import { loadCorpus } from '../../corpus/load-corpus.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { readNamedReport } from '../../sweep/named-report.ts'
import { reverify } from '../../sweep/reverify.ts'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import { type Command, exitCodes } from '../command.ts'
import { openCliEngine } from '../engine.ts'
import { corpusOption, engineOptions, engineOptionsOf, textOption } from '../options.ts'

/** What no report can prove about itself. */
const NOT_CHECKED =
  'what the models were, that they gave these answers, and what they used and cost; what they were asked; the preflight; which engine it was; the times; the caveats'

export const reproduce: Command = {
  usage: 'reproduce [options] REPORT.json',
  about: `Takes every raw answer out of an old report, extracts and verifies it again with the corpus and engine at hand, and
compares each verification; then checks the attempts and problems against the plan and the corpus, scores the rows
again, and says what it cannot check. Nothing is asked of any model. Exits 0 when all came out again, 1 when there is
any finding.`,
  options: [
    corpusOption,
    ...engineOptions,
    { name: 'json', value: '', help: 'print {verdicts, same, findings, notChecked} as JSON' },
  ],
  positionals: [{ name: 'REPORT.json', isRequired: true }],
  examples: ['out/report.json'],
  async run({ options, positionals, terminal }) {
    const old = await readNamedReport(positionals[0] ?? '')
    const corpus = await loadCorpus(textOption(options, 'corpus') ?? shippedCorpus())
    if (corpus.hash !== old.plan.corpus.hash) {
      throw new BenchError({
        code: 'reproduce/other-corpus',
        message: `The report is of a corpus with hash ${old.plan.corpus.hash.slice(0, 12)}, but the one at hand has ${corpus.hash.slice(0, 12)}.`,
        hint: 'Check out the corpus of that time and name its folder with --corpus.',
      })
    }
    const engine = await openCliEngine(engineOptionsOf(options), terminal)
    try {
      if (engine.identity.sha256 !== old.engine?.sha256) {
        terminal.note('note: this engine is not the very one of the report; differences may be its own')
      }
      const { verdicts, same, findings } = await reverify(engine, corpus.fixtures, old)
      if (options.json === true) {
        terminal.out(plainJson({ verdicts, same, findings, notChecked: NOT_CHECKED }, 2))
      } else {
        for (const { of, problem } of findings) terminal.out(plainText(`${of}: ${problem}`))
        const but = findings.length === 1 ? 'there is 1 finding' : `there are ${findings.length} findings`
        terminal.out(`${same} of ${verdicts} verdicts came out again${findings.length === 0 ? '' : `, but ${but}`}`)
        terminal.out(`Not checked: ${NOT_CHECKED}.`)
      }
      return findings.length === 0 ? exitCodes.fine : exitCodes.gateSaysNo
    } finally {
      await engine.close()
    }
  },
}
