import type { EngineIdentity, SandboxReport } from '../engine/engine.ts'
import { whyUnofficial } from '../engine/engine.ts'
import type { Registration } from '../generate/journal.ts'
import type { Plan } from '../generate/plan.ts'
import type { AttemptRecord } from '../score/record.ts'
import type { Row } from '../score/row.ts'
import type { SweepComparison } from './comparisons-schema.ts'
import { clip } from './escape.ts'
import { number, plural } from './format.ts'
import { SCRIPT_RECORDING, wasPromptSent } from './known-prompts.ts'
import { countUnits, statePlanPower } from './planned-comparisons.ts'
import { wordPower } from './power-words.ts'
import { describeNames, listReturnedModels } from './returned-models.ts'
import type { Caveat } from './schema.ts'
import { trainingDataCaveats } from './training-words.ts'

export interface CaveatSource {
  readonly plan: Plan
  /** Null when no plan was registered. */
  readonly registration: Registration | null
  readonly rows: readonly Row[]
  readonly comparisons: readonly SweepComparison[]
  readonly attempts: readonly AttemptRecord[]
  readonly engine: EngineIdentity | null
  readonly sandbox: SandboxReport | null
  /** Why the run is not complete; null when it is. */
  readonly endedBecause: string | null
}

/** What every output says beside its numbers, the power statement first. Texts are plain and may hold foreign text. */
export function buildCaveat(source: CaveatSource): Caveat[] {
  const { plan } = source
  return [
    power(plan),
    claims(source),
    ...incomplete(source),
    registered(source),
    ...purpose(plan),
    ...split(plan),
    ...excluded(plan),
    ...engine(source),
    ...sandbox(source),
    origin(plan),
    ...cutoffs(plan),
    ...trainingDataCaveats(plan),
    coverage(plan),
    ...families(plan),
    ...findings(plan),
    conflict(),
    ...recordings(plan),
    ...otherModels(source),
  ]
}

function power(plan: Plan): Caveat {
  const units = countUnits(plan)
  const statement = statePlanPower(plan)
  return {
    id: 'power',
    text: wordPower(statement, units === plan.fixtures.length ? 'problem' : 'independent problem'),
    numbers: {
      n: statement.n,
      gap: statement.gap,
      alpha: statement.alpha,
      discordanceMin: statement.discordance.min,
      discordanceMax: statement.discordance.max,
      target: statement.target,
      powerMin: statement.power.min,
      powerMax: statement.power.max,
      neededMin: statement.neededN.min,
      neededMax: statement.neededN.max,
    },
  }
}

function claims({ rows, comparisons }: CaveatSource): Caveat {
  const decided = comparisons.filter(({ outcome }) => outcome === 'higher' || outcome === 'lower').length
  const told =
    decided === 0
      ? ''
      : `; that one row passes more than another, where the outcome of a comparison says so (${number(decided)} of the ${number(comparisons.length)} of the plan), on problems like these`
  const beyond = decided === 0 ? 'that one subject or harness is better than another' : 'any other order of the rows'
  return {
    id: 'claims',
    text: `May be read from this: how programs fail; how the pass rate of one subject goes with the amount of language help; cost and latency where pass rates are alike; that the whole pipeline ran${told}. May not: ${beyond}. Rows stand in the order of the plan, not of merit; intervals are for one row alone, and looking at many rows at once needs more.`,
    numbers: { rows: rows.length, comparisons: comparisons.length, decided },
  }
}

function incomplete({ endedBecause, rows }: CaveatSource): Caveat[] {
  const withheld = rows.filter(({ headline }) => headline.kind === 'withheld').length
  if (endedBecause === null) return []
  return [
    {
      id: 'incomplete',
      text: `This run is not complete: ${endedBecause}. ${withheld === 0 ? 'No headline is affected.' : `The headline of ${plural(withheld, 'row')} of ${number(rows.length)} is withheld.`}`,
      numbers: { withheld },
    },
  ]
}

function registered({ registration }: CaveatSource): Caveat {
  if (registration === null) {
    return {
      id: 'registration',
      text: 'No plan was registered before this run: nothing here shows that problems, models, conditions and sizes were chosen before results were seen.',
      numbers: { differences: null },
    }
  }
  const { hash, at, differences } = registration
  const name = `the plan registered on ${at.slice(0, 10)} (${hash.slice(0, 12)})`
  return {
    id: 'registration',
    text:
      differences.length === 0
        ? `This run followed ${name}. That it was published before the results is for the reader to check.`
        : `This run did not follow ${name} in ${plural(differences.length, 'point')}: ${differences.join('; ')}.`,
    numbers: { hash, at, differences: differences.length },
  }
}

