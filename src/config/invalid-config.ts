import { BenchError } from '../bench-error.ts'

/** All problems of a configuration at once, one a line, each with its place. */
export function invalidConfig(problems: readonly string[]): BenchError {
  return new BenchError({
    code: 'config/invalid',
    message: `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    hint: 'Mend each line above; --help explains every option.',
  })
}
