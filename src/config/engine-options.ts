import { z } from 'zod'
import { invalidConfig } from './invalid-config.ts'
import { wordIssue } from './issue-words.ts'
import { listOf } from './list-of.ts'
import { engineOptionNames, optionTable } from './option-table.ts'
import { type GivenOptions, readFlags } from './read-flags.ts'

const text = z.string().min(1, 'must not be empty')
const gigabytes = z.number().positive('must be more than 0').max(4096)

/** Which engine, where its binary comes from, and what it is kept in. */
export const engineOptionsSchema = z.strictObject({
  engine: z.enum(['embedded', 'vox']).optional(),
  vox: text.optional(),
  'vox-archive': text.optional(),
  'vox-sha256': z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
  'vox-source': text.optional(),
  'vox-ref': z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_./+-]*$/, 'must be a branch, a tag or a commit')
    .optional(),
  'vox-profile': z.enum(['release', 'dev']).default('release'),
  'vox-overrides': listOf(
    z.string().regex(/^[a-z][a-z-]*=[A-Za-z0-9_.-]+$/, 'must be written like opt-level=1'),
  ).default([]),
  'vox-features': listOf(z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_+./-]*$/, 'must be the name of a feature')).default(
    [],
  ),
  'vox-toolchain': z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be the name of a toolchain, such as 1.92.0')
    .optional(),
  'vox-jobs': z.number().int().min(1).max(1024).optional(),
  'vox-job-memory-gb': gigabytes.default(2),
  'vox-disk-gb': gigabytes.default(25),
  'vox-sccache': z.boolean().default(false),
  'vox-cache': text.optional(),
  'source-gate': z.enum(['off', 'record', 'require']).default('off'),
  sandbox: z.enum(['require', 'best', 'off']).default('best'),
})
export type EngineOptions = z.infer<typeof engineOptionsSchema>

/** Says where the value at a path was written. */
export type PlaceOf = (path: readonly PropertyKey[]) => string

/** Whether a location names another machine rather than a file or folder of this one. */
export function isRemote(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location) || /^[\w.-]+@[\w.-]+:/.test(location)
}

const sources = ['vox', 'vox-archive', 'vox-source'] as const

/** Options that change nothing unless vox is built. */
const buildKeys = [
  'vox-profile',
  'vox-overrides',
  'vox-features',
  'vox-toolchain',
  'vox-jobs',
  'vox-sccache',
  'source-gate',
] as const

/** Whether an option has another value than it has when nobody gives it. */
function isGiven(options: EngineOptions, key: (typeof buildKeys)[number]): boolean {
  const value = options[key]
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== engineOptionsSchema.shape[key].parse(undefined)
}

/** Engine options that contradict each other. */
export function engineProblems(options: EngineOptions, placeOf: PlaceOf): string[] {
  const problems: string[] = []
  const problem = (key: keyof EngineOptions, text: string) => problems.push(`${placeOf([key])}: ${text}`)
  const [first, second] = sources.filter((key) => options[key] !== undefined)
  if (first !== undefined && second !== undefined) {
    problem(second, `vox comes from "${first}" already; give one or the other`)
  }
  if (options.engine === 'embedded' && first !== undefined) {
    problem(first, 'the engine is "embedded", which needs no vox; leave one of them out')
  }
  if (options.engine === 'vox' && first === undefined) {
    problem('engine', 'is "vox", but nothing says where to get it; give "vox", "vox-archive" or "vox-source"')
  }
  if (options['vox-archive'] !== undefined && options['vox-sha256'] === undefined) {
    problem('vox-archive', 'needs "vox-sha256", the SHA-256 of the file, so that nothing else is run in its place')
  }
  if (options['vox-sha256'] !== undefined && options['vox-archive'] === undefined) {
    problem('vox-sha256', 'is of a "vox-archive", but there is none')
  }
  const source = options['vox-source']
  if (options['vox-ref'] !== undefined && (source === undefined || !isRemote(source))) {
    problem('vox-ref', 'is of a "vox-source" that is a git URL; a folder is built as it lies')
  }
  if (source === undefined) {
    for (const key of buildKeys.filter((key) => isGiven(options, key)))
      problem(key, 'is of a "vox-source", but there is none')
  }
  return problems
}

/**
 * The engine options of a command that has no sweep file.
 * @throws BenchError `config/invalid` that lists every problem.
 */
export function parseEngineOptions(given: GivenOptions, nameOption: (name: string) => string): EngineOptions {
  const problems: string[] = []
  const table = optionTable.filter(({ name }) => engineOptionNames.includes(name))
  const { sweep } = readFlags(table, { given, nameOption }, problems)
  const placeOf: PlaceOf = ([name]) => nameOption(String(name))
  if (problems.length > 0) throw invalidConfig(problems)
  const parsed = engineOptionsSchema.safeParse(sweep, { error: wordIssue })
  if (!parsed.success)
    throw invalidConfig(parsed.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`))
  const crossed = engineProblems(parsed.data, placeOf)
  if (crossed.length > 0) throw invalidConfig(crossed)
  return parsed.data
}
