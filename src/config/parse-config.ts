import path from 'node:path'
import { type Document, isMap, LineCounter, parseDocument } from 'yaml'
import { engineProblems, isRemote, type PlaceOf } from './engine-options.ts'
import { invalidConfig } from './invalid-config.ts'
import { wordIssue } from './issue-words.ts'
import { optionTable } from './option-table.ts'
import { type GivenOptions, readFlags } from './read-flags.ts'
import { subjectProblems } from './subject-problems.ts'
import { isAskedOverNetwork } from './subject-source.ts'
import { type SweepConfig, writtenSweepSchema } from './sweep-config.ts'

export interface ConfigSources {
  /** Flags of the command line or inputs of the action; they win over the file. */
  readonly given: GivenOptions
  readonly file: { readonly path: string; readonly text: string } | null
  /** How an option is named in messages, e.g. `--k` or `input k`. */
  readonly nameOption: (name: string) => string
  /** Why there is no condition of that name; null where there is, or where only a file can tell. */
  readonly conditionProblem: (name: string) => string | null
}

export interface ParsedConfig {
  readonly config: SweepConfig
  readonly warnings: readonly string[]
}

interface Located {
  readonly value: unknown
  /** Says where the value at `path` was written. */
  readonly placeOf: (path: readonly PropertyKey[]) => string
  /** Whether nothing in it can be read. */
  readonly isBroken: boolean
}

/**
 * Reads, merges and checks all options at once.
 * @throws BenchError `config/invalid` whose message lists every problem, one a line, each with its place.
 */
export function parseConfig(sources: ConfigSources): ParsedConfig {
  const problems: string[] = []
  const file = withPaths(readFile(sources, problems), sources.file)
  const flags = readFlags(optionTable, sources, problems)
  if (flags.hasSubject && isMapWith(file.value, 'subjects')) {
    problems.push(
      `${sources.file?.path}: has subjects of its own, so ${flags.subjectNames.join(', ')} cannot describe another; give one or the other`,
    )
  }
  const merged = {
    ...withoutEngineSource(file.value as object, flags.sweep),
    ...flags.sweep,
    ...(flags.hasSubject || !isMapWith(file.value, 'subjects') ? { subjects: [flags.subject] } : {}),
  }
  const placeOf = (path: readonly PropertyKey[]) => {
    const name = String(
      path[0] === 'subjects' && (flags.hasSubject || file.value === null) ? (path[2] ?? 'model') : path[0],
    )
    return name in sources.given || file.value === null ? sources.nameOption(name) : file.placeOf(path)
  }
  if (file.isBroken) throw invalidConfig(problems)
  const parsed = writtenSweepSchema.safeParse(merged, { error: wordIssue })
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`)
  if (!parsed.success || problems.length > 0) throw invalidConfig([...problems, ...issues])
  const written: SweepConfig = { ...parsed.data, purpose: 'run' }
  const config = written.smoke ? asSmoke(written) : written
  const crossed = [...conditionProblems(written, sources, placeOf), ...crossProblems(config, placeOf)]
  if (crossed.length > 0) throw invalidConfig(crossed)
  return { config, warnings: warningsOf(config) }
}

/** Options that together say where the engine comes from: a flag for one replaces all that the file says of it. */
const engineSource = ['engine', 'vox', 'vox-archive', 'vox-sha256', 'vox-source', 'vox-ref'] as const

function withoutEngineSource(file: object, flags: Record<string, unknown>): object {
  if (!engineSource.some((name) => name in flags)) return file
  return Object.fromEntries(
    Object.entries(file ?? {}).filter(([name]) => !(engineSource as readonly string[]).includes(name)),
  )
}

function readFile({ file }: ConfigSources, problems: string[]): Located {
  if (file === null) return { value: null, placeOf: () => '', isBroken: false }
  const lines = new LineCounter()
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0)
    return `${file.path}:${line}:${col}`
  }
  for (const error of document.errors) problems.push(`${at(error.pos[0])}: ${error.message}`)
  if (document.errors.length === 0 && !isMap(document.contents)) {
    problems.push(`${file.path}: must be a map of options, such as "subjects:" and "condition:"`)
  }
  const value = problems.length > 0 ? {} : toValue(document, file.path, problems)
  return {
    value,
    isBroken: problems.length > 0,
    placeOf: (path) => {
      for (let depth = path.length; depth > 0; depth--) {
        const node = document.getIn(path.slice(0, depth), true) as
          | { range?: [number, number, number] | null }
          | undefined
        if (node?.range) return `${at(node.range[0])}: ${nameOf(path)}`
      }
      return path.length === 0 ? file.path : `${file.path}: ${nameOf(path)}`
    },
  }
}

function toValue(document: Document, path: string, problems: string[]): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`)
    return {}
  }
}

