import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type GitHubApi, inForm } from './github-api.ts'

/** A comment holds 65,536 characters. */
export const COMMENT_CHARACTERS = 65_536

export type CommentResult =
  | { readonly kind: 'written'; readonly isNew: boolean }
  /** A newer run has written there, with this number. */
  | { readonly kind: 'outdated'; readonly by: number }
  | { readonly kind: 'failed'; readonly why: string }

const commentSchema = z.object({
  id: z.number().int(),
  body: z.string().nullish(),
  user: z.object({ id: z.number().optional(), type: z.string() }).nullish(),
})

type Comment = z.infer<typeof commentSchema>

/** The run that a comment speaks of. Of two runs of one workflow file the later has the higher number. */
export interface CommentRun {
  readonly number: number
  readonly attempt: number
  /** Path of that file: GitHub counts the runs of a file that was renamed anew. */
  readonly workflow: string
}

/** A comment of our own; older versions named no run. */
interface OwnComment {
  readonly id: number
  readonly run: Pick<CommentRun, 'number' | 'attempt'>
}

const NO_RUN = { number: 0, attempt: 0 }

/** Without the marker, so that it is no comment of ours any more. */
const OUT_OF_DATE = 'This is out of date: another comment of this pull request has what a newer run came to.\n'

/** Hidden text by which the comment of one job is found again; of the same length for every key. */
export function markerOf(key: string): string {
  return `<!-- vox-efficacy ${digestOf(key)} -->`
}

/** Hidden text that tells a later run which one wrote. */
function lineOf({ number, attempt, workflow }: CommentRun): string {
  return `<!-- run ${number} attempt ${attempt} of ${digestOf(workflow)} -->`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function readRun(body: string, { workflow }: CommentRun): OwnComment['run'] {
  const line = body.split('\n', 2)[1]?.trimEnd()
  const [, number = 0, attempt = 0] = /^<!-- run (\d+) attempt (\d+) of /.exec(line ?? '') ?? []
  const run = { number: Number(number), attempt: Number(attempt) }
  return line === lineOf({ ...run, workflow }) ? run : NO_RUN
}

/** Below zero where `a` is the newer. */
function compareRuns(a: OwnComment['run'], b: OwnComment['run']): number {
  return b.number - a.number || b.attempt - a.attempt
}

/**
 * Writes the one comment of `key` on a pull request, over the earlier one where there is one, but not over that of a newer run.
 * Where runs that began at once have posted several, only the newest stays. Comments of people are left alone, whatever they quote.
 */
export async function writeComment(
  api: GitHubApi,
  pull: number,
  { key, run }: { readonly key: string; readonly run: CommentRun },
  markdown: string,
): Promise<CommentResult> {
  const body = `${markerOf(key)}\n${lineOf(run)}\n${markdown}`
  if (body.length > COMMENT_CHARACTERS) throw new Error(`a comment of ${body.length} characters cannot be written`)
  const look = () => findOwn(api, pull, markerOf(key), run)
  const earlier = await look()
  if (earlier.kind === 'failed') return earlier
  const [newest] = earlier.comments
  if (newest !== undefined && compareRuns(newest.run, run) < 0) {
    await retireOlder(api, earlier)
    return { kind: 'outdated', by: newest.run.number }
  }
  const result =
    newest === undefined
      ? await api.send('POST', `issues/${pull}/comments`, { body })
      : await api.send('PATCH', `issues/comments/${newest.id}`, { body })
  if (result.kind === 'failed') return { kind: 'failed', why: result.message }
  // Where there was none another run may have posted one meanwhile.
  await retireOlder(api, newest === undefined ? await look() : earlier)
  return { kind: 'written', isNew: newest === undefined }
}

type Looked =
  /** The newest first. */
  | { readonly kind: 'looked'; readonly comments: readonly OwnComment[] }
  | { readonly kind: 'failed'; readonly why: string }

/** Takes the words from all but the newest. Where that fails they are found again next time. */
async function retireOlder(api: GitHubApi, looked: Looked): Promise<void> {
  const older = looked.kind === 'looked' ? looked.comments.slice(1) : []
  for (const { id } of older) await api.send('PATCH', `issues/comments/${id}`, { body: OUT_OF_DATE })
}

async function findOwn(api: GitHubApi, pull: number, marker: string, run: CommentRun): Promise<Looked> {
  const marked: Comment[] = []
  for (let page = 1; page <= 30; page++) {
    const answer = await api.get(`issues/${pull}/comments?per_page=100&page=${page}`)
    const comments = inForm(answer, z.array(commentSchema))
    if (comments.kind === 'failed') return { kind: 'failed', why: comments.message }
    marked.push(...comments.value.filter(({ body }) => body?.startsWith(marker)))
    if (comments.value.length < 100) break
  }
  const bots = marked.filter(({ user }) => user?.type === 'Bot')
  const own = bots.length > 0 ? bots : await ofSelf(api, marked)
  const comments = own.map(({ id, body }) => ({ id, run: readRun(body ?? '', run) }))
  return { kind: 'looked', comments: comments.sort((a, b) => compareRuns(a.run, b.run) || b.id - a.id) }
}

/** The comments that the token's own user wrote. A token of the job is nobody's: it may not ask, and writes as a bot. */
async function ofSelf(api: GitHubApi, marked: readonly Comment[]): Promise<readonly Comment[]> {
  if (marked.length === 0) return []
  const self = await api.get('/user')
  const id = self.kind === 'ok' ? z.object({ id: z.number() }).safeParse(self.value).data?.id : undefined
  return id === undefined ? [] : marked.filter(({ user }) => user?.id === id)
}
