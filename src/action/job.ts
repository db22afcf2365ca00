import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { BenchError } from '../bench-error.ts'
import type { EngineOptions } from '../config/engine-options.ts'
import type { Engine } from '../engine/engine.ts'
import type { Cache, Exec } from '../engine/ports.ts'
import { escapeLog } from '../report/escape.ts'
import { plainText } from '../report/plain-text.ts'
import { openEngine } from '../sweep/open-engine.ts'
import type { ArtifactNames, ArtifactOptions } from './artifact.ts'
import type { JobEvent } from './event.ts'
import type { GitHubApi } from './github-api.ts'
import type { OutputName } from './input-table.ts'
import type { ActionInputs } from './inputs.ts'
import { type Keys, withoutRunnerTokens } from './keys.ts'

/** What the runner shows beside a job; of each kind it takes ten a step. */
export type AnnotationKind = 'error' | 'warning' | 'notice'

/** One step of a workflow, and how it speaks to the runner. */
export interface Job {
  readonly inputs: ActionInputs
  readonly event: JobEvent
  readonly keys: Keys
  /** Null without a token. */
  readonly api: GitHubApi | null
  readonly exec: Exec
  readonly cache: Cache
  readonly workspace: string
  /** A folder of this job for what may be made again. */
  readonly scratch: string
  readonly names: ArtifactNames
  /** Aborted when the workflow is cancelled. */
  readonly signal: AbortSignal
  note(text: string): void
  annotate(kind: AnnotationKind, text: string, title?: string): void
  setOutput(name: OutputName, value: string): void
}

/** The toolkit's part that is used. */
export interface Toolkit {
  error(message: string, properties?: { title?: string }): void
  warning(message: string, properties?: { title?: string }): void
  notice(message: string, properties?: { title?: string }): void
  setOutput(name: string, value: string): void
}

/** The runner shows ten of a kind; one is left for what ends the step. */
const MAX_ANNOTATIONS = 9
const ANNOTATION_CHARACTERS = 4000

/** Speaks through the toolkit, with all text escaped; beyond nine annotations of a kind it only writes lines. */
export function createSpeech(toolkit: Toolkit): Pick<Job, 'note' | 'annotate' | 'setOutput'> {
  const counts = { error: 0, warning: 0, notice: 0 }
  const note = (text: string) => console.log(text.split('\n').map(plainText).join('\n'))
  return {
    note,
    annotate(kind, text, title) {
      counts[kind] += 1
      const shown = escapeLog(text.length > ANNOTATION_CHARACTERS ? `${text.slice(0, ANNOTATION_CHARACTERS)}…` : text)
      if (counts[kind] > MAX_ANNOTATIONS) return note(`${kind}: ${title === undefined ? '' : `${title}: `}${text}`)
      toolkit[kind](shown, title === undefined ? {} : { title: escapeLog(title) })
    },
    setOutput(name, value) {
      try {
        toolkit.setOutput(name, value)
      } catch (error) {
        note(`The output ${name} cannot be told: ${(error as Error).message}`)
      }
    },
  }
}

/** Why something was not begun, or not ended. */
export function cancelled(what = 'The job was cancelled'): BenchError {
  return new BenchError({
    code: 'action/cancelled',
    message: `${what}.`,
    hint: 'Run it again: what was measured is kept.',
  })
}

/**
 * Work that a cancelled job gives up: the runner kills it within seconds, and what is there must be published before that.
 * @throws BenchError `action/cancelled`, and as `work`.
 */
export function untilCancelled<Result>({ signal }: Pick<Job, 'signal'>, work: () => Promise<Result>): Promise<Result> {
  if (signal.aborted) return Promise.reject(cancelled())
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(cancelled()), { once: true })
    work().then(resolve, reject)
  })
}

/** How long a cancelled job waits for what it is just about to publish. */
const LAST_WAIT_MS = 3000

/** Work that a cancelled job waits for a little longer, and then gives up: `instead` says what came of it. */
export async function shortlyAfterCancel<Result>(
  { signal }: Pick<Job, 'signal'>,
  work: Promise<Result>,
  instead: Result,
): Promise<Result> {
  const done = new AbortController()
  const late = async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: done.signal })
    await setTimeout(LAST_WAIT_MS, undefined, { signal: done.signal })
    return instead
  }
  // Aborted where the work is there in time.
  const waiting = late().catch(() => instead)
  try {
    return await Promise.race([work, waiting])
  } finally {
    done.abort()
  }
}

/** How a job uploads its artifacts. */
export function artifactOptions({ keys, inputs }: Job): ArtifactOptions {
  return { env: keys.env, retentionDays: inputs.retentionDays }
}

/** A folder for what a job may lose; the runner empties it. */
export function scratchFolder(env: NodeJS.ProcessEnv): string {
  return path.join(env.RUNNER_TEMP || tmpdir(), 'vox-efficacy')
}

const PROGRESS_MS = 60_000

/** The engine of a configuration, built or restored where it must be. The caller closes it. */
export function openJobEngine(job: Job, options: EngineOptions): Promise<Engine> {
  let notedAt = Number.NEGATIVE_INFINITY
  return openEngine(options, {
    exec: job.exec,
    cache: job.cache,
    workFolder: path.join(options['vox-cache'] ?? job.scratch, 'work'),
    // With the keys: whether a build script could read them is decided by what is there.
    env: withoutRunnerTokens(job.keys.env),
    log(line, isProgress = false) {
      if (isProgress && performance.now() - notedAt < PROGRESS_MS) return
      if (isProgress) notedAt = performance.now()
      job.note(line)
    },
  })
}
