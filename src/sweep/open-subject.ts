import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { isPaid, isServed, OPENROUTER_URL, sourceOf } from '../config/subject-source.ts'
import type { SubjectOptions, SweepConfig } from '../config/sweep-config.ts'
import type { Prompt } from '../generate/plan.ts'
import { createFolderProvider } from '../models/folder-provider.ts'
import { createOpenAiProvider, NO_KEY } from '../models/openai-provider.ts'
import type { Provider } from '../models/provider.ts'
import { loadRecording, type Recording } from '../models/recording.ts'
import { replayKey, startReplayServer } from '../models/replay-server.ts'
import { storing } from '../models/response-store.ts'
import { retrying } from '../models/retrying-provider.ts'
import { createScriptedProvider } from '../models/scripted-provider.ts'
import { FOLDER_RECORDING, SCRIPT_RECORDING } from '../report/known-prompts.ts'
import type { OpenSubject } from './asking.ts'
import type { Contestant } from './build-plan.ts'
import { contestantOf } from './contestant.ts'
import type { KnownWeights } from './find-checkpoint.ts'
import { openServed } from './served-checkpoint.ts'

const REPLAY_TIMEOUT_MS = 30_000

/**
 * The subjects of a configuration: models behind endpoints, checkpoints on this machine, folders of answers, recordings.
 * @throws BenchError when a key, checkpoint, folder or recording is missing.
 */
export function openSubjects(config: SweepConfig, env: NodeJS.ProcessEnv): Promise<OpenSubject[]> {
  const weights: KnownWeights = new Map()
  return Promise.all(config.subjects.map((options) => openSubject(options, config, env, weights)))
}

/**
 * Subjects and their conditions as they go into a plan, without what it takes to ask them: no key is needed.
 * @throws BenchError when a checkpoint, folder or recording is missing.
 */
export function describeSubjects(config: SweepConfig): Promise<Contestant[]> {
  const weights: KnownWeights = new Map()
  return Promise.all(
    config.subjects.map(async (options) =>
      sourceOf(options) === 'endpoint' ? describeEndpoint(options, config) : openSubject(options, config, {}, weights),
    ),
  )
}

async function openSubject(
  options: SubjectOptions,
  config: SweepConfig,
  env: NodeJS.ProcessEnv,
  weights: KnownWeights,
): Promise<OpenSubject> {
  if (options.recording !== undefined) return openRecording(options, options.recording, config)
  if (options['from-dir'] !== undefined) return openFolder(options, options['from-dir'], config)
  if (options.script !== undefined) return openScript(options, options.script, config)
  return isServed(options) ? openServed(options, config, weights) : openEndpoint(options, config, env)
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
  const contestant = contestantOf(options, config, {
    model: options.model ?? options.harness ?? path.basename(path.resolve(folder)),
    harness: options.harness ?? 'external',
    recording: { obtained: FOLDER_RECORDING, date: null, isBatched: null },
  })
  return {
    ...contestant,
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
  const contestant = contestantOf(options, config, {
    model: options.model ?? 'scripted',
    harness: options.harness ?? 'script',
    recording: { obtained: SCRIPT_RECORDING, date: null, isBatched: null },
  })
  return {
    ...contestant,
    start: async () => provider,
    close: async () => {},
  }
}

async function openEndpoint(
  options: SubjectOptions,
  config: SweepConfig,
  env: NodeJS.ProcessEnv,
): Promise<OpenSubject> {
  const contestant = describeEndpoint(options, config)
  const missing = findMissingKey(options, env)
  if (missing !== null) throw missingKey([contestant.subject.id], missing, env)
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

/** The variable that lacks the key of a subject at an endpoint; null when it needs none or has one. */
export function findMissingKey(options: SubjectOptions, env: NodeJS.ProcessEnv): string | null {
  const variable = keyVariable(options)
  return variable === null || env[variable]?.trim() ? null : variable
}

/** What is wrong for the subjects of those ids, whose key is in `variable`. */
export function missingKey(ids: readonly string[], variable: string, env: NodeJS.ProcessEnv): BenchError {
  return new BenchError({
    code: 'subject/no-key',
    message: `${ids.join(', ')} ${ids.length === 1 ? 'needs' : 'need'} a key, but the environment variable ${variable} is ${env[variable] === undefined ? 'not set' : 'empty'}.`,
    hint: `Set ${variable}, or name another variable with --api-key-env. Keys are never taken from the command line.`,
  })
}

function keyVariable(options: SubjectOptions): string | null {
  if (sourceOf(options) !== 'endpoint') return null
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
  return contestantOf(options, config, {
    model: options.model ?? '',
    harness: options.harness ?? 'vox-harness',
    endpoint: origin,
  })
}

async function openRecording(options: SubjectOptions, folder: string, config: SweepConfig): Promise<OpenSubject> {
  const recording = await loadRecording(folder)
  const { description } = recording
  const { subject, conditions } = contestantOf(options, config, {
    model: options.model ?? description.model,
    harness: options.harness ?? description.harness,
    recording: { obtained: description.obtained, date: description.date, isBatched: description.batched },
  })
  let close = async () => {}
  return {
    subject: { ...subject, sampling: description.sampling },
    conditions: recordedConditions(folder, recording, conditions),
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
