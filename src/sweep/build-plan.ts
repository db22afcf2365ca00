import { BenchError } from '../bench-error.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import type { Corpus, Fixture } from '../corpus/fixture.ts'
import { selectSplit } from '../corpus/split.ts'
import { resolveCondition } from '../generate/condition.ts'
import { countTokens } from '../generate/count-tokens.ts'
import type { Cell, Condition, Plan, PlannedFixture, Subject } from '../generate/plan.ts'
import { buildPrompt, TEMPLATE_VERSION } from '../generate/prompt.ts'
import { COMPOSITION_VERSION } from '../verify/compose.ts'
import { FEEDBACK_VERSION } from '../verify/feedback.ts'
import { EXTRACTION_VERSION, POLICY_VERSION } from '../verify/verdict.ts'
import { VERSION } from '../version.ts'
import { readHelp } from './help-file.ts'
import { refuseOtherCorpus } from './training-data.ts'

/** A subject and the conditions it is asked under. */
export interface Contestant {
  readonly subject: Subject
  readonly conditions: readonly string[]
  /** Ids of the problems that its training data was searched for; left out where it was not. */
  readonly searched?: readonly string[]
}

const SMOKE_FIXTURES = 3

/**
 * The fixtures a sweep is over.
 * @throws BenchError when the split is empty or a fixture asked for is not in it.
 */
export function chooseFixtures(corpus: Corpus, config: SweepConfig): readonly Fixture[] {
  const inSplit = selectSplit(corpus.fixtures, config.split)
  const unknown = (config.fixtures ?? []).filter((id) => !inSplit.some((fixture) => fixture.id === id))
  if (unknown.length > 0) {
    throw new BenchError({
      code: 'corpus/unknown-fixture',
      message: `The split ${config.split} of ${corpus.name} has no fixture ${unknown.join(', ')}.`,
      hint: `It has: ${inSplit.map((fixture) => fixture.id).join(', ') || 'none'}.`,
    })
  }
  const chosen =
    config.fixtures === undefined ? inSplit : inSplit.filter((fixture) => config.fixtures?.includes(fixture.id))
  if (chosen.length === 0) {
    throw new BenchError({
      code: 'corpus/empty-split',
      message: `The split ${config.split} of ${corpus.name} has no fixtures.`,
      hint: 'Choose another --split.',
    })
  }
  return config.smoke ? chosen.slice(0, SMOKE_FIXTURES) : chosen
}

/**
 * The conditions of those names, each once.
 * @throws BenchError for an unknown one or a missing help file.
 */
export function resolveConditions(names: readonly string[]): Promise<Condition[]> {
  return Promise.all([...new Set(names)].map((name) => resolveCondition(name, readHelp, countTokens)))
}

/** What a plan says of a fixture. */
export function describeFixture(fixture: Fixture): PlannedFixture {
  return {
    id: fixture.id,
    title: fixture.title,
    difficulty: fixture.difficulty,
    tags: [...fixture.tags],
    family: fixture.family,
    trainingEligible: fixture.trainingEligible,
    addedAt: fixture.addedAt,
    assertions: fixture.assertions,
    hasDomain: fixture.domain !== null,
    hash: fixture.hash,
  }
}

/**
 * Everything that is fixed before the first request.
 * @throws BenchError for an unknown condition, a missing help file, two subjects or two cells with one id.
 */
export async function buildPlan(
  config: SweepConfig,
  corpus: Corpus,
  fixtures: readonly Fixture[],
  contestants: readonly Contestant[],
  purpose: Plan['purpose'],
  { excluded = [], catalogue = null }: { excluded?: Plan['excluded']; catalogue?: Plan['catalogue'] } = {},
): Promise<Plan> {
  refuseSharedIds(contestants)
  refuseOtherCorpus(contestants, corpus)
  const cells: Cell[] = contestants.flatMap(({ subject, conditions }) =>
    [...new Set(conditions)].map((condition) => ({ id: `${subject.id} ${condition}`, subject: subject.id, condition })),
  )
  refuseSharedCells(cells)
  const conditions = await resolveConditions(contestants.flatMap((contestant) => contestant.conditions))
  return {
    tool: { name: 'vox-efficacy', version: VERSION },
    corpus: {
      name: corpus.name,
      hash: corpus.hash,
      split: config.split,
      total: corpus.fixtures.length,
      heldOut: corpus.fixtures.filter((fixture) => !fixture.trainingEligible).length,
      warnings: [...corpus.warnings],
      origin: corpus.origin,
    },
    fixtures: fixtures.map(describeFixture),
    excluded,
    subjects: contestants.map((contestant) => contestant.subject),
    catalogue,
    conditions,
    cells,
    prompts: fixtures.flatMap((fixture) => conditions.map((condition) => buildPrompt(fixture, condition))),
    samples: config.n,
    k: config.k,
    seed: config.seed,
    caps: { runUsd: config['max-spend-usd'] ?? null, monthUsd: config['max-spend-usd-per-month'] ?? null },
    versions: {
      template: TEMPLATE_VERSION,
      extraction: EXTRACTION_VERSION,
      policy: POLICY_VERSION,
      composition: COMPOSITION_VERSION,
      feedback: FEEDBACK_VERSION,
    },
    purpose,
  }
}

/** Names of models and conditions may hold spaces, so two pairs of them can make one id. */
function refuseSharedCells(cells: readonly Cell[]): void {
  const ids = cells.map(({ id }) => id)
  const shared = cells.filter(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id))
  if (shared.length === 0) return
  const list = shared.map(
    ({ id, subject, condition }) => `"${id}" of the subject "${subject}" and the condition "${condition}"`,
  )
  throw new BenchError({
    code: 'config/shared-cell',
    message: `Two rows have one id, so they could not be told apart: ${list.join(', ')}.`,
    hint: 'Rename the help file or give the model another name.',
  })
}

function refuseSharedIds(contestants: readonly Contestant[]): void {
  const subjects = contestants.map(({ subject }) => subject)
  const ids = subjects.map(({ id }) => id)
  const shared = subjects.filter(({ id }, index) => ids.indexOf(id) !== index)
  if (shared.length === 0) return
  throw new BenchError({
    code: 'config/shared-subject',
    message: `Two subjects have the id ${[...new Set(shared.map(({ id }) => id))].join(', ')}, so their rows could not be told apart.`,
    hint: [...new Set(shared.map(hintApart))].join(' '),
  })
}

/** The id is MODEL@CHECKPOINT. What of it may be any word depends on what else it says. */
function hintApart({ endpoint, served }: Subject): string {
  if (served !== null)
    return 'A served checkpoint is named by its folder: give each subject a checkpoint of its own, or each setting a run of its own.'
  if (endpoint !== null)
    return 'Give each a "checkpoint" of its own: a label of the row, MODEL@LABEL, that is not sent. Another "model" would ask another model.'
  return 'Give each a "model" (the name of the row) or a "checkpoint" of its own: the id is MODEL@CHECKPOINT.'
}