const purposes: Readonly<Record<Plan['purpose'], string | null>> = {
  run: null,
  smoke: 'A smoke run: it shows that everything works from end to end, on a few problems; it measures nothing.',
  demo: 'A demonstration: recorded answers are replayed and verified anew. It shows what the benchmark does, not what a model can do today.',
}

function purpose({ purpose }: Plan): Caveat[] {
  const text = purposes[purpose]
  return text === null ? [] : [{ id: 'purpose', text, numbers: { purpose } }]
}

function split({ corpus, fixtures }: Plan): Caveat[] {
  if (corpus.split === 'held-out') return []
  const eligible = fixtures.filter(({ trainingEligible }) => trainingEligible).length
  return [
    {
      id: 'split',
      text: `The split is ${corpus.split}: models may have been trained on ${number(eligible)} of ${fixtures.length === 1 ? 'this 1 problem' : `these ${number(fixtures.length)} problems`}, so these rates say little of problems never seen.`,
      numbers: { eligible, fixtures: fixtures.length },
    },
  ]
}

function engine({ engine, rows }: CaveatSource): Caveat[] {
  if (engine === null || engine.official) return []
  const unsupported = rows.reduce((sum, row) => sum + row.unsupported, 0)
  const lost =
    unsupported === 0
      ? ''
      : ` ${plural(unsupported, 'program')} used what it does not support and ${unsupported === 1 ? 'counts' : 'count'} as not passed, though vox might run ${unsupported === 1 ? 'it' : 'them'}.`
  const why = engine.kind === 'embedded' ? '' : ` (${whyUnofficial(engine) ?? 'as it says itself'})`
  return [
    {
      id: 'engine',
      text: `Programs were verified by ${engine.kind === 'embedded' ? 'the embedded engine of this tool' : engine.version}, which is no official vox release${why}: a verdict of the real compiler may differ.${lost}`,
      numbers: { unsupported },
    },
  ]
}

const EXCLUDED_SHOWN = 10

function listExcluded(excluded: Plan['excluded']): string {
  const shown = excluded.slice(0, EXCLUDED_SHOWN).map(({ fixture, reason }) => `${fixture} (${clip(reason, 80)})`)
  const more = excluded.length > shown.length ? ` and ${excluded.length - shown.length} more` : ''
  return `${shown.join(', ')}${more}`
}

function excluded({ excluded, fixtures }: Plan): Caveat[] {
  if (excluded.length === 0) return []
  return [
    {
      id: 'excluded',
      text: `${plural(excluded.length, 'problem')} of ${number(excluded.length + fixtures.length)} ${excluded.length === 1 ? 'was' : 'were'} left out, because this engine fails the reference: ${listExcluded(excluded)}. What is left was chosen by the engine, so these rates compare with no other run, and nothing may be gated on them.`,
      numbers: { excluded: excluded.length },
    },
  ]
}

const openWords: Readonly<Record<keyof SandboxReport['closed'], string>> = {
  tcp: 'the network by TCP',
  udp: 'the network by UDP',
  reads: 'files outside their folder',
  writes: 'places where something stays behind',
  processes: 'other processes',
  survivors: 'time after their end',
}

function sandbox({ sandbox }: CaveatSource): Caveat[] {
  if (sandbox === null) return []
  const keys = Object.keys(openWords) as (keyof SandboxReport['closed'])[]
  const open = keys.filter((key) => !sandbox.closed[key])
  if (open.length === 0) return []
  return [
    {
      id: 'sandbox',
      text: `Candidates were not fully contained (${sandbox.level === 'none' ? 'no sandbox' : `sandbox: ${sandbox.level}`}): a program that got past the engine's own limits could reach ${open.map((key) => openWords[key]).join(', ')}, and with that the tests it was judged by.`,
      numbers: { level: sandbox.level },
    },
  ]
}

