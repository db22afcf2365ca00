import { auditReport, describeProblem, inspectCorpus } from '../../corpus/load-corpus.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import { type Command, exitCodes } from '../command.ts'
import { corpusOption, textOption } from '../options.ts'

export const corpusAudit: Command = {
  usage: 'corpus audit [options]',
  about: `Reads a corpus and lists everything that is wrong with it, all at once: missing files and fields, manifest,
spec and marker that disagree, assertions of another form, stale counts, twins. Exits 2 when there is any finding.`,
  options: [
    corpusOption,
    { name: 'json', value: '', help: 'print {fixtures, heldOut, trainingEligible, hash, problems} as JSON' },
  ],
  positionals: [],
  examples: ['', '--corpus ../vox/contracts/eval/humaneval-vox --json'],
  async run({ options, terminal }) {
    const dir = textOption(options, 'corpus') ?? shippedCorpus()
    const report = auditReport(await inspectCorpus(dir))
    const { fixtures, heldOut, trainingEligible, hash, problems } = report
    if (options.json === true) {
      terminal.out(plainJson(report, 2))
    } else {
      for (const problem of problems) terminal.out(plainText(describeProblem(problem)))
      const sound = problems.length === 0 ? 'no problems' : `${problems.length} problems`
      terminal.out(`${fixtures} fixtures (${heldOut} held out, ${trainingEligible} training-eligible), ${sound}`)
      if (hash !== null) terminal.out(`corpus hash ${hash}`)
    }
    return problems.length === 0 ? exitCodes.fine : exitCodes.usage
  },
}
