import { existsSync } from 'node:fs'
import path from 'node:path'
import { purposeOf } from '../config/sweep-config.ts'
import { listShards } from '../generate/shard.ts'
import { CATALOGUE_FILE } from '../models/load-catalogue.ts'
import { dollars, plural } from '../report/format.ts'
import { type Forecast, forecast } from '../sweep/forecast.ts'
import { planSweep } from '../sweep/plan-sweep.ts'
import { hashPlan } from '../sweep/registration.ts'
import { loadSweepCatalogue } from '../sweep/sweep-catalogue.ts'
import { artifactName, uploadFolder } from './artifact.ts'
import type { CorpusSweep } from './corpora.ts'
import { artifactOptions, type Job } from './job.ts'
import { appendSummary } from './job-summary.ts'
import { renderPlan } from './plan-summary.ts'

const EXPECTED_TOKENS = 600

/** Says what the sweeps would ask, cost and see, and gives the matrix of their shards. Asks no model, and fails no step. */
export async function planJob(job: Job, sweeps: readonly CorpusSweep[]): Promise<string[]> {
  const parts: string[] = []
  const totals: Forecast[] = []
  const hashes: string[] = []
  for (const { name, folder, config } of sweeps) {
    const { plan, notes } = await planSweep(config, purposeOf(config), folder, {
      env: job.keys.env,
      tellsKeys: false,
      loadCatalogue: () => loadSweepCatalogue(config, job.scratch),
    })
    const options = { expectedTokens: EXPECTED_TOKENS, requestsPerSample: config.retries + 1 }
    const expected = await forecast(plan, options)
    const hash = hashPlan(plan)
    totals.push(expected)
    hashes.push(hash)
    parts.push(renderPlan({ plan, hash, forecast: expected, options, notes }))
    const cost = expected.expectedUsd === null ? 'unknown cost' : `${dollars(expected.expectedUsd)} expected`
    job.note(`${name}: ${plural(expected.attempts, 'attempt')}, ${cost}`)
    for (const note of notes) job.annotate('notice', note)
  }
  const sum = (usdOf: (each: Forecast) => number | null) =>
    totals.reduce<number | null>((total, each) => {
      const usd = usdOf(each)
      return total === null || usd === null ? null : total + usd
    }, 0)
  job.setOutput('plan-hash', hashes[0] ?? '')
  job.setOutput('projected-usd', String(sum(({ expectedUsd }) => expectedUsd) ?? ''))
  job.setOutput('worst-usd', String(sum(({ worstUsd }) => worstUsd) ?? ''))
  job.setOutput('matrix', JSON.stringify(listShards(job.inputs.shards)))
  if (job.inputs.shards > 1) await handOnCatalogue(job)
  await appendSummary(job, `${parts.join('\n\n')}\n`)
  return []
}

/** Shards take the list of models from here: fetched by each, it could change between them, and they would not be one sweep. */
async function handOnCatalogue(job: Job): Promise<void> {
  const { scratch, names } = job
  const file = path.join(scratch, CATALOGUE_FILE)
  if (!existsSync(file)) return
  const name = artifactName(names, { kind: 'plan' })
  const uploaded = await uploadFolder(name, [file], scratch, artifactOptions(job))
  if (uploaded.kind === 'uploaded') return
  job.annotate(
    'warning',
    `Shards will fetch the list of models each for itself, since this one was not handed on: ${uploaded.why}.`,
  )
}
