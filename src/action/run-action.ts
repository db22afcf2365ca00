import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import * as toolkit from '@actions/core'
import { BenchError } from '../bench-error.ts'
import { invalidConfig } from '../config/invalid-config.ts'
import { escapeLog } from '../report/escape.ts'
import { plainText } from '../report/plain-text.ts'
import { describesSweep, lacksKeys, missingKeys, readCorpora, readSweeps } from './action-config.ts'
import { createActionsCache } from './cache.ts'
import type { CorpusJob } from './corpora.ts'
import { deliverFailure } from './deliver.ts'
import { wordError } from './error-words.ts'
import { isKeyless, type JobEvent, readEvent, refuseBorrowedKeys } from './event.ts'
import { createActionsExec } from './exec.ts'
import { createGitHubApi } from './github-api.ts'
import { type ActionInputs, readInputs } from './inputs.ts'
import { createSpeech, type Job, scratchFolder, untilCancelled } from './job.ts'
import { type Keys, takeKeys, takeNamedKeys } from './keys.ts'
import { withMergedBase } from './merged-base.ts'

/** Runs one step of a workflow: everything is published before it fails. Never rejects. */
export async function runAction(env: NodeJS.ProcessEnv): Promise<void> {
  const keys = takeKeys(env)
  for (const secret of keys.secrets) mask(secret)
  const cancel = new AbortController()
  // A cancelled job gets SIGINT, and a few seconds until it is killed: a second signal is no reason to lose what is there.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cancel.abort())
  const event = tryEvent(keys.env)
  const { inputs, problems } = readInputs(keys.env, { isKeyless: isKeyless(event.value) })
  const job = createJob(keys, inputs, event.value, cancel.signal)
  try {
    job.setOutput('skipped', 'false')
    if (event.error !== null) throw event.error
    const failures = await runJob(job, problems, env)
    // What was published may hold annotations of its own; the step fails once.
    if (failures.length > 0) toolkit.setFailed(escapeLog(failures.join('\n')))
  } catch (error) {
    const why = wordError(error)
    await deliverFailure(job, why).catch((trouble: Error) => console.log(plainText(trouble.message)))
    toolkit.setFailed(escapeLog(why))
  }
}

/** The event, or why it cannot be read: then nothing is done but to say so. */
function tryEvent(env: NodeJS.ProcessEnv): { readonly value: JobEvent; readonly error: unknown } {
  try {
    return { value: readEvent(env), error: null }
  } catch (error) {
    return { value: { kind: 'other', name: env.GITHUB_EVENT_NAME ?? '' }, error }
  }
}

/** Each line apart: the runner masks what stands on one line. */
function mask(secret: string): void {
  for (const line of new Set([secret, ...secret.split(/\r?\n/)])) if (line.trim() !== '') toolkit.setSecret(line)
}

function createJob(keys: Keys, inputs: ActionInputs, event: JobEvent, signal: AbortSignal): Job {
  const { env, token } = keys
  const repository = env.GITHUB_REPOSITORY ?? ''
  const url = env.GITHUB_API_URL ?? 'https://api.github.com'
  return {
    inputs,
    event,
    keys,
    api: token === '' || repository === '' ? null : createGitHubApi({ url, repository, token }),
    exec: createActionsExec(),
    cache: createActionsCache(),
    workspace: path.resolve(env.GITHUB_WORKSPACE || process.cwd()),
    scratch: scratchFolder(env),
    names: { base: inputs.artifactName, runId: env.GITHUB_RUN_ID || '0', attempt: Number(env.GITHUB_RUN_ATTEMPT) || 1 },
    signal,
    ...createSpeech(toolkit),
  }
}

/** Gives why the step fails; empty where it does not. */
async function runJob(given: Job, problems: readonly string[], ownEnv: NodeJS.ProcessEnv): Promise<string[]> {
  await makeScratch(given)
  refuseBorrowedKeys(given.event, given.keys.hasKeys)
  const job = { ...given, event: await untilCancelled(given, () => withMergedBase(given)) }
  const { inputs, event, keys } = job
  if (inputs.mode === 'compare' || inputs.mode === 'merge') {
    if (problems.length > 0) throw invalidConfig(problems)
    const run =
      inputs.mode === 'compare'
        ? (await import('./compare-mode.ts')).compareMode
        : (await import('./merge-mode.ts')).mergeMode
    return untilCancelled(job, () => run(job))
  }
  if (inputs.mode === 'check' && !describesSweep(job)) {
    return check(job, await withProblems(problems, () => readCorpora(job)))
  }
  const sweeps = await untilCancelled(job, () => withProblems(problems, () => readSweeps(job)))
  const { config } = sweeps[0]
  const named = config.subjects.flatMap((subject) => subject['api-key-env'] ?? [])
  const values = takeNamedKeys(named, keys, ownEnv)
  for (const value of values.filter((each) => !keys.secrets.includes(each))) mask(value)
  refuseBorrowedKeys(event, keys.hasKeys || values.length > 0)
  if (inputs.mode === 'plan') {
    const { planJob } = await import('./plan-mode.ts')
    return untilCancelled(job, () => planJob(job, sweeps))
  }
  if (inputs.mode === 'check') return check(job, sweeps)
  if (lacksKeys(job, config)) {
    const missing = missingKeys(config, keys.env).join(', ')
    job.annotate(
      'notice',
      `A pull request of a fork or of Dependabot gets no keys (${missing}): no model is asked. Corpus and references are checked.`,
      'Skipped',
    )
    job.setOutput('skipped', 'true')
    return check(job, sweeps, `No model was asked: this pull request gets no keys (${missing}).`)
  }
  return (await import('./sweep-mode.ts')).sweepMode(job, sweeps)
}

/** Loaded when needed: a sweep does without. */
async function check(job: Job, corpora: readonly CorpusJob[], note: string | null = null): Promise<string[]> {
  const { checkJob } = await import('./check-mode.ts')
  return untilCancelled(job, () => checkJob(job, corpora, note))
}

/** Tells of the inputs that cannot be read together with what is wrong in the rest of the configuration. */
async function withProblems<Result>(
  problems: readonly string[],
  read: () => Result | Promise<Result>,
): Promise<Result> {
  if (problems.length === 0) return read()
  try {
    await read()
  } catch (error) {
    if (error instanceof BenchError && error.code === 'config/invalid') {
      throw invalidConfig([...problems, ...error.message.split('\n').filter((line) => !problems.includes(line))])
    }
  }
  throw invalidConfig(problems)
}

async function makeScratch({ scratch }: Job): Promise<void> {
  try {
    await mkdir(scratch, { recursive: true })
  } catch (error) {
    throw new BenchError({
      code: 'action/no-scratch',
      message: `The temporary folder of the job cannot be made: ${(error as Error).message}.`,
      hint: 'RUNNER_TEMP must name a folder that can be written; the runner sets it.',
      cause: error,
    })
  }
}
