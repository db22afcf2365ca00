import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { isAskedOverNetwork, isPaid, OPENROUTER_URL } from '../config/subject-source.ts'
import type { SubjectOptions, SweepConfig } from '../config/sweep-config.ts'
import type { Prompt, Subject } from '../generate/plan.ts'
import type { EndpointGate } from '../models/endpoint-gate.ts'
import { createFolderProvider } from '../models/folder-provider.ts'
import { createOpenAiProvider, NO_KEY } from '../models/openai-provider.ts'
import type { Provider } from '../models/provider.ts'
import { loadRecording, type Recording } from '../models/recording.ts'
import { replayKey, startReplayServer } from '../models/replay-server.ts'
import { storing } from '../models/response-store.ts'
import { retrying } from '../models/retrying-provider.ts'
import { createScriptedProvider } from '../models/scripted-provider.ts'
import { FOLDER_RECORDING } from '../report/known-prompts.ts'
import type { Contestant } from './build-plan.ts'

/** A subject with what it takes to ask it. */
export interface OpenSubject extends Contestant {
  /** Called once all prompts are known; the provider it gives lives until `close`. */
  start(prompts: readonly Prompt[], asking: Asking): Promise<Provider>
  close(): Promise<void>
}

/** What the subjects of a run that ask endpoints have in common. */
export interface Asking {
  /** One and the same for all subjects of an endpoint. */
  gateOf(endpoint: string): EndpointGate
  /** Aborted when no further request may start. */
  readonly until: AbortSignal
  /** Where answers to paid requests are kept unless the configuration names a folder; null for nowhere. */
  readonly responseStore: string | null
  warn(text: string): void
}

const REPLAY_TIMEOUT_MS = 30_000
/** Room for a reasoning model to think: too small a bound reads as failure. */
const DEFAULT_MAX_TOKENS = 16_384

/**
 * Turns a subject's options into a subject: a model behind an endpoint, a folder of answers, or a recording.
 * @throws BenchError when a key, folder or recording is missing.
 */
export async function openSubject(
  options: SubjectOptions,
  config: SweepConfig,
  env: NodeJS.ProcessEnv,
): Promise<OpenSubject> {
  if (options.recording !== undefined) return openRecording(options, options.recording, config)
  if (options['from-dir'] !== undefined) return openFolder(options, options['from-dir'], config)
  if (options.script !== undefined) return openScript(options, options.script, config)
  return openEndpoint(options, config, env)
}

async function openFolder(options: SubjectOptions, folder: string, config: SweepConfig): Promise<OpenSubject> {
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) {
    throw new BenchError({
      code: 'subject/no-folder',
      message: `The folder of answers ${folder} ${found === null ? 'does not exist' : 'is a file'}.`,
      hint: 'Give --from-dir a folder that holds <fixture-id>.vox, .md or .txt files.',
    })
  }
  const subject = describe(options, config, {
    model: options.model ?? options.harness ?? path.basename(path.resolve(folder)),
    harness: options.harness ?? 'external',
  })
  return {
    subject: { ...subject, recording: { obtained: FOLDER_RECORDING, date: null, isBatched: null } },
    conditions: conditionsOf(options, config),
    start: async () => createFolderProvider(folder),
    close: async () => {},
  }
}

async function openScript(options: SubjectOptions, file: string, config: SweepConfig): Promise<OpenSubject> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BenchError({
      code: 'subject/no-script',
      message: `The script ${file} cannot be read (${error.code}).`,
      hint: 'Give --script the path of a file as in docs/scripted-models.md.',
    })
  })
  const provider = createScriptedProvider(file, text)
  const subject = describe(options, config, {
    model: options.model ?? 'scripted',
    harness: options.harness ?? 'script',
  })
  return {
    subject: { ...subject, recording: { obtained: 'written by hand in a script', date: null, isBatched: null } },
    conditions: conditionsOf(options, config),
    start: async () => provider,
    close: async () => {},
  }
}

