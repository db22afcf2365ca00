import type { SweepConfig } from '../config/sweep-config.ts'
import { loadCorpus } from '../corpus/load-corpus.ts'
import type { Plan } from '../generate/plan.ts'
import { groupBy } from '../report/group-by.ts'
import { buildPlan, chooseFixtures, resolveConditions } from './build-plan.ts'
import { checkContexts } from './context-fit.ts'
import { describeSubjects, findMissingKey, missingKey } from './open-subject.ts'
import { type CatalogueDeps, withCatalogue } from './pin-catalogue.ts'

export interface PlannedSweep {
  readonly plan: Plan
  /** What to know or to mend before the run; one sentence each. */
  readonly notes: readonly string[]
}

export interface PlanningDeps extends CatalogueDeps {
  readonly env: NodeJS.ProcessEnv
  /** False where keys are given to another job than the one that plans. */
  readonly tellsKeys?: boolean
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
  const described = await describeSubjects(config)
  const { subjects, catalogue, warnings } = await withCatalogue(described, config, deps)
  const plan = await buildPlan(config, corpus, fixtures, subjects, purpose, { catalogue })
  return {
    plan,
    notes: [
      ...warnings,
      ...(await checkContexts(plan)),
      ...(config['exclude-failing-references']
        ? ['Problems whose reference fails on the engine will be left out; no engine was asked which.']
        : []),
      ...(deps.tellsKeys === false ? [] : keyNotes(config, plan, deps.env)),
    ],
  }
}

/** One for each variable that lacks a key, with all subjects that need it; they stand in the plan in the order of the configuration. */
function keyNotes({ subjects }: SweepConfig, plan: Plan, env: NodeJS.ProcessEnv): string[] {
  const needs = subjects.flatMap((options, index) => {
    const variable = findMissingKey(options, env)
    const id = plan.subjects[index]?.id
    return variable === null || id === undefined ? [] : [{ variable, id }]
  })
  return [...groupBy(needs, ({ variable }) => variable)].map(
    ([variable, each]) =>
      missingKey(
        each.map(({ id }) => id),
        variable,
        env,
      ).message,
  )
}
