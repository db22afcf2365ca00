import { BenchError } from '../../bench-error.ts'
import { loadCorpus } from '../../corpus/load-corpus.ts'
import { createFolderProvider } from '../../models/folder-provider.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import { tryReference } from '../../verify/oracle.ts'
import { createRunKey } from '../../verify/run-key.ts'
import type { Verdict } from '../../verify/verdict.ts'
import { describeVerdict } from '../../verify/verdict-text.ts'
import { createVerifier } from '../../verify/verify.ts'
import { type Command, exitCodes } from '../command.ts'
import { openCliEngine } from '../engine.ts'
import {
  corpusOption,
  engineOptions,
  engineOptionsOf,
  existingFolder,
  requiredOption,
  sweepOptions,
  textOption,
} from '../options.ts'

export const verify: Command = {
  usage: 'verify --from-dir DIR [options]',
  about: `Verifies one program for each problem: DIR holds <fixture-id>.vox, or raw answers as .md or .txt. Prints a line
for each candidate; a problem without a file is named on the side, and so is one whose reference fails on this engine. Exits 0 when every candidate got a verdict.`,
  options: [
    ...sweepOptions(['from-dir']),
    corpusOption,
    ...engineOptions,
    { name: 'json', value: '', help: 'a JSON line {fixture, verdict, rule, notes} for each candidate' },
  ],
  positionals: [],
  examples: ['--from-dir answers', '--from-dir answers --corpus corpus --json'],
  async run({ options, terminal }) {
    const folder = await existingFolder(requiredOption(options, 'from-dir'))
    const corpus = await loadCorpus(textOption(options, 'corpus') ?? shippedCorpus())
    const provider = createFolderProvider(folder)
    const engine = await openCliEngine(engineOptionsOf(options), terminal)
    try {
      const verifier = createVerifier({ engine, key: createRunKey() })
      const missing: string[] = []
      const lines = await Promise.all(
        corpus.fixtures.map(async (fixture) => {
          const answer = await provider.read(fixture.id, 0)
          if (answer === null) {
            missing.push(fixture.id)
            return null
          }
          const { verdict, rule, notes } = await verifier.verify(fixture, {
            text: answer.text,
            finishReason: answer.isCut ? 'length' : null,
          })
          return { fixture: fixture.id, verdict, rule, notes }
        }),
      )
      const judged = lines.filter((line) => line !== null)
      if (judged.length === 0) {
        throw new BenchError({
          code: 'verify/no-answers',
          message: `${folder} holds no answer to any of the ${corpus.fixtures.length} problems.`,
          hint: 'Answers are named by problem: 001.vox, or 001.md for a raw answer.',
        })
      }
      for (const line of judged) {
        terminal.out(
          options.json === true
            ? plainJson(line)
            : plainText(`${line.fixture} ${describeVerdict(line.verdict)}${firstDiagnostic(line.verdict)}`),
        )
      }
      const failing = new Set(judged.filter(({ verdict }) => verdict.kind !== 'passed').map(({ fixture }) => fixture))
      const suspects = corpus.fixtures.filter(({ id }) => failing.has(id))
      const faults = (await Promise.all(suspects.map((fixture) => tryReference(verifier, fixture)))).filter(
        (fault) => fault !== null,
      )
      for (const { fixture, found } of faults) {
        terminal.note(plainText(`the reference of ${fixture} fails here too, so its verdict says nothing: ${found}`))
      }
      const passed = judged.filter((line) => line.verdict.kind === 'passed').length
      terminal.note(`${passed} of ${judged.length} candidates pass`)
      if (missing.length > 0) terminal.note(`no answer to: ${missing.sort().join(', ')}`)
      return exitCodes.fine
    } finally {
      await engine.close()
    }
  },
}

/** Where and why `check` refused a program; nothing for other verdicts. */
function firstDiagnostic(verdict: Verdict): string {
  if (verdict.kind !== 'check-failed') return ''
  const first = verdict.diagnostics.find((diagnostic) => diagnostic.severity === 'error')
  return first === undefined ? '' : `, ${first.line}:${first.column}: ${first.message}`
}
