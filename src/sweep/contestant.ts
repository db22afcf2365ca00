import { DEFAULT_MAX_TOKENS } from '../config/request-problems.ts'
import type { SubjectOptions, SweepConfig } from '../config/sweep-config.ts'
import type { Subject } from '../generate/plan.ts'
import type { Contestant } from './build-plan.ts'
import { readTrainingData } from './training-data.ts'

/** What the way a subject is asked tells of it, whatever its options say. */
export interface SubjectSource {
  readonly model: string
  readonly harness: string
  /** Of a subject that is asked for its answers. */
  readonly endpoint?: string
  readonly served?: Subject['served']
  /** How answers that are not asked for came about. */
  readonly recording?: Subject['recording']
}

/**
 * A subject and its conditions, as they go into a plan.
 * @throws BenchError when what is said of its training data cannot be read.
 */
export function contestantOf(options: SubjectOptions, config: SweepConfig, source: SubjectSource): Contestant {
  const subject = describe(options, config, source)
  const conditions = conditionsOf(options, config)
  const file = options['training-data']
  if (file === undefined) return { subject, conditions }
  const { trainingData, searched } = readTrainingData(subject.id, file)
  return { subject: { ...subject, trainingData }, conditions, searched }
}

/** A smoke run has one condition, whatever the file says of its subjects. */
function conditionsOf(options: SubjectOptions, config: SweepConfig): readonly string[] {
  return config.smoke ? config.condition : (options.condition ?? config.condition)
}

/** Of the row and the harness of a subject with a second turn. */
const FIX_SUFFIX = '+fix1'

/** One greedy sample, or several that differ. */
function defaultTemperature({ n }: SweepConfig): number {
  return n === 1 ? 0 : 0.8
}

function describe(options: SubjectOptions, config: SweepConfig, source: SubjectSource): Subject {
  const checkpoint = options.checkpoint ?? null
  const isAsked = source.endpoint !== undefined
  const suffix = options.fix ? FIX_SUFFIX : ''
  return {
    id: `${checkpoint === null ? source.model : `${source.model}@${checkpoint}`}${suffix}`,
    model: source.model,
    checkpoint,
    harness: `${source.harness}${suffix}`,
    hasFixTurn: options.fix ?? false,
    sampling: {
      temperature: options.temperature ?? (isAsked ? defaultTemperature(config) : null),
      topP: options['top-p'] ?? null,
      maxTokens: options['max-tokens'] ?? (isAsked ? DEFAULT_MAX_TOKENS : null),
      reasoningEffort: options['reasoning-effort'] ?? null,
      ...furtherSettings(options),
    },
    endpoint: source.endpoint ?? null,
    served: source.served ?? null,
    recording: source.recording ?? null,
    contextTokens: null,
    cutoff:
      options.cutoff === undefined || options.cutoff === 'auto'
        ? { date: null, source: options.cutoff === 'auto' ? 'no catalogue of models was looked in' : 'not declared' }
        : { date: options.cutoff, source: 'declared by the user' },
    trainingData: null,
    price: priceOf(options),
  }
}

function furtherSettings(options: SubjectOptions): Partial<Subject['sampling']> {
  const { provider, 'reasoning-max-tokens': reasoningMaxTokens, 'extra-body': extraBody } = options
  return {
    ...(options['max-tokens-field'] === 'max_completion_tokens' ? { maxTokensField: 'max_completion_tokens' } : {}),
    ...(reasoningMaxTokens === undefined ? {} : { reasoningMaxTokens }),
    ...(provider === undefined ? {} : { providers: provider }),
    ...(extraBody === undefined || Object.keys(extraBody).length === 0 ? {} : { extraBody }),
  }
}

function priceOf(options: SubjectOptions): Subject['price'] {
  const [promptUsdPerM, completionUsdPerM] = [options['prompt-usd-per-m'], options['completion-usd-per-m']]
  if (promptUsdPerM === undefined || completionUsdPerM === undefined) return null
  return {
    promptUsdPerM,
    completionUsdPerM,
    cachedPromptUsdPerM: options['cached-usd-per-m'] ?? null,
    cacheWriteUsdPerM: options['cache-write-usd-per-m'] ?? null,
    requestUsd: options['request-usd'] ?? null,
    source: 'declared by the user',
  }
}