function recordings({ subjects }: Plan): Caveat[] {
  return subjects.flatMap((subject) => {
    const { id, recording } = subject
    if (recording === null) return []
    if (recording.obtained === SCRIPT_RECORDING) {
      return [
        {
          id: 'script',
          text: `The answers of ${id} were ${SCRIPT_RECORDING}: they rehearse a run and say nothing of any model.`,
          numbers: { subject: id },
        },
      ]
    }
    const date = recording.date === null ? 'at an unknown date' : `on ${recording.date}`
    const batch = {
      true: ' Many problems were answered in one sitting, so its rows do not compare with rows of one request per problem.',
      false: ' Each problem was asked in a request of its own.',
      null: ' Whether several problems were answered together is unknown.',
    }[`${recording.isBatched}`]
    return [
      {
        id: 'recording',
        text: `The answers of ${id} were not requested by this run: ${recording.obtained}, ${date}.${batch}${wasPromptSent(subject) ? '' : ' Nor were they given its prompts, as far as is known: the language help of its rows is what the user declared.'}`,
        numbers: { subject: id },
      },
    ]
  })
}

function otherModels({ plan, attempts }: CaveatSource): Caveat[] {
  return listReturnedModels(plan, attempts).flatMap(({ subject, asked, names }) => {
    const others = names.filter(({ isOther }) => isOther)
    if (others.length === 0) return []
    const answers = others.reduce((sum, { answers }) => sum + answers, 0)
    return [
      {
        id: 'model',
        text: `${subject} was asked for as ${asked}, but the endpoint gives another name for ${plural(answers, 'answer')}: ${describeNames(others)}. Whether that is another model or the same under another name cannot be told from here.`,
        numbers: { subject, answers },
      },
    ]
  })
}

function origin({ corpus }: Plan): Caveat {
  return {
    id: 'origin',
    text: `What the corpus says of its problems: ${corpus.origin}`,
    numbers: { corpus: corpus.name },
  }
}

function cutoffs({ subjects, fixtures }: Plan): Caveat[] {
  const unknown = subjects.filter(({ cutoff }) => cutoff.date === null)
  const after = subjects.map(({ cutoff }) => fixtures.filter(({ addedAt }) => addedAt > (cutoff.date ?? '')).length)
  const numbers = { unknown: unknown.length, subjects: subjects.length }
  if (unknown.length > 0) {
    return [
      {
        id: 'cutoff',
        text: `The knowledge cutoff of ${number(unknown.length)} of ${plural(subjects.length, 'subject')} is unknown (${unknown.map(({ id }) => id).join(', ')}): whether these problems were seen in training cannot be told, and unknown does not mean clean.`,
        numbers,
      },
    ]
  }
  const fewest = Math.min(fixtures.length, ...after)
  if (fewest === fixtures.length) return []
  return [
    {
      id: 'cutoff',
      text: `Only ${number(fewest)} of ${plural(fixtures.length, 'problem')} ${fewest === 1 ? 'was' : 'were'} added after the knowledge cutoff of every subject; the others may have been seen in training.`,
      numbers: { ...numbers, fewest },
    },
  ]
}

function coverage({ fixtures }: Plan): Caveat {
  return {
    id: 'coverage',
    text: `How much of the language ${fixtures.length === 1 ? 'this problem covers' : `these ${number(fixtures.length)} problems cover`} was not measured: small pure functions, one file, no host access. The rates describe these problems, not Vox as a whole.`,
    numbers: { fixtures: fixtures.length },
  }
}

function families(plan: Plan): Caveat[] {
  const units = countUnits(plan)
  if (units === plan.fixtures.length) return []
  return [
    {
      id: 'families',
      text: `The ${number(plan.fixtures.length)} problems belong to ${number(units)} families; problems of one family rise and fall together, so only families count as independent.`,
      numbers: { units, fixtures: plan.fixtures.length },
    },
  ]
}

function findings({ corpus }: Plan): Caveat[] {
  const { warnings } = corpus
  const [first] = warnings
  if (first === undefined) return []
  return [
    {
      id: 'findings',
      text: `The corpus has ${plural(warnings.length, 'finding')} to look into, the first: ${first.fixture}, ${first.field}: ${first.message}`,
      numbers: { findings: warnings.length },
    },
  ]
}

function conflict(): Caveat {
  return {
    id: 'conflict',
    text: 'The Vox project makes the language, the model MENS and this benchmark, so it measures its own model. MENS goes through the same code as every other model, and everything needed to verify a row again is published with it.',
    numbers: {},
  }
}
