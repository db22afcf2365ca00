import { BenchError } from '../bench-error.ts'
import { isAskedOverNetwork, isAtOpenRouter, isSpendWatched, usesCatalogue } from '../config/subject-source.ts'
import type { SubjectOptions, SweepConfig } from '../config/sweep-config.ts'
import type { Plan, Price, Subject } from '../generate/plan.ts'
import { type Catalogue, type CatalogueModel, type CataloguePrice, nameCatalogue } from '../models/catalogue.ts'
import type { LoadedCatalogue } from '../models/load-catalogue.ts'
import { dollars, number, plural } from '../report/format.ts'

/** Where the catalogue of models comes from. */
export interface CatalogueDeps {
  /** Called when the catalogue can tell something of a subject. */
  loadCatalogue(): Promise<LoadedCatalogue>
  /** The run to continue, whose catalogue stays. */
  readonly earlier?: { readonly planned: { readonly plan: Plan } }
}

interface Described {
  readonly subject: Subject
}

/**
 * The subjects with what the catalogue of models says of them, as far as one is used. A run that is continued keeps
 * what it was told when it began: lists of models change from day to day.
 * @throws BenchError `subject/no-price`; whatever `loadCatalogue` throws.
 */
export async function withCatalogue<Contestant extends Described>(
  contestants: readonly Contestant[],
  config: SweepConfig,
  { loadCatalogue, earlier }: CatalogueDeps,
): Promise<{
  readonly subjects: readonly Contestant[]
  readonly catalogue: Plan['catalogue']
  readonly warnings: readonly string[]
}> {
  if (!usesCatalogue(config)) return { subjects: contestants, catalogue: null, warnings: [] }
  if (earlier !== undefined) {
    const { plan } = earlier.planned
    return { subjects: contestants.map((each) => asPlanned(each, plan)), catalogue: plan.catalogue, warnings: [] }
  }
  const loaded = await loadCatalogue()
  const { catalogue } = loaded
  const pinned = pinCatalogue(contestants, config, catalogue)
  requirePrices(pinned.contestants, config, loaded.warnings)
  return {
    subjects: pinned.contestants,
    catalogue: catalogue && { source: catalogue.source, fetchedAt: catalogue.fetchedAt, sha256: catalogue.sha256 },
    warnings: [...loaded.warnings, ...pinned.warnings],
  }
}

function asPlanned<Contestant extends Described>(contestant: Contestant, { subjects }: Plan): Contestant {
  const planned = subjects.find(({ id }) => id === contestant.subject.id)
  if (planned === undefined) return contestant
  const { price, cutoff, contextTokens } = planned
  return { ...contestant, subject: { ...contestant.subject, price, cutoff, contextTokens } }
}

/**
 * What the catalogue says of the subjects, put into them: price and context of those at OpenRouter, and the cutoff of
 * all that ask for it or declare one. Declared prices win; of two cutoffs the later counts.
 * @param contestants one for each of the subjects of the configuration, in their order
 * @param catalogue null when none is used or could be had
 */
export function pinCatalogue<Contestant extends Described>(
  contestants: readonly Contestant[],
  config: SweepConfig,
  catalogue: Catalogue | null,
): { readonly contestants: readonly Contestant[]; readonly warnings: readonly string[] } {
  const warnings: string[] = []
  const pinned = contestants.map((contestant, index) => {
    const options = config.subjects[index] as SubjectOptions
    return { ...contestant, subject: pinSubject(contestant.subject, options, catalogue, warnings) }
  })
  return { contestants: pinned, warnings }
}

/**
 * @throws BenchError `subject/no-price` when a subject that is asked over the network has no price though its spend is
 *   capped or booked.
 */
function requirePrices(contestants: readonly Described[], config: SweepConfig, reasons: readonly string[]): void {
  if (!isSpendWatched(config)) return
  const unpriced = contestants.filter(({ subject }, index) => {
    return subject.price === null && isAskedOverNetwork(config.subjects[index] as SubjectOptions)
  })
  if (unpriced.length === 0) return
  throw new BenchError({
    code: 'subject/no-price',
    message: `There is a spend cap, but no price of ${unpriced.map(({ subject }) => subject.id).join(', ')}: none was given, and no catalogue of models tells one. ${['The cap could not be kept.', ...reasons].join(' ')}`,
    hint: 'Give --prompt-usd-per-m and --completion-usd-per-m (0 for a model that costs nothing), or a snapshot with --catalogue FILE.',
  })
}

function pinSubject(
  subject: Subject,
  options: SubjectOptions,
  catalogue: Catalogue | null,
  warnings: string[],
): Subject {
  const { id, model } = subject
  const isAuto = options.cutoff === 'auto'
  if (catalogue === null) {
    return isAuto ? { ...subject, cutoff: { date: null, source: 'no catalogue of models could be had' } } : subject
  }
  const known = catalogue.models.get(model)
  const from = nameCatalogue(catalogue)
  const isPriced = isAtOpenRouter(options)
  if (known === undefined) {
    const unread =
      catalogue.skipped === 0 ? '' : ` (${plural(catalogue.skipped, 'entry', 'entries')} could not be read)`
    if (isPriced || isAuto) warnings.push(`${id}: the ${from} has no model ${model}${unread}`)
    return isAuto ? { ...subject, cutoff: { date: null, source: `not in the ${from}` } } : subject
  }
  const cutoff = pinCutoff(options.cutoff, known, from) ?? subject.cutoff
  if (!isPriced) return { ...subject, cutoff }
  warnings.push(...limitsPassed(subject, known, catalogue))
  const price = pinPrice(subject, known.price, from, warnings)
  return { ...subject, cutoff, price, contextTokens: known.contextTokens }
}

