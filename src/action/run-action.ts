import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import * as toolkit from '@actions/core'
import { escapeLog } from '../report/escape.ts'
import { plainText } from '../report/plain-text.ts'
import { describesSweep, missingKeys, readCorpora, readSweeps } from './action-config.ts'
import { createActionsCache } from './cache.ts'
import { wordError } from './error-words.ts'
import { isKeyless, readEvent, refuseBorrowedKeys } from './event.ts'
import { createActionsExec } from './exec.ts'
import { createGitHubApi } from './github-api.ts'
import { readInputs } from './inputs.ts'
import { createSpeech, type Job, scratchFolder } from './job.ts'
import { type Keys, takeKeys, takeNamedKeys } from './keys.ts'
import { publishFailure } from './publish.ts'

/** Runs one step of a workflow: everything is published before it fails. Never rejects. */
export async function runAction(env: NodeJS.ProcessEnv): Promise<void> {
  const keys = takeKeys(env)
  for (const secret of keys.secrets) mask(secret)
  const cancel = new AbortController()
  // A cancelled job gets SIGINT, and a few seconds until it is killed: a second signal is no reason to lose what is there.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cancel.abort())
  let job: Job | null = null
  try {
    job = createJob(keys, cancel.signal)
    const failures = await runJob(job, env)
    // What was published may hold annotations of its own; the step fails once.
    if (failures.length > 0) toolkit.setFailed(escapeLog(failures.join('\n')))
  } catch (error) {
    const why = wordError(error)
    if (job !== null) await publishFailure(job, why).catch((trouble: Error) => console.log(plainText(trouble.message)))
    toolkit.setFailed(escapeLog(why))
  }
}

/** Each line apart: the runner masks what stands on one line. */
function mask(secret: string): void {
  for (const line of new Set([secret, ...secret.split(/\r?\n/)])) if (line.trim() !== '') toolkit.setSecret(line)
}

function createJob(keys: Keys, signal: AbortSignal): Job {
  const { env, token } = keys
  const event = readEvent(env)
  const inputs = readInputs(env, { isKeyless: isKeyless(event) })
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
async function runJob(job: Job, ownEnv: NodeJS.ProcessEnv): Promise<string[]> {
  const { inputs, event, keys } = job
  await mkdir(job.scratch, { recursive: true })
  refuseBorrowedKeys(event, keys.hasKeys)
  if (inputs.mode === 'compare') return (await import('./compare-mode.ts')).compareMode(job)
  if (inputs.mode === 'merge') return (await import('./merge-mode.ts')).mergeMode(job)
  if (inputs.mode === 'check' && !describesSweep(job)) {
    return (await import('./check-mode.ts')).checkJob(job, readCorpora(job))
  }
  const sweeps = await readSweeps(job)
  const [first] = sweeps
  if (first === undefined) throw new Error('there is no corpus')
  const named = first.config.subjects.flatMap((subject) => subject['api-key-env'] ?? [])
  const values = takeNamedKeys(named, keys, ownEnv)
  for (const value of values.filter((each) => !keys.secrets.includes(each))) mask(value)
  refuseBorrowedKeys(event, keys.hasKeys || values.length > 0)
  if (inputs.mode === 'plan') return (await import('./plan-mode.ts')).planJob(job, sweeps)
  if (inputs.mode === 'check') return (await import('./check-mode.ts')).checkJob(job, sweeps)
  const missing = missingKeys(first.config, keys.env)
  if (event.kind === 'pull-request' && event.isKeyless && missing.length > 0) {
    job.annotate(
      'notice',
      `A pull request of a fork or of Dependabot gets no keys (${missing.join(', ')}): no model is asked. Corpus and references are checked.`,
      'Skipped',
    )
    job.setOutput('skipped', 'true')
    return (await import('./check-mode.ts')).checkJob(job, sweeps)
  }
  return (await import('./sweep-mode.ts')).sweepMode(job, sweeps)
}
