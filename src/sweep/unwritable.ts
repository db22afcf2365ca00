import { BenchError } from '../bench-error.ts'

/** Why a file is not there, or not as it should be. @param hint what to do instead */
export function unwritable(file: string, cause: Error, hint: string): BenchError {
  return new BenchError({
    code: 'infra/unwritable',
    message: `${file} cannot be written: ${cause.message}.`,
    hint,
    cause,
  })
}
