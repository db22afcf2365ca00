import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { BenchError } from '../bench-error.ts'
import { invalidConfig } from '../config/invalid-config.ts'
import { wordIssue } from '../config/issue-words.ts'
import { resolvePaths } from '../config/parse-config.ts'
import { type SweepConfig, sweepFileSchema } from '../config/sweep-config.ts'
import { listIssues } from '../zod-issues.ts'
import { unwritable } from './unwritable.ts'

/** Far longer than any configuration. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Writes the configuration of a run to `file`, whole or not at all, for its user alone. It holds names of variables with keys, never keys.
 * Its paths are made absolute, so that the run can be resumed from any folder.
 */
export function writeSweep(file: string, config: SweepConfig): void {
  const part = `${file}.part`
  try {
    // Made anew, so that a link of that name is not followed.
    rmSync(part, { force: true })
    writeFileSync(part, `${JSON.stringify(withoutEmptyLists(resolvePaths(config, process.cwd())), null, 2)}\n`, {
      flag: 'wx',
      mode: 0o600,
    })
    renameSync(part, file)
  } catch (error) {
    throw unwritable(file, error as Error, 'Make room, or give --output another folder.')
  }
}

/** A list is empty only where nobody gave one; in a sweep file it must not be. */
function withoutEmptyLists(config: SweepConfig): object {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !(Array.isArray(value) && value.length === 0)))
}

/**
 * The configuration that an earlier run wrote to `file`, with `changes` by options of the command line.
 * @throws BenchError `resume/no-sweep` when it is not there or is no configuration, `config/invalid` listing every
 *   change that cannot be.
 */
export function readSweep(file: string, changes: Readonly<Record<string, unknown>> = {}): SweepConfig {
  let value: unknown
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`)
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw noSweep(file, (error as Error).message, error)
  }
  const parsed = sweepFileSchema.safeParse(value)
  if (!parsed.success) throw noSweep(file, listIssues(parsed.error).slice(0, 5).join('; '), null)
  const changed = sweepFileSchema.safeParse({ ...(value as object), ...changes }, { error: wordIssue })
  if (changed.success) return changed.data
  throw invalidConfig(changed.error.issues.map(({ path: [name], message }) => `--${String(name)}: ${message}`))
}

function noSweep(file: string, problem: string, cause: unknown): BenchError {
  return new BenchError({
    code: 'resume/no-sweep',
    message: `${file} does not tell how the run was configured: ${problem}.`,
    hint: 'Give the folder of a run as this version of the tool wrote it, or begin anew with: vox-efficacy run.',
    cause,
  })
}
