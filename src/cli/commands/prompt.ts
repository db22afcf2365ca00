import { BenchError } from '../../bench-error.ts'
import { loadCorpus } from '../../corpus/load-corpus.ts'
import { resolveCondition } from '../../generate/condition.ts'
import { countTokens } from '../../generate/count-tokens.ts'
import { buildPrompt } from '../../generate/prompt.ts'
import { plainJson } from '../../report/plain-text.ts'
import { readHelp } from '../../sweep/help-file.ts'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import { type Command, exitCodes } from '../command.ts'
import { corpusOption, requiredOption, textOption } from '../options.ts'

export const prompt: Command = {
  usage: 'prompt --fixture ID [options]',
  about: 'Prints exactly what a model is sent for one problem under one condition.',
  options: [
    { name: 'fixture', value: 'ID', help: 'the problem' },
    { name: 'condition', value: 'C', help: 'language help: C0..C3, C1@50, C1-strings, file:PATH [C1]' },
    corpusOption,
    { name: 'json', value: '', help: 'print {fixture, condition, system, user, hash, helpTokens} as JSON' },
  ],
  positionals: [],
  examples: ['--fixture 001 --condition C2', '--fixture 001 --condition file:my-help.md --json'],
  async run({ options, terminal }) {
    const id = requiredOption(options, 'fixture')
    const condition = await resolveCondition(textOption(options, 'condition') ?? 'C1', readHelp, countTokens)
    const corpus = await loadCorpus(textOption(options, 'corpus') ?? shippedCorpus())
    const fixture = corpus.fixtures.find((candidate) => candidate.id === id)
    if (fixture === undefined) {
      throw new BenchError({
        code: 'corpus/unknown-fixture',
        message: `The corpus ${corpus.name} has no fixture "${id}".`,
        hint: `It has: ${corpus.fixtures.map((candidate) => candidate.id).join(', ')}.`,
      })
    }
    const built = buildPrompt(fixture, condition)
    terminal.out(
      options.json === true
        ? plainJson({ ...built, helpTokens: condition.tokens })
        : `[system]\n${built.system}\n\n[user]\n${built.user}`,
    )
    return exitCodes.fine
  },
}
