import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'

/** What started the workflow. */
export type JobEvent =
  | {
      readonly kind: 'pull-request'
      readonly number: number
      readonly base: { readonly ref: string; readonly sha: string }
      readonly head: { readonly ref: string; readonly sha: string }
      /** Gets neither keys nor a token that writes: a fork, or a pull request of Dependabot. */
      readonly isKeyless: boolean
      /** Commits on the branch: never fewer than its pushes, unless somebody rewrote it. */
      readonly commits: number
      /** When it was opened, as GitHub writes times; null where the event does not tell. */
      readonly createdAt: string | null
    }
  /** A queue of pull requests that are about to be merged, with the keys of the repository. */
  | { readonly kind: 'merge-group'; readonly base: { readonly ref: string; readonly sha: string } }
  /** Runs with the keys of the repository, on behalf of whoever opened a pull request or wrote a comment. */
  | { readonly kind: 'borrowed'; readonly name: string }
  | { readonly kind: 'other'; readonly name: string }

/** Whether the job gets neither keys nor a token that writes. */
export function isKeyless(event: JobEvent): boolean {
  return event.kind === 'pull-request' && event.isKeyless
}

/** What a pull request, or a queue of them, is to be merged into; null for any other event. */
export function baseOf(event: JobEvent): { readonly ref: string; readonly sha: string } | null {
  return event.kind === 'pull-request' || event.kind === 'merge-group' ? event.base : null
}

const BORROWED = [
  'pull_request_target',
  'workflow_run',
  'issue_comment',
  'pull_request_review',
  'pull_request_review_comment',
  'issues',
  'commit_comment',
  'discussion',
  'discussion_comment',
  'fork',
  'watch',
]
const MAX_BYTES = 64 * 1024 * 1024

const repositorySchema = z.object({ id: z.number() })
const groupSchema = z.object({ merge_group: z.object({ base_ref: z.string(), base_sha: z.string() }) })
const payloadSchema = z.object({
  pull_request: z.object({
    number: z.number().int(),
    commits: z.number().int().min(1).default(1),
    created_at: z.iso.datetime({ offset: true }).nullish().catch(null),
    user: z.object({ login: z.string() }).nullish(),
    base: z.object({ ref: z.string(), sha: z.string(), repo: repositorySchema.nullish() }),
    /** Null when the fork is gone. */
    head: z.object({ ref: z.string(), sha: z.string(), repo: repositorySchema.nullish() }),
  }),
})

/**
 * @throws BenchError `action/event` when a pull request, or a queue of them, cannot be read: it might be a fork's.
 */
export function readEvent(env: NodeJS.ProcessEnv): JobEvent {
  const name = env.GITHUB_EVENT_NAME ?? ''
  if (BORROWED.includes(name)) return { kind: 'borrowed', name }
  const file = env.GITHUB_EVENT_PATH ?? ''
  if (name === 'merge_group') {
    const { base_ref, base_sha } = readPayload(file, groupSchema).merge_group
    return { kind: 'merge-group', base: { ref: base_ref.replace(/^refs\/heads\//, ''), sha: base_sha } }
  }
  if (name !== 'pull_request') return { kind: 'other', name }
  const { pull_request } = readPayload(file, payloadSchema)
  const { number, base, head, commits, created_at, user } = pull_request
  const isFork = head.repo?.id === undefined || base.repo?.id === undefined || head.repo.id !== base.repo.id
  const isDependabot = env.GITHUB_ACTOR === 'dependabot[bot]' || user?.login === 'dependabot[bot]'
  return {
    kind: 'pull-request',
    number,
    base: { ref: base.ref, sha: base.sha },
    head: { ref: head.ref, sha: head.sha },
    isKeyless: isFork || isDependabot,
    commits,
    createdAt: created_at ?? null,
  }
}

function readPayload<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error('it is too long')
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new BenchError({
      code: 'action/event',
      message: `The event of this pull request cannot be read from GITHUB_EVENT_PATH, so it cannot be told from a fork's: ${(error as Error).message}.`,
      hint: 'Run the action in a job of a workflow, on the event as the runner wrote it.',
      cause: error,
    })
  }
}

/** @throws BenchError `action/borrowed-event`: code or words of strangers, together with keys. */
export function refuseBorrowedKeys(event: JobEvent, hasKeys: boolean): void {
  if (event.kind !== 'borrowed' || !hasKeys) return
  throw new BenchError({
    code: 'action/borrowed-event',
    message: `The event ${event.name} runs with the keys of this repository on behalf of others, and a key is there, so nothing was done.`,
    hint: 'Use pull_request, push, schedule or workflow_dispatch; forks are checked there without keys.',
  })
}
