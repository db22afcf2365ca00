import { existsSync } from 'node:fs'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { type EngineOptions, parseEngineOptions } from '../config/engine-options.ts'
import { invalidConfig } from '../config/invalid-config.ts'
import { optionTable } from '../config/option-table.ts'
import { parseConfig } from '../config/parse-config.ts'
import { isPaid } from '../config/subject-source.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import { conditionProblem } from '../generate/condition.ts'
import { isVoxAskedFor } from '../sweep/open-engine.ts'
import { findMissingKey } from '../sweep/open-subject.ts'
import { shippedCorpus } from '../sweep/shipped-corpus.ts'
import { readTrustedFile } from './base-file.ts'
import { nameInput } from './inputs.ts'
import type { Job } from './job.ts'

/** A corpus, and what it is to be tried with. */
export interface CorpusJob<Config extends EngineOptions = EngineOptions> {
  /** Names its folder where there are several. */
  readonly name: string
  readonly folder: string
  readonly config: Config
}

/** A corpus to score, with the configuration of its own sweep. */
export type CorpusSweep = CorpusJob<SweepConfig>

const MAX_CONFIG_BYTES = 4 * 1024 * 1024
/** Where the Vox repository keeps its corpus. */
const OWN_CORPUS = 'contracts/eval/humaneval-vox'

/**
 * The configuration of a step, for each of its corpora.
 * @throws BenchError `config/invalid` that lists every problem; `action/no-cap` for a paid subject without one.
 */
export async function readSweeps(job: Job): Promise<CorpusSweep[]> {
  const { inputs, event, keys, workspace } = job
  const baseSha = event.kind === 'pull-request' ? event.base.sha : null
  let file: { path: string; text: string } | null = null
  if (inputs.configPath !== null) {
    const deps = { exec: job.exec, env: keys.env, api: job.api, workspace, baseSha }
    const { text, isChanged } = await readTrustedFile(inputs.configPath, MAX_CONFIG_BYTES, deps)
    if (isChanged) job.annotate('notice', `${inputs.configPath}: the base's is used; the pull request has another.`)
    file = { path: path.resolve(workspace, inputs.configPath), text }
  }
  const given = { ...keys.options, ...inputs.given }
  const { config, warnings } = parseConfig({ given, file, nameOption: nameInput, conditionProblem })
  for (const warning of warnings) job.annotate('warning', warning)
  demandEngine(config)
  demandCap(config)
  return splitByCorpus(config, inputs.corpora, workspace)
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
export function readCorpora({ inputs, keys, workspace }: Job): CorpusJob[] {
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

function demandCap(config: SweepConfig): void {
  if (config['max-spend-usd'] !== undefined) return
  const paid = config.subjects.filter(isPaid).map(({ model }) => model ?? 'a subject')
  if (paid.length === 0) return
  throw new BenchError({
    code: 'action/no-cap',
    message: `${paid.join(', ')} ${paid.length === 1 ? 'costs' : 'cost'} money, and nothing says how much may be spent.`,
    hint: 'Set the input max-spend-usd, best from a repository variable; docs/action.md says why.',
  })
}

/** Several corpora share what may be spent in equal parts, so that a part stays the same when a job is run again. */
function splitByCorpus(config: SweepConfig, listed: readonly string[], workspace: string): CorpusSweep[] {
  const corpora = listCorpora(listed, config.corpus, workspace)
  const output = path.resolve(workspace, config.output)
  const capUsd = config['max-spend-usd']
  if (corpora.length === 1) return corpora.map((corpus) => ({ ...corpus, config: { ...config, output } }))
  return corpora.map((corpus) => ({
    ...corpus,
    config: {
      ...config,
      output: path.join(output.endsWith('.json') ? path.dirname(output) : output, corpus.name),
      ...(capUsd === undefined ? {} : { 'max-spend-usd': capUsd / corpora.length }),
    },
  }))
}

function listCorpora(listed: readonly string[], configured: string | undefined, workspace: string) {
  const names = new Set<string>()
  return (listed.length > 0 ? listed : [configured ?? defaultCorpus(workspace)]).map((each) => {
    const folder = path.resolve(workspace, each)
    return { name: freeName(path.basename(folder), names), folder }
  })
}

function defaultCorpus(workspace: string): string {
  const own = path.join(workspace, OWN_CORPUS)
  return existsSync(path.join(own, 'manifest.v1.yaml')) ? own : shippedCorpus()
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`
  taken.add(name)
  return name
}

/** Variables that subjects need a key in and that have none. */
export function missingKeys(config: SweepConfig, env: NodeJS.ProcessEnv): string[] {
  return [...new Set(config.subjects.flatMap((subject) => findMissingKey(subject, env) ?? []))]
}
