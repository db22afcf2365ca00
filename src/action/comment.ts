import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { GitHubApi } from './github-api.ts'

/** A comment holds 65,536 characters. */
export const COMMENT_CHARACTERS = 65_536

export type CommentResult =
  | { readonly kind: 'written'; readonly isNew: boolean }
  | { readonly kind: 'failed'; readonly why: string }

const commentSchema = z.object({
  id: z.number().int(),
  body: z.string().nullish(),
  user: z.object({ id: z.number().optional(), type: z.string() }).nullish(),
})

type Comment = z.infer<typeof commentSchema>

/** Hidden text by which the comment of one job is found again. */
export function markerOf(key: string): string {
  return `<!-- vox-efficacy ${createHash('sha256').update(key).digest('hex').slice(0, 16)} -->`
}

/**
 * Writes the one comment of `key` on a pull request, over the earlier one where there is one. Comments of people are left
 * alone, whatever they quote.
 */
export async function writeComment(
  api: GitHubApi,
  number: number,
  key: string,
  markdown: string,
): Promise<CommentResult> {
  const marker = markerOf(key)
  const body = `${marker}\n${markdown}`
  if (body.length > COMMENT_CHARACTERS) throw new Error(`a comment of ${body.length} characters cannot be written`)
  const earlier = await findComment(api, number, marker)
  if (earlier.kind === 'failed') return earlier
  const result =
    earlier.id === null
      ? await api.send('POST', `issues/${number}/comments`, { body })
      : await api.send('PATCH', `issues/comments/${earlier.id}`, { body })
  return result.kind === 'ok'
    ? { kind: 'written', isNew: earlier.id === null }
    : { kind: 'failed', why: result.message }
}

async function findComment(
  api: GitHubApi,
  number: number,
  marker: string,
): Promise<
  { readonly kind: 'looked'; readonly id: number | null } | { readonly kind: 'failed'; readonly why: string }
> {
  for (let page = 1; page <= 30; page++) {
    const result = await api.get(`issues/${number}/comments?per_page=100&page=${page}`)
    if (result.kind === 'failed') return { kind: 'failed', why: result.message }
    const comments = z.array(commentSchema).safeParse(result.value)
    if (!comments.success) return { kind: 'failed', why: 'GitHub answers in another form than documented' }
    const marked = comments.data.filter(({ body }) => body?.startsWith(marker))
    const own = marked.find(({ user }) => user?.type === 'Bot') ?? (await findSelf(api, marked))
    if (own !== undefined) return { kind: 'looked', id: own.id }
    if (comments.data.length < 100) break
  }
  return { kind: 'looked', id: null }
}

/** The comment that the token's own user wrote. A token of the job is nobody's: it may not ask, and writes as a bot. */
async function findSelf(api: GitHubApi, marked: readonly Comment[]): Promise<Comment | undefined> {
  if (marked.length === 0) return undefined
  const self = await api.get('/user')
  const id = self.kind === 'ok' ? z.object({ id: z.number() }).safeParse(self.value).data?.id : undefined
  return id === undefined ? undefined : marked.find(({ user }) => user?.id === id)
}
