import { readFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { readZip } from '../../src/action/zip.ts'
import { readReport } from '../../src/report/read-report.ts'
import type { Report } from '../../src/report/schema.ts'
import { repository } from '../cli/cli-process.ts'
import { smallCorpus } from '../sweep/small-corpus.ts'
import { type ActOptions, type ActRun, type StartedAct, startAct } from './act-run.ts'
import { actionFolder, createRepository, type Repository } from './repositories.ts'
import { type SolvingModel, startSolvingModel, type Weights } from './solving-model.ts'

/** Of the account at the model's endpoint; it must be seen nowhere. */
export const KEY = 'sk-act-7Gq2mZr0Yv5nT8w'
const corpus = path.join(repository, 'corpus')

export interface Consumer {
  readonly repository: Repository
  /** Runs the example, byte for byte. */
  run(options?: Partial<ActOptions>): Promise<ActRun>
  start(options?: Partial<ActOptions>): Promise<StartedAct>
}

/** A repository of somebody who copied one of the examples, with other files beside it. */
export function createConsumer(
  example: string,
  event: ActOptions['event'],
  files: Readonly<Record<string, string>>,
): Consumer {
  const workflow = `.github/workflows/${example}.yml`
  const made = createRepository('acme/models')
  made.commit({
    [workflow]: readFileSync(path.join(repository, `examples/workflows/${example}.yml`), 'utf8'),
    ...files,
  })
  const start = (options: Partial<ActOptions> = {}) =>
    startAct({
      repository: made.folder,
      workflow,
      event,
      actions: { 'OWNER/vox-efficacy@v1': actionFolder() },
      secrets: { OPENROUTER_API_KEY: KEY },
      variables: { VOX_EFFICACY_MAX_SPEND_USD: '2' },
      ...options,
      env: { GITHUB_RUN_ID: '77', ...options.env },
    })
  return { repository: made, start, run: async (options) => (await start(options)).result }
}

/** A paid model at an endpoint of this machine, which wants the key. `weights` are read at each request. */
export async function startPaidModel(weights: Weights, extra = ''): Promise<SolvingModel> {
  const model = await startSolvingModel(corpus, () => weights, {
    key: KEY,
    extra,
    models: ['vendor/able', 'vendor/other'],
  })
  onTestFinished(() => model.close())
  return model
}

/** A sweep file over that model under some names, and six problems. */
export function paidSweep(model: SolvingModel, more: object = {}, names: readonly string[] = ['vendor/able']): string {
  return stringify({
    engine: 'embedded',
    corpus: smallCorpus(6),
    condition: ['C0'],
    catalogue: 'off',
    concurrency: 1,
    subjects: names.map((name) => ({
      model: name,
      'base-url': model.baseUrl,
      'prompt-usd-per-m': 1,
      'completion-usd-per-m': 2,
      'api-key-env': 'OPENROUTER_API_KEY',
    })),
    ...more,
  })
}

/** A sweep file that serves the newest checkpoint in the workspace. */
export function mensSweep(more: object = {}): string {
  const script = path.join(import.meta.dirname, 'solving-model-process.ts')
  return stringify({
    engine: 'embedded',
    'mens-runs': 'mens/runs',
    condition: ['C0'],
    subjects: [
      {
        model: 'mens/nova',
        'mens-serve': `node ${script} --corpus ${corpus} --weights {path}/weights.json --port {port}`,
      },
    ],
    ...more,
  })
}

/** Text of a file in an artifact, at any depth. */
export function textIn(run: ActRun, artifact: string, name: string): string {
  const zip = run.artifacts.get(artifact)
  if (zip === undefined)
    throw new Error(`there is no artifact ${artifact}, but ${[...run.artifacts.keys()]}\n${run.log}`)
  const limits = { entries: 100, bytes: 1024 ** 3, ratio: 1000 }
  const entry = readZip(readFileSync(zip), limits).find((each) => path.posix.basename(each.name) === name)
  if (entry === undefined) throw new Error(`${artifact} has no ${name}`)
  return entry.read().toString('utf8')
}

export function reportIn(run: ActRun, artifact: string): Report {
  return readReport('report.json', textIn(run, artifact, 'report.json'))
}