/** `subject 2: temperature`: a person counts subjects from one. */
function nameOf([first, index, ...rest]: readonly PropertyKey[]): string {
  if (first !== 'subjects' || typeof index !== 'number')
    return [first, ...(index === undefined ? [] : [index]), ...rest].map(String).join('.')
  return [`subject ${index + 1}`, ...rest.map(String)].join(': ')
}

/** Paths in a file are relative to it, so that a sweep means the same from every working folder. */
function withPaths(located: Located, file: ConfigSources['file']): Located {
  if (file === null || typeof located.value !== 'object' || located.value === null) return located
  return { ...located, value: resolvePaths(located.value, path.dirname(file.path)) }
}

/** The options of a sweep, with each path that stands in them taken from `folder`. */
export function resolvePaths<Options extends object>(options: Options, folder: string): Options {
  const resolveIn = (options: unknown): unknown => {
    if (typeof options !== 'object' || options === null) return options
    const entries = Object.entries(options).map(([name, value]) => {
      const isPath =
        typeof value === 'string' &&
        value !== '' &&
        (pathOptions.has(name) || isFolderOf(name, value)) &&
        !isWord(name, value)
      return [name, isPath ? path.resolve(folder, value) : value]
    })
    return Object.fromEntries(entries)
  }
  const value = resolveIn(options) as Record<string, unknown>
  const subjects = Array.isArray(value.subjects) ? { subjects: value.subjects.map(resolveIn) } : {}
  return { ...value, ...subjects } as Options
}

/** What an option takes in place of a path. */
function isWord(name: string, value: string): boolean {
  return name === 'catalogue' && (value === 'auto' || value === 'off')
}

/** A `location` that names no other machine. */
function isFolderOf(name: string, value: string): boolean {
  const kind = optionTable.find((entry) => entry.name === name)?.kind
  return kind === 'location' && !isRemote(value)
}

const pathOptions: ReadonlySet<string> = new Set(
  optionTable.filter((entry) => entry.kind === 'path').map((entry) => entry.name),
)

/** `--smoke` fixes what it promises, and that the endpoint really answers; a lower cap given by the user stays. */
function asSmoke(config: SweepConfig): SweepConfig {
  return {
    ...config,
    condition: ['C1'],
    fresh: true,
    n: 1,
    k: [1],
    'max-spend-usd': Math.min(2, config['max-spend-usd'] ?? 2),
    subjects: config.subjects.map((subject) => ({ ...subject, temperature: 0 })),
  }
}

/** Names of conditions that there are not, of the sweep and of each subject. */
function conditionProblems(
  { condition, subjects }: SweepConfig,
  { conditionProblem }: ConfigSources,
  placeOf: PlaceOf,
): string[] {
  const problemsAt = (path: readonly PropertyKey[], names: readonly string[] = []) =>
    names.flatMap((name, index) => {
      const problem = conditionProblem(name)
      return problem === null ? [] : [`${placeOf([...path, index])}: ${problem}`]
    })
  return [
    ...problemsAt(['condition'], condition),
    ...subjects.flatMap((subject, index) => problemsAt(['subjects', index, 'condition'], subject.condition)),
  ]
}

function crossProblems(config: SweepConfig, placeOf: PlaceOf): string[] {
  const problems = engineProblems(config, placeOf)
  for (const k of config.k) {
    if (k > config.n) problems.push(`${placeOf(['k'])}: pass@${k} needs k <= n, but n is ${config.n}`)
  }
  config.subjects.forEach((subject, index) => {
    for (const [key, message] of subjectProblems(subject, config))
      problems.push(`${placeOf(['subjects', index, key])}: ${message}`)
  })
  return problems
}

function warningsOf(config: SweepConfig): string[] {
  if (config.n === 1) return []
  return config.subjects
    .filter((subject) => isAskedOverNetwork(subject) && (subject.temperature ?? 0.8) < 0.6)
    .map(
      (subject) =>
        `${subject.model}: ${config.n} samples at temperature ${subject.temperature} will hardly differ; 0.6 or more is usual for n > 1`,
    )
}

function isMapWith(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && key in value
}
