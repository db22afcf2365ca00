import type { SweepConfig } from '../config/sweep-config.ts'
import { loadCorpus } from '../corpus/load-corpus.ts'
import type { Plan } from '../generate/plan.ts'
import { buildPlan, chooseFixtures, resolveConditions } from './build-plan.ts'
import { checkContexts } from './context-fit.ts'
import { describeSubject, findMissingKey } from './open-subject.ts'
import { type CatalogueDeps, withCatalogue } from './pin-catalogue.ts'

export interface PlannedSweep {
  readonly plan: Plan
  /** What to know or to mend before the run; one sentence each. */
  readonly notes: readonly string[]
}

export interface PlanningDeps extends CatalogueDeps {
  readonly env: NodeJS.ProcessEnv
}

/**
 * The plan that `runSweep` would make of a configuration, without engine, keys or requests to any model.
 * @throws BenchError for whatever would stop the run before its first request, except a missing key.
 */
export async function planSweep(
  config: SweepConfig,
  purpose: Plan['purpose'],
  corpusDir: string,
  deps: PlanningDeps,
): Promise<PlannedSweep> {
  const corpus = await loadCorpus(corpusDir)
  const fixtures = chooseFixtures(corpus, config)
  await resolveConditions(config.subjects.flatMap((subject) => subject.condition ?? config.condition))
  const described = await Promise.all(config.subjects.map((options) => describeSubject(options, config)))
  const { subjects, catalogue, warnings } = await withCatalogue(described, config, deps)
  const plan = await buildPlan(config, corpus, fixtures, subjects, purpose, { catalogue })
  const keys = config.subjects.flatMap((options) => findMissingKey(options, deps.env)?.message ?? [])
  return {
    plan,
    notes: [
      ...warnings,
      ...(await checkContexts(plan)),
      ...(config['exclude-failing-references']
        ? ['Problems whose reference fails on the engine will be left out; no engine was asked which.']
        : []),
      ...keys,
    ],
  }
}
