import { BenchError } from '../../bench-error.ts'
import { purposeOf } from '../../config/sweep-config.ts'
import { listShards, MAX_SHARDS } from '../../generate/shard.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { listComparisons, statePowers } from '../../report/planned-comparisons.ts'
import { type ForecastOptions, forecast } from '../../sweep/forecast.ts'
import { planSweep } from '../../sweep/plan-sweep.ts'
import { compareWithRegistered, hashPlan, readRegisteredPlan, registerPlan } from '../../sweep/registration.ts'
import { shippedCorpus } from '../../sweep/shipped-corpus.ts'
import { loadSweepCatalogue } from '../../sweep/sweep-catalogue.ts'
import { type Command, exitCodes } from '../command.ts'
import { ownCacheFolder } from '../engine.ts'
import { numberOption, sweepOptions, textOption } from '../options.ts'
import { planText } from '../plan-text.ts'
import { configOption, readConfig } from '../read-config.ts'
import { shardsText } from '../shards-text.ts'

export const plan: Command = {
  usage: 'plan [--config sweep.yml] [options]',
  about: `Says what "run" with the same options would do, before anything is spent: rows and attempts, expected and
worst-case cost, the comparisons and what differences they can see. No engine, key or model is needed.
With --register it writes the plan and its hash to a file; publish that before the run, and give it to the run with
--registered, so that the report can say that the plan was followed, or where not.`,
  options: [
    {
      name: 'register',
      value: 'FILE',
      help: 'write the plan with its hash and the time to a new file',
    },
    { name: 'expected-tokens', value: 'N', help: 'tokens of a typical answer, for the expected cost [600]' },
    { name: 'json', value: '', help: 'print {hash, forecast, comparisons, powers, notes, registered} as JSON' },
    { name: 'shards', value: 'N', help: 'say what each of N shards makes; with --json print their matrix instead' },
    configOption,
    ...sweepOptions(),
  ],
  positionals: [],
  examples: [
    '--model vendor/model --condition C0,C1 --cutoff auto --max-spend-usd 2',
    '--config sweep.yml --register plan.json',
    '--config sweep.yml --shards 5 --json',
  ],
  async run({ options, terminal }) {
    const file = textOption(options, 'register')
    const shards = shardsOf(options)
    const config = await readConfig(options, terminal)
    const forecastOptions: ForecastOptions = {
      expectedTokens: expectedTokensOf(options),
      requestsPerSample: config.retries + 1,
    }
    const earlier = config.registered === undefined ? null : await readRegisteredPlan(config.registered)
    const { plan, notes } = await planSweep(config, purposeOf(config), config.corpus ?? shippedCorpus(), {
      env: process.env,
      loadCatalogue: () => loadSweepCatalogue(config, ownCacheFolder(process.env)),
    })
    const comparisons = listComparisons(plan)
    const view = {
      plan,
      hash: hashPlan(plan),
      forecast: await forecast(plan, forecastOptions),
      options: forecastOptions,
      comparisons,
      powers: statePowers(plan, comparisons),
      notes,
    }
    const registered = earlier && compareWithRegistered(earlier, plan)
    if (file !== undefined) await registerPlan(file, plan, new Date())
    if (options.json === true && shards !== null) {
      terminal.out(plainJson(listShards(shards)))
      return exitCodes.fine
    }
    if (options.json === true) {
      const { hash, forecast, powers } = view
      terminal.out(plainJson({ hash, forecast, comparisons, powers, notes, registered }))
      return exitCodes.fine
    }
    terminal.out(planText(view))
    if (shards !== null) terminal.out(`\n${shardsText(plan, shards)}`)
    if (file !== undefined)
      terminal.out(`registered in ${file}: publish it before the run, then: run --registered ${file}`)
    for (const line of registered === null ? [] : followingLines(registered.differences)) terminal.out(plainText(line))
    return exitCodes.fine
  },
}

function followingLines(differences: readonly string[]): string[] {
  if (differences.length === 0) return ['It is the registered plan.']
  return ['It is not the registered plan:', ...differences.map((line) => `  ${line}`)]
}

/** Null where the run is not to be shared. */
function shardsOf(options: Parameters<typeof numberOption>[0]): number | null {
  if (options.shards === undefined) return null
  const count = numberOption(options, 'shards', 1)
  if (Number.isSafeInteger(count) && count >= 1 && count <= MAX_SHARDS) return count
  throw new BenchError({
    code: 'usage/number',
    message: `--shards: ${count} is not a number of shards.`,
    hint: `Write a whole number from 1 to ${MAX_SHARDS}, the most jobs that one matrix may have.`,
  })
}

function expectedTokensOf(options: Parameters<typeof numberOption>[0]): number {
  const tokens = numberOption(options, 'expected-tokens', 600)
  if (Number.isSafeInteger(tokens) && tokens > 0) return tokens
  throw new BenchError({
    code: 'usage/number',
    message: `--expected-tokens: ${tokens} is not a number of tokens.`,
    hint: 'Write it like 600.',
  })
}
