import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { type EngineOptions, parseEngineOptions } from '../config/engine-options.ts'
import { invalidConfig } from '../config/invalid-config.ts'
import { optionTable } from '../config/option-table.ts'
import { parseConfig } from '../config/parse-config.ts'
import { mayCost } from '../config/subject-source.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import { conditionProblem } from '../generate/condition.ts'
import { isVoxAskedFor } from '../sweep/open-engine.ts'
import { findMissingKey } from '../sweep/open-subject.ts'
import { baseFileDeps, listChanged, readTrustedFile } from './base-file.ts'
import { type CorpusJob, listCorpora, type Sweeps, splitByCorpus } from './corpora.ts'
import { isKeyless } from './event.ts'
import type { Mode } from './input-table.ts'
import { nameInput } from './inputs.ts'
import type { Job } from './job.ts'

const MAX_CONFIG_BYTES = 4 * 1024 * 1024

/**
 * The configuration of a step, for each of its corpora.
 * @throws BenchError `config/invalid` that lists every problem; `action/no-cap` for a paid subject without one.
 */
export async function readSweeps(job: Job): Promise<Sweeps> {
  const { inputs, keys, workspace } = job
  const deps = baseFileDeps(job)
  let file: { path: string; text: string } | null = null
  if (inputs.configPath !== null) {
    const { text, isChanged } = await readTrustedFile(inputs.configPath, MAX_CONFIG_BYTES, deps)
    if (isChanged) job.annotate('notice', `${inputs.configPath}: the base's is used; the pull request has another.`)
    file = { path: path.resolve(workspace, inputs.configPath), text }
  }
  const given = { ...keys.options, ...inputs.given }
  const { config, warnings } = parseConfig({ given, file, nameOption: nameInput, conditionProblem })
  for (const warning of warnings) job.annotate('warning', warning)
  if (config.shard !== undefined && inputs.mode !== 'shard') {
    throw invalidConfig([`${inputs.configPath}: shard is of mode shard; give it as the input, one for each job`])
  }
  demandEngine(config)
  // Without a key nothing can be spent, and the variable that holds the cap is as far away as the key.
  if (asksModels(inputs.mode) && !lacksKeys(job, config)) demandCap(config)
  const sweeps = splitByCorpus(config, inputs.corpora, workspace)
  const changed = await listChanged(listDeciders(config, sweeps), deps)
  if (changed === null) {
    job.annotate(
      'notice',
      'Whether the pull request changes corpus, help or vox cannot be told from this checkout; they are used as it has them. Check out with "fetch-depth: 0" to be told.',
    )
  } else if (changed.length > 0) {
    const shown = `${changed.slice(0, 20).join(', ')}${changed.length > 20 ? ` and ${changed.length - 20} more` : ''}`
    job.annotate('notice', `These decide how it is measured, and are used as the pull request has them: ${shown}.`)
  }
  return sweeps
}

/** Files and folders that say how a sweep measures, not what: what a model answers from is no business of its judge. */
function listDeciders(config: SweepConfig, sweeps: Sweeps): string[] {
  const conditions = [...config.condition, ...config.subjects.flatMap(({ condition }) => condition ?? [])]
  const helpFiles = conditions.flatMap((name) => (name.startsWith('file:') ? [name.slice('file:'.length)] : []))
  const named = [config.vox, config['vox-archive'], config['vox-source'], config.catalogue, config.registered]
  return [...sweeps.map(({ folder }) => folder), ...helpFiles, ...named.filter((each) => each !== undefined)]
}

/** Whether the inputs say which models are meant. */
export function describesSweep({ inputs }: Job): boolean {
  const isOfSubject = ({ name, scope }: (typeof optionTable)[number]) =>
    scope === 'subject' && inputs.given[name] !== undefined
  return inputs.configPath !== null || optionTable.some(isOfSubject)
}

/**
 * Corpora and engine of a step that has no sweep.
 * @throws BenchError `config/invalid` that lists every problem.
 */
export function readCorpora({ inputs, keys, workspace }: Job): readonly CorpusJob[] {
  const config = parseEngineOptions({ ...keys.options, ...inputs.given }, nameInput)
  demandEngine(config)
  return listCorpora(inputs.corpora, undefined, workspace).map((corpus) => ({ ...corpus, config }))
}

/** @throws BenchError `config/invalid`: the embedded engine never stands in for vox. */
function demandEngine(config: EngineOptions): void {
  if (config.engine !== undefined || isVoxAskedFor(config)) return
  throw invalidConfig([
    `${nameInput('engine')}: is vox where nothing else is asked for, but nothing says where to get it; give "vox", "vox-archive" or "vox-source", or ask for the unofficial engine with "engine: embedded"`,
  ])
}

/** A plan too, which says what the cap means. */
function asksModels(mode: Mode): boolean {
  return mode === 'all' || mode === 'shard' || mode === 'plan'
}

function demandCap(config: SweepConfig): void {
  if (config['max-spend-usd'] !== undefined) return
  const paid = config.subjects.filter(mayCost).map(({ model }) => model ?? 'a subject')
  if (paid.length === 0) return
  throw new BenchError({
    code: 'action/no-cap',
    message: `${paid.join(', ')} may cost money, and nothing says how much may be spent.`,
    hint: 'Set the input max-spend-usd, best from a repository variable; docs/action.md says why. Of an endpoint that costs nothing say so: prompt-usd-per-m: 0 and completion-usd-per-m: 0.',
  })
}

/** Whether nothing can be asked, since the event gives no keys and they are needed. */
export function lacksKeys({ event, keys }: Job, config: SweepConfig): boolean {
  return isKeyless(event) && missingKeys(config, keys.env).length > 0
}

/** Variables that subjects need a key in and that have none. */
export function missingKeys(config: SweepConfig, env: NodeJS.ProcessEnv): string[] {
  return [...new Set(config.subjects.flatMap((subject) => findMissingKey(subject, env) ?? []))]
}
