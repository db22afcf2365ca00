import { inspect } from 'node:util'
import { BenchError } from '../bench-error.ts'
import { VERSION } from '../version.ts'
import { listInputs } from './input-table.ts'

/** Where what helps on the command line does not help in a workflow. */
const HINTS: Readonly<Record<string, string>> = {
  'config/invalid': 'Mend each line above; docs/action.md explains every input.',
  'compare/ambiguous':
    'Choose with the inputs base-subject, head-subject and compare-condition; choose before you look at the results.',
  'engine/not-vox':
    'Give the input vox the path of a vox release binary, or ask for the unofficial engine with "engine: embedded".',
  'merge/refused':
    'Run each shard that is missing or that differs again: "Re-run failed jobs" resumes it, and the merge with it.',
  'resume/other-plan':
    'Bring back what was changed, or start a new run of the workflow; the input rerun: fresh begins anew in this one, and spends up to the cap again.',
  'usage/unreadable': 'Check the path; it is taken from the workspace. Was the repository checked out?',
  'subject/no-key':
    'Give the step the input api-key from a secret, and see that the repository has that secret (Settings > Secrets and variables > Actions); sweep files with several endpoints take theirs from the env of the step.',
}

/** Errors of the library name options as the command line has them. */
export function wordError(error: unknown): string {
  if (!(error instanceof BenchError))
    return `This is a fault of vox-efficacy ${VERSION}; please report it with this text:\n${inspect(error)}`
  const names = new Set(listInputs().map(({ name }) => name))
  const isComparing = error.code.startsWith('compare/')
  // In quotes a flag is one of another program.
  const asInput = (text: string) =>
    text.replace(/"[^"\n]*"|--([a-z][a-z0-9-]*)/g, (whole, name?: string) => {
      if (name === undefined || !names.has(name)) return whole
      return `input ${isComparing && name === 'condition' ? 'compare-condition' : name}`
    })
  // So it is in these messages, which tell what other programs said.
  const message = /^(infra|vox)\//.test(error.code) ? error.message : asInput(error.message)
  return `${message}\n${HINTS[error.code] ?? asInput(error.hint)}\n(${error.code})`
}