/** Null leaves what is there. */
function pinCutoff(declared: string | undefined, known: CatalogueModel, from: string): Subject['cutoff'] | null {
  const told = known.knowledgeCutoff
  if (declared === undefined) return null
  if (declared === 'auto') return { date: told, source: told === null ? `not told by the ${from}` : from }
  if (told === null) return { date: declared, source: `declared by the user; the ${from} does not tell one` }
  return {
    date: declared > told ? declared : told,
    source: `the later of ${declared}, declared by the user, and ${told}, in the ${from}`,
  }
}

/** Prices that are this near to each other agree. */
const TOLERANCE_SHARE = 0.01

function pinPrice(
  { id, price: declared, sampling }: Subject,
  listed: CataloguePrice | null,
  from: string,
  warnings: string[],
): Price | null {
  if (listed === null) return declared
  if (declared === null) {
    if (sampling.providers !== undefined) {
      warnings.push(
        `${id}: the price is the one in the ${from}, and ${sampling.providers.join(', ')} may have another; declare it for a cap to hold`,
      )
    }
    return priceOf(listed, from)
  }
  const different = parts.flatMap(([key, words]) => {
    const [own, other] = [declared[key], listed[key]]
    if (own === null || other === null || Math.abs(own - other) <= TOLERANCE_SHARE * Math.max(own, other)) return []
    return [`${words} ${dollars(own)} declared, ${dollars(other)} listed`]
  })
  if (different.length === 0) return declared
  warnings.push(`${id}: the declared price counts, but the ${from} has another: ${different.join('; ')}`)
  return { ...declared, source: `${declared.source}; the ${from} differs: ${different.join('; ')}` }
}

const parts = [
  ['promptUsdPerM', 'prompt'],
  ['completionUsdPerM', 'completion'],
  ['cachedPromptUsdPerM', 'cached'],
  ['cacheWriteUsdPerM', 'cache write'],
  ['requestUsd', 'request'],
] as const

/** Thinking is part of the completion tokens; where it is dearer, all of them count as thinking, so that no cap is passed. */
function priceOf({ reasoningUsdPerM, ...listed }: CataloguePrice, from: string): Price {
  if (reasoningUsdPerM === null || reasoningUsdPerM <= listed.completionUsdPerM) return { ...listed, source: from }
  return {
    ...listed,
    completionUsdPerM: reasoningUsdPerM,
    source: `${from}, all of an answer at the price of thinking (without: ${dollars(listed.completionUsdPerM)})`,
  }
}

/** What is asked of a model that it does not do, as far as the catalogue tells. */
function limitsPassed({ id, sampling }: Subject, known: CatalogueModel, catalogue: Catalogue) {
  const { maxCompletionTokens, supportedParameters } = known
  const { maxTokens } = sampling
  const from = nameCatalogue(catalogue)
  const isListed = (parameter: string) =>
    [parameter, ...(alsoListedAs[parameter] ?? [])].some((name) => supportedParameters?.includes(name))
  const unsupported =
    supportedParameters === null ? [] : listParameters(sampling, catalogue).filter((name) => !isListed(name))
  return [
    ...(maxCompletionTokens !== null && maxTokens !== null && maxTokens > maxCompletionTokens
      ? [
          `${id}: answers of ${number(maxTokens)} tokens are allowed, but the ${from} has at most ${number(maxCompletionTokens)}`,
        ]
      : []),
    ...(unsupported.length === 0 ? [] : [`${id}: the ${from} does not list ${unsupported.join(', ')} as supported`]),
  ]
}

/** Parameters with another name in some entries of a catalogue. */
const alsoListedAs: Readonly<Record<string, readonly string[]>> = {
  max_tokens: ['max_completion_tokens'],
  max_completion_tokens: ['max_tokens'],
  reasoning: ['reasoning_effort'],
}

/** What each request sends, in the words of the catalogue; of further fields those that it knows of any model. */
function listParameters(sampling: Subject['sampling'], { models }: Catalogue): string[] {
  const { temperature, topP, maxTokens, maxTokensField = 'max_tokens', extraBody = {} } = sampling
  const isReasoningSet = sampling.reasoningEffort !== null || sampling.reasoningMaxTokens !== undefined
  const known = new Set([...models.values()].flatMap(({ supportedParameters }) => supportedParameters ?? []))
  return [
    ...(temperature === null ? [] : ['temperature']),
    ...(topP === null ? [] : ['top_p']),
    ...(maxTokens === null ? [] : [maxTokensField]),
    'seed',
    ...(isReasoningSet ? ['reasoning'] : []),
    ...Object.keys(extraBody).filter((name) => known.has(name)),
  ]
}
