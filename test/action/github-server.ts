import { createHash } from 'node:crypto'
import { createGitHubApi, type GitHubApi } from '../../src/action/github-api.ts'
import { sendJson, startServer } from '../models/loopback-server.ts'

/** The part of GitHub's REST API that the action uses, as far as a test fills it. */
export interface PlayedGitHub {
  readonly api: GitHubApi
  readonly url: string
  readonly seen: readonly {
    readonly url: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly text: string
  }[]
  /** Comments of the pull request, which the action may add to. */
  readonly comments: Comment[]
}

export interface Comment {
  readonly id: number
  readonly user: { readonly id?: number; readonly type: string }
  body: string
}

export interface PlayedRun {
  readonly id: number
  readonly event?: string
  /** Null while it is under way. */
  readonly conclusion?: string | null
  readonly branch?: string
  readonly sha?: string
  readonly repository?: number
  readonly workflow?: number
  readonly url?: string
  readonly created?: string
  /** Numbers of the pull requests that GitHub tells it is of. */
  readonly pulls?: readonly number[]
  readonly artifacts?: readonly {
    readonly name: string
    readonly archive: Buffer
    readonly expired?: boolean
    readonly digest?: string
  }[]
}

export const OWN_RUN = 77

/** @param refuses may answer a request with a status instead of with what is played */
export async function playGitHub(
  runs: readonly PlayedRun[],
  {
    comments = [],
    refuses = () => null,
    pushes = ['b'.repeat(40)],
    caches = () => [],
    cacheBytes = 0,
    createdAt = new Date(),
    self = null,
  }: {
    readonly comments?: Comment[]
    readonly refuses?: (path: string, number: number) => number | null
    /** Runs on a pull request, the newest first, or only their commits. */
    readonly pushes?: readonly (string | Omit<PlayedRun, 'id'>)[]
    /** Whose token it is, where it is a person's. */
    readonly self?: number | null
    /** Entries of the cache, as GitHub lists them. */
    readonly caches?: () => readonly { readonly key: string; readonly ref: string }[]
    /** How much room all entries take. */
    readonly cacheBytes?: number
    /** When all runs were. */
    readonly createdAt?: Date
  } = {},
): Promise<PlayedGitHub> {
  const shown = ({
    id,
    event = 'push',
    conclusion = 'success',
    branch = 'main',
    sha = 'c'.repeat(40),
    repository = 5,
    workflow = 3,
    url = '',
    created = createdAt.toISOString(),
    pulls = [],
  }: PlayedRun) => ({
    id,
    run_number: id,
    workflow_id: workflow,
    event,
    conclusion,
    status: conclusion === null ? 'in_progress' : 'completed',
    html_url: url,
    created_at: created,
    pull_requests: pulls.map((number) => ({ number })),
    head_branch: branch,
    head_sha: sha,
    repository: { id: 5 },
    head_repository: { id: repository },
  })
  const archives = new Map(
    runs.flatMap(({ id, artifacts = [] }) => artifacts.map((each, index) => [id * 100 + index, each] as const)),
  )
  const server = await startServer((request, response, number) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1')
    const path = pathname.replace('/repos/acme/models/', '')
    const status = refuses(path, number)
    if (status !== null) return sendJson(response, status, { message: 'played' })
    if (pathname === '/repos/acme/models') return sendJson(response, 200, { default_branch: 'main' })
    if (path === 'actions/cache/usage') return sendJson(response, 200, { active_caches_size_in_bytes: cacheBytes })
    if (path === 'actions/caches')
      return sendJson(response, 200, {
        actions_caches: caches().filter(
          ({ key, ref }) => ref === (searchParams.get('ref') ?? ref) && key.startsWith(searchParams.get('key') ?? ''),
        ),
      })
    if (path === `actions/runs/${OWN_RUN}`)
      return sendJson(response, 200, shown({ id: OWN_RUN, event: 'pull_request' }))
    if (path === 'actions/workflows/3/runs') {
      const own = pushes.map((push, index) =>
        shown({ id: OWN_RUN - index, event: 'pull_request', ...(typeof push === 'string' ? { sha: push } : push) }),
      )
      const [event, status] = [searchParams.get('event'), searchParams.get('status')]
      const all = runs
        .map(shown)
        .filter((run) => (event === null || run.event === event) && (status === null || run.conclusion === status))
      const listed = event === 'pull_request' ? own : all.slice(0, Number(searchParams.get('per_page') ?? 30))
      return sendJson(response, 200, { workflow_runs: listed })
    }
    const artifacts = /^actions\/runs\/(\d+)\/artifacts$/.exec(path)
    if (artifacts !== null) {
      const run = runs.find(({ id }) => id === Number(artifacts[1]))
      const list = (run?.artifacts ?? []).map(({ name, archive, expired = false, digest }, index) => ({
        id: Number(artifacts[1]) * 100 + index,
        name,
        expired,
        size_in_bytes: archive.length,
        digest: digest ?? `sha256:${createHash('sha256').update(archive).digest('hex')}`,
      }))
      const [page, size] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 30)]
      return sendJson(response, 200, { artifacts: list.slice((page - 1) * size, page * size) })
    }
    const zip = /^actions\/artifacts\/(\d+)\/zip$/.exec(path)
    if (zip !== null) return response.writeHead(200).end(archives.get(Number(zip[1]))?.archive)
    if (pathname === '/user' && self !== null) return sendJson(response, 200, { id: self })
    const compared = /^compare\/(\w+)\.\.\.(\w+)$/.exec(path)
    if (compared !== null)
      return sendJson(response, 200, { status: compared[1]?.startsWith('d') ? 'diverged' : 'ahead' })
    if (path === 'issues/7/comments' && request.text === '') return sendJson(response, 200, comments)
    if (path === 'issues/7/comments') {
      const user = self === null ? { type: 'Bot' } : { id: self, type: 'User' }
      comments.push({ id: 900 + comments.length, user, body: JSON.parse(request.text).body })
      return sendJson(response, 201, {})
    }
    const own = comments.find(({ id }) => path === `issues/comments/${id}`)
    if (own !== undefined) {
      own.body = JSON.parse(request.text).body
      return sendJson(response, 200, {})
    }
    return sendJson(response, 404, { message: 'Not Found' })
  })
  const api = createGitHubApi({ url: server.origin, repository: 'acme/models', token: 'planted-token' })
  return { api, url: server.origin, seen: server.seen, comments }
}