async function openEndpoint(
  options: SubjectOptions,
  config: SweepConfig,
  env: NodeJS.ProcessEnv,
): Promise<OpenSubject> {
  const missing = findMissingKey(options, env)
  if (missing !== null) throw missing
  const contestant = describeEndpoint(options, config)
  const variable = keyVariable(options)
  const provider = createOpenAiProvider({
    baseUrl: urlOf(options),
    apiKey: variable === null ? NO_KEY : (env[variable]?.trim() ?? ''),
    model: contestant.subject.model,
    timeoutMs: config['request-timeout-s'] * 1000,
  })
  const { origin } = new URL(urlOf(options))
  return {
    ...contestant,
    start: async (_prompts, { gateOf, until, responseStore, warn }) => {
      await provider.confirmModel()
      const gate = gateOf(origin)
      const asked = retrying(provider, { attempts: config.retries + 1, firstDelayMs: 1000, gate, until })
      const folder = config['response-store'] ?? (isPaid(options) ? responseStore : null)
      if (folder === null) return asked
      const { model, checkpoint } = contestant.subject
      return storing(asked, { folder, baseUrl: urlOf(options), model, checkpoint, isFresh: config.fresh, warn })
    },
    close: async () => {},
  }
}

/**
 * A subject and its conditions as they go into a plan, without what it takes to ask it: no key is needed.
 * @throws BenchError when a folder or recording is missing.
 */
export async function describeSubject(options: SubjectOptions, config: SweepConfig): Promise<Contestant> {
  return isAskedOverNetwork(options) ? describeEndpoint(options, config) : openSubject(options, config, {})
}

/** What is wrong with the key of a subject that is asked over the network; null when it needs none or has one. */
export function findMissingKey(options: SubjectOptions, env: NodeJS.ProcessEnv): BenchError | null {
  const variable = isAskedOverNetwork(options) ? keyVariable(options) : null
  if (variable === null || env[variable]?.trim()) return null
  return new BenchError({
    code: 'subject/no-key',
    message: `${options.model} needs a key, but the environment variable ${variable} is ${env[variable] === undefined ? 'not set' : 'empty'}.`,
    hint: `Set ${variable}, or name another variable with --api-key-env. Keys are never taken from the command line.`,
  })
}

function keyVariable(options: SubjectOptions): string | null {
  return options['api-key-env'] ?? (options['base-url'] === undefined ? 'OPENROUTER_API_KEY' : null)
}

function urlOf(options: SubjectOptions): string {
  return options['base-url'] ?? OPENROUTER_URL
}

