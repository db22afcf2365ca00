import { existsSync } from 'node:fs'
import path from 'node:path'
import type { EngineOptions } from '../config/engine-options.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import { folderOf } from '../sweep/output-folder.ts'
import { shippedCorpus } from '../sweep/shipped-corpus.ts'

/** A corpus, and what it is to be tried with. */
export interface CorpusJob<Config extends EngineOptions = EngineOptions> {
  /** Names its folder where there are several. */
  readonly name: string
  readonly folder: string
  readonly config: Config
}

/** A corpus to score, with the configuration of its own sweep. */
export type CorpusSweep = CorpusJob<SweepConfig>

/** Those of one step. */
export type Sweeps = readonly [CorpusSweep, ...CorpusSweep[]]

/** Where the Vox repository keeps its corpus. */
const OWN_CORPUS = 'contracts/eval/humaneval-vox'

/** Several corpora share what may be spent in equal parts, so that a part stays the same when a job is run again. */
export function splitByCorpus(config: SweepConfig, listed: readonly string[], workspace: string): Sweeps {
  const [first, ...others] = listCorpora(listed, config.corpus, workspace)
  const output = path.resolve(workspace, config.output)
  if (others.length === 0) return [{ ...first, config: { ...config, output } }]
  const capUsd = config['max-spend-usd']
  const share = capUsd === undefined ? {} : { 'max-spend-usd': capUsd / (others.length + 1) }
  const sweepOf = (corpus: Corpus) => ({
    ...corpus,
    config: { ...config, ...share, output: path.join(folderOf(output), corpus.name) },
  })
  return [sweepOf(first), ...others.map(sweepOf)]
}

type Corpus = Pick<CorpusJob, 'name' | 'folder'>

/** Folders as they are listed; else the one that is configured, the workspace's own, or the shipped one. */
export function listCorpora(
  listed: readonly string[],
  configured: string | undefined,
  workspace: string,
): readonly [Corpus, ...Corpus[]] {
  const names = new Set<string>()
  const corpusIn = (each: string) => {
    const folder = path.resolve(workspace, each)
    return { name: freeName(path.basename(folder), names), folder }
  }
  const [first = configured ?? defaultCorpus(workspace), ...others] = listed
  return [corpusIn(first), ...others.map(corpusIn)]
}

function defaultCorpus(workspace: string): string {
  const own = path.join(workspace, OWN_CORPUS)
  return existsSync(path.join(own, 'manifest.v1.yaml')) ? own : shippedCorpus()
}

/** A name for a folder that an artifact takes, and that is no file. */
function freeName(folder: string, taken: Set<string>): string {
  const wanted = folder.replaceAll(/[":<>|*?\r\n\\]/g, '-').replace(/\.json$/, '-json')
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`
  taken.add(name)
  return name
}
