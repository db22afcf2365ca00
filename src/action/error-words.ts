import { inspect } from 'node:util'
import { BenchError } from '../bench-error.ts'
import { VERSION } from '../version.ts'
import { listInputs } from './input-table.ts'

/** Errors of the library name options as the command line has them. */
export function wordError(error: unknown): string {
  if (!(error instanceof BenchError))
    return `This is a fault of vox-efficacy ${VERSION}; please report it with this text:\n${inspect(error)}`
  const names = new Set(listInputs().map(({ name }) => name))
  const asInput = (text: string) =>
    text.replace(/--([a-z][a-z0-9-]*)/g, (whole, name: string) => (names.has(name) ? `input ${name}` : whole))
  return `${asInput(error.message)}\n${asInput(error.hint)}\n(${error.code})`
}