function describeEndpoint(options: SubjectOptions, config: SweepConfig): Contestant {
  const { username, password, origin } = new URL(urlOf(options))
  if (username !== '' || password !== '') {
    throw new BenchError({
      code: 'subject/credentials',
      message: `The endpoint ${origin} is given with a name or password in its URL, which would get into logs.`,
      hint: 'Leave them out of --base-url and name the environment variable of a key with --api-key-env.',
    })
  }
  // Looked for in the text: an empty query is in no part of a URL, and still would take the path behind it.
  if (/[?#]/.test(urlOf(options))) {
    throw new BenchError({
      code: 'subject/credentials',
      message: `The endpoint ${origin} is given with a query or fragment in its URL, which may hold a key and would get into files.`,
      hint: 'Leave it out of --base-url; name the environment variable of a key with --api-key-env.',
    })
  }
  const subject = describe(options, config, {
    model: options.model ?? '',
    harness: options.harness ?? 'vox-harness',
    endpoint: origin,
  })
  return { subject, conditions: conditionsOf(options, config) }
}

async function openRecording(options: SubjectOptions, folder: string, config: SweepConfig): Promise<OpenSubject> {
  const recording = await loadRecording(folder)
  const { description } = recording
  const conditions = recordedConditions(folder, recording, conditionsOf(options, config))
  const subject = describe(options, config, {
    model: options.model ?? description.model,
    harness: options.harness ?? description.harness,
  })
  let close = async () => {}
  return {
    subject: {
      ...subject,
      sampling: description.sampling,
      recording: { obtained: description.obtained, date: description.date, isBatched: description.batched },
    },
    conditions,
    start: async (prompts) => {
      const byHash = new Map(prompts.map((prompt) => [prompt.hash, prompt]))
      const server = await startReplayServer(recording, (answer) => keyOf(answer, byHash))
      close = server.close
      const options = {
        baseUrl: server.baseUrl,
        apiKey: NO_KEY,
        model: description.model,
        timeoutMs: REPLAY_TIMEOUT_MS,
      }
      return replaying(createOpenAiProvider(options), recording)
    },
    close: () => close(),
  }
}

/** A smoke run has one condition, whatever the file says of its subjects. */
function conditionsOf(options: SubjectOptions, config: SweepConfig): readonly string[] {
  return config.smoke ? config.condition : (options.condition ?? config.condition)
}

/** A recording takes part in the conditions it has; one that has none of them would be silently missing. */
function recordedConditions(folder: string, recording: Recording, asked: readonly string[]): readonly string[] {
  const recorded = new Set(recording.answers.map((answer) => answer.condition))
  const conditions = asked.filter((name) => recorded.has(name))
  if (conditions.length > 0) return conditions
  throw new BenchError({
    code: 'recording/no-condition',
    message: `The recording ${folder} has no answers under ${asked.join(', ')}.`,
    hint: `It has answers under: ${[...recorded].join(', ') || 'no condition at all'}.`,
  })
}

/** Answers to a prompt that is no longer sent get a key that nothing asks for. */
function keyOf(answer: Recording['answers'][number], prompts: ReadonlyMap<string, Prompt>): string {
  const prompt = prompts.get(answer.promptHash)
  if (prompt === undefined) return `stale ${answer.condition} ${answer.fixture} ${answer.sample}`
  return replayKey(
    [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ],
    answer.sample,
  )
}

/** The time a replay takes says nothing of the model: the latency is the one that was recorded, or unknown. */
function replaying(provider: Provider, recording: Recording): Provider {
  const latencies = new Map(
    recording.answers.map((answer) => [`${answer.condition} ${answer.fixture} ${answer.sample}`, answer.latencyMs]),
  )
  return {
    async complete(request, signal) {
      const completion = await provider.complete({ ...request, seed: request.sample }, signal)
      if (completion.kind !== 'answered') return completion
      const latencyMs = latencies.get(`${request.condition} ${request.fixture} ${request.sample}`) ?? null
      return { ...completion, latencyMs, requests: 0 }
    },
  }
}

/** One greedy sample, or several that differ. */
function defaultTemperature({ n }: SweepConfig): number {
  return n === 1 ? 0 : 0.8
}

function describe(
  options: SubjectOptions,
  config: SweepConfig,
  source: { model: string; harness: string; endpoint?: string },
): Subject {
  const checkpoint = options.checkpoint ?? null
  const isAsked = source.endpoint !== undefined
  return {
    id: checkpoint === null ? source.model : `${source.model}@${checkpoint}`,
    model: source.model,
    checkpoint,
    harness: source.harness,
    sampling: {
      temperature: options.temperature ?? (isAsked ? defaultTemperature(config) : null),
      topP: options['top-p'] ?? null,
      maxTokens: options['max-tokens'] ?? (isAsked ? DEFAULT_MAX_TOKENS : null),
      reasoningEffort: options['reasoning-effort'] ?? null,
    },
    endpoint: source.endpoint ?? null,
    recording: null,
    contextTokens: null,
    cutoff:
      options.cutoff === undefined || options.cutoff === 'auto'
        ? { date: null, source: options.cutoff === 'auto' ? 'no catalogue of models was looked in' : 'not declared' }
        : { date: options.cutoff, source: 'declared by the user' },
    price: priceOf(options),
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
