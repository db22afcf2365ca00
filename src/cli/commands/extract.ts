import { plainJson } from '../../report/plain-text.ts'
import { extract } from '../../verify/extract.ts'
import { type Command, exitCodes } from '../command.ts'
import { readNamedFile, textOption } from '../options.ts'

export const extractCommand: Command = {
  usage: 'extract [options] FILE|-',
  about: `Shows which program is taken from a model's raw answer, by the same rule a run uses. Without --entry any
declared function will do. Exits 1 when the answer holds no program.`,
  options: [
    { name: 'entry', value: 'NAME', help: 'the function the program must declare [any]' },
    { name: 'json', value: '', help: 'print {code, truncated, rule} as JSON' },
  ],
  positionals: [{ name: 'FILE', isRequired: true }],
  examples: ['answer.md', '--json --entry area -'],
  async run({ options, positionals, terminal }) {
    const answer = await readNamedFile(positionals[0] ?? '-')
    const extraction = extract(answer, textOption(options, 'entry') ?? null)
    if (extraction.kind === 'none') {
      if (options.json === true) terminal.out(plainJson({ code: null, truncated: false, rule: null }))
      terminal.note(
        `No program was found: ${extraction.why}. A program is a fenced block, or the whole text, that declares the entry function.`,
      )
      return exitCodes.gateSaysNo
    }
    const { code, truncated, rule } = extraction
    if (rule.endsWith('as-is')) terminal.note('note: taken as it is; it does not lex, or does not declare the function')
    terminal.out(options.json === true ? plainJson({ code, truncated, rule }) : code)
    return exitCodes.fine
  },
}
